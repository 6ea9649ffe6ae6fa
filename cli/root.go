package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"offstage/internal/config"
	"offstage/internal/output"
	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/ui"
)

// SourceOptions say which sources a verb wants.
type SourceOptions struct {
	World *world.World
	Procs *registry.Procs
	// Files is the folder of --files, Demo that of a running demo; "" for none.
	// With either, only that is shown.
	Files, Demo string
	// State is the program's own state folder, "" where there is none (a root).
	State string
}

// Wiring is what main hands in: the sources of this build.
type Wiring struct {
	Sources func(SourceOptions) []registry.Named
	Version string
	// SuperviseVerb and Supervise are the hidden verb of a task's supervisor: its one
	// argument is the task's folder. It is no command, for it has to be small.
	SuperviseVerb string
	Supervise     func(folder string) int
}

// app is one run of the program: its streams, global flags and wiring.
type app struct {
	wire   Wiring
	out    io.Writer
	errw   io.Writer
	in     io.Reader
	getenv func(string) string

	root, now, state, configFile string
	verbose                      bool
	w                            *world.World
	settings                     config.Settings // as the program began
	current                      atomic.Pointer[config.Settings]
	looks                        chan ui.Look // where a window takes changes up, else nil
	ascii                        bool         // asked for by a flag
	dir                          string       // that was asked for, "" for the present one
}

// Main runs the program with the arguments behind its name and answers the exit
// code. It never calls os.Exit.
func Main(args []string, wire Wiring) int {
	if len(args) == 2 && wire.Supervise != nil && args[0] == wire.SuperviseVerb {
		return wire.Supervise(args[1])
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	a := &app{wire: wire, out: os.Stdout, errw: os.Stderr, in: os.Stdin, getenv: os.Getenv}
	return a.guarded(ctx, args)
}

// guarded ends a fault of ours with one masked sentence and the exit code of a
// failure: the text of a panic may quote what a task said (C9).
func (a *app) guarded(ctx context.Context, args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			_, _ = fmt.Fprintln(a.errw, "offstage: "+ui.Fault(r).Error())
			code = ExitFailed
		}
	}()
	return a.run(ctx, args)
}

// endings are the signals that end the program in order. A terminal that goes
// away is one, so that a demo takes its folder with it; nohup keeps its meaning.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

func (a *app) run(ctx context.Context, args []string) int {
	cmd := a.command()
	cmd.SetArgs(joinNow(args))
	cmd.SetOut(a.out)
	cmd.SetErr(a.errw)
	cmd.SetIn(a.in)
	err := fang.Execute(ctx, cmd, fang.WithVersion(a.wire.Version), fang.WithErrorHandler(a.sayError), fang.WithoutManpage())
	return codeOf(err)
}

// joinNow makes one word of --now and the time behind it, so that a verb whose own
// --now takes no value (stop) does not take the time for a task.
func joinNow(args []string) []string {
	out := make([]string, 0, len(args))
	for _, word := range args {
		if n := len(out); n > 0 && out[n-1] == "--now" {
			if _, err := time.Parse(time.RFC3339Nano, word); err == nil {
				out[n-1] += "=" + word
				continue
			}
		}
		out = append(out, word)
	}
	return out
}

// sayError prints one clear sentence on stderr, without a frame or colour, so
// that scripts and screen readers get just the words.
func (a *app) sayError(_ io.Writer, _ fang.Styles, err error) {
	if errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	if err.Error() != "" {
		_, _ = fmt.Fprintln(a.errw, "offstage: "+maskText(err.Error()))
	}
}

func (a *app) command() *cobra.Command {
	root := a.panelCommand()
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetFlagErrorFunc(wrongFlag)
	pf := root.PersistentFlags()
	pf.StringVar(&a.root, "root", "", "read every agent's traces as if `DIR` were /; nothing can be stopped")
	pf.StringVar(&a.now, "now", "", "fix the clock to `TIME` (RFC 3339), for a listing of a recording")
	pf.StringVar(&a.state, "state", "", "keep the program's own state in `DIR`")
	pf.StringVar(&a.configFile, "config", "", "read settings from `FILE` as well")
	pf.BoolVar(&a.verbose, "verbose", false, "say on stderr what could not be read")
	root.PersistentPreRunE = func(cmd *cobra.Command, argv []string) error {
		a.dir = lookedAt(cmd, argv)
		return a.prepare()
	}
	root.AddCommand(
		a.lsCommand(), a.refs(a.logsCommand(), anyTask), a.refs(a.stopCommand(), openTask), a.refs(a.waitCommand(), openTask), a.runCommand(), a.refs(a.restartCommand(), anyTask),
		a.refs(a.answerCommand(), openTask), a.sessionsCommand(), a.sessionCommand(), a.todoCommand(), a.pillCommand(), a.refs(a.openCommand(), anyTask), a.setupCommand(), a.doctorCommand(),
		a.configCommand(), a.renderCommand(), a.redactCommand(), a.testsCommand(), a.mcpCommand(), a.hookCommand(), a.demoCommand(), a.demoChildCommand(), a.manCommand(), a.versionCommand(),
	)
	return root
}

// prepare makes the world and the settings from the global flags.
func (a *app) prepare() error {
	o := world.Options{Root: a.root, Getenv: a.getenv}
	if a.now != "" {
		at, err := time.Parse(time.RFC3339Nano, a.now)
		if err != nil {
			return usage("--now %s is no time: give one like 2026-11-30T12:00:00Z", a.now)
		}
		o.Now = at
	}
	w, err := world.New(o)
	if err != nil {
		return usageError{err}
	}
	a.w = w
	var wrong []string
	a.settings, wrong = a.load()
	a.current.Store(&a.settings)
	if !slices.Equal(a.settings.Patterns, output.Patterns()) {
		output.SetPatterns(a.settings.Patterns)
	}
	for _, text := range wrong {
		_, _ = fmt.Fprintln(a.errw, "offstage: "+maskText(text))
	}
	return nil
}

// stateDir is where the ledger lives; "" when there is none to keep (a root).
func (a *app) stateDir() string {
	switch {
	case a.w.Recorded():
		return ""
	case a.state != "":
		return a.state
	case a.getenv("XDG_STATE_HOME") != "":
		return filepath.Join(a.getenv("XDG_STATE_HOME"), "offstage")
	}
	return filepath.Join(a.w.Home(), ".local", "state", "offstage")
}

// view is what a verb wants to see.
type view struct {
	everywhere, here, ended bool
	dir, session            string
	files, demo             string
	// writes: what is seen and done may be kept in the ledger; a listing only reads.
	writes bool
	// bare goes without the ledger.
	bare bool
}

// registry opens the desk for a verb. The function closes it.
func (a *app) registry(v view) (*registry.Registry, func(), error) {
	scope, err := a.scope(v)
	if err != nil {
		return nil, nil, err
	}
	if err := a.rootHome(v); err != nil {
		return nil, nil, err
	}
	if v.files != "" {
		if v.files, err = filepath.Abs(v.files); err != nil {
			return nil, nil, fmt.Errorf("find the folder of --files: %w", err)
		}
	}
	o := registry.Options{
		World: a.w, Scope: scope, Everywhere: v.everywhere && v.session == "", QuietAfter: a.settings.QuietAfter,
		TimeoutObserved: a.settings.TimeoutObserved,
		Keep:            registry.Keep{For: a.settings.FinishedFor, Max: a.settings.FinishedMax, Ended: v.ended},
	}
	o.State, o.ReadOnly = a.stateDir(), !v.writes
	if v.bare {
		o.State = ""
	}
	o.Procs = registry.NewProcs(a.w)
	o.Sources = a.wire.Sources(SourceOptions{World: a.w, Procs: o.Procs, Files: v.files, Demo: v.demo, State: a.stateDir()})
	if v.files == "" && v.demo == "" {
		o.Sources = slices.DeleteFunc(o.Sources, func(n registry.Named) bool { on, named := a.settings.Agents[n.Name]; return named && !on })
	}
	r := registry.New(o)
	stop := make(chan struct{})
	go a.followSettings(r, stop)
	return r, func() { close(stop); _ = r.Close() }, nil
}

// rootHome refuses a root that holds no home: an empty list would look like an
// answer.
func (a *app) rootHome(v view) error {
	if !a.w.Recorded() || v.files != "" {
		return nil
	}
	if st, err := os.Stat(a.w.Path(a.w.Home())); err != nil || !st.IsDir() {
		return usage("--root %s holds no %s: set HOME to the home folder, below it, of the person whose agents are shown", a.root, a.w.Home())
	}
	return nil
}

func (a *app) scope(v view) (registry.Scope, error) {
	if v.files != "" {
		path, err := filepath.Abs(v.files)
		if err != nil {
			return registry.Scope{}, fmt.Errorf("find the folder of --files: %w", err)
		}
		if st, err := os.Stat(a.w.Path(path)); err != nil || !st.IsDir() {
			return registry.Scope{}, usage("--files %s is no folder: give a folder that holds log files", v.files)
		}
	}
	if v.session != "" || v.files != "" || v.demo != "" {
		return registry.Scope{Session: v.session}, nil
	}
	dir := v.dir
	if dir == "" {
		dir = "."
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return registry.Scope{}, fmt.Errorf("find the folder %s: %w", dir, err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if st, err := os.Stat(a.w.Path(abs)); v.dir != "" && (err != nil || !st.IsDir()) {
		return registry.Scope{}, usage("%s is no folder: give a project's folder, or a verb (see offstage --help)", v.dir)
	}
	if v.here {
		return registry.Scope{Dirs: []string{abs}}, nil
	}
	return registry.ProjectScope(a.w, abs), nil
}
