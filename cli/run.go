package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/config"
	"offstage/internal/registry"
	"offstage/task"
)

// runWire is what `run --json` prints (spec 5).
type runWire struct {
	ID        string    `json:"id"`
	PID       int       `json:"pid"`
	Output    string    `json:"output"`
	StartedAt time.Time `json:"started_at"`
}

type runFlags struct {
	name, kind, cwd, undo, job, limit string
	timeout                           duration
	tty, wait, json                   bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] -- CMD …",
		Short: "Run a command as a task of our own",
		Long: "Runs a command in the background and prints its id. It goes on when this terminal, the panel or the agent ends, and can be followed, stopped and " +
			"started again. One quoted word with blanks in it is a command line for sh.",
		Example: "  offstage run -- npm run dev\n  offstage run --name seed --timeout 10m -- 'make seed | tee seed.log'",
		Args:    f.args,
		RunE: func(cmd *cobra.Command, argv []string) error {
			s, err := a.runSpec(cmd, f, argv)
			if err != nil {
				return err
			}
			r, done, err := a.registry(view{everywhere: true, writes: true})
			if err != nil {
				return err
			}
			defer done()
			ran, err := r.Run(cmd.Context(), s)
			if err != nil {
				return err
			}
			return a.ran(cmd.Context(), r, ran, f)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.name, "name", "", "call it `NAME` in lists")
	fl.StringVar(&f.kind, "kind", string(task.Shell), "what it is: shell or monitor")
	fl.StringVar(&f.cwd, "cwd", "", "run it in `DIR`")
	fl.Var(&f.timeout, "timeout", "end it after this `TIME`: 90s, 5m, 4h; 0 is never, as for all that a person starts")
	fl.BoolVar(&f.tty, "tty", false, "give it a terminal: for programs that ask, or print nothing into a file")
	fl.StringVar(&f.limit, "size-limit", "", "what to do about a large output: `SIZE[:warn|freeze|trim|stop]`, such as 100M:freeze")
	fl.StringVar(&f.undo, "undo", "", "run `CMD` after it was stopped")
	fl.StringVar(&f.job, "job", "", "it is the scheduled run `NAME`")
	fl.BoolVar(&f.wait, "wait", false, "stay until it ends, and end with its exit code")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// args wants the command behind --, so that its flags are never taken for ours.
func (f *runFlags) args(cmd *cobra.Command, argv []string) error {
	switch at := cmd.ArgsLenAtDash(); {
	case len(argv) == 0:
		return usage("the command is missing: offstage run -- CMD …")
	case at != 0:
		return usage("put -- before the command: offstage run -- %s", strings.Join(argv, " "))
	}
	return nil
}

// runSpec checks the flags.
func (a *app) runSpec(cmd *cobra.Command, f runFlags, argv []string) (registry.RunSpec, error) {
	if a.root != "" {
		return registry.RunSpec{}, usage("with --root nothing can be started: leave it out")
	}
	s := registry.RunSpec{
		Argv: argv, Name: f.name, Kind: task.Kind(f.kind), Cwd: f.cwd, Env: os.Environ(), Job: f.job, Undo: f.undo, TTY: f.tty, KeepAwake: a.settings.KeepAwake,
		Limit: a.settings.SizeLimit.Bytes, LimitDo: a.settings.SizeLimit.Do, Timeout: time.Duration(f.timeout),
	}
	if !slices.Contains([]task.Kind{task.Shell, task.Monitor}, s.Kind) {
		return s, usage("--kind %s: shell or monitor is wanted", f.kind)
	}
	if f.limit != "" {
		l, ok := config.ParseSizeLimit(f.limit)
		if !ok {
			return s, usage("--size-limit %s: a size with what to do is wanted, such as 100M:freeze (warn, freeze, trim or stop)", f.limit)
		}
		s.Limit, s.LimitDo = l.Bytes, l.Do
	}
	if !cmd.Flags().Changed("timeout") && registry.AskedByAgent(s.Env) {
		s.Timeout = a.settings.Timeout // H1: a person's own task has none
	}
	if len(argv) == 1 && lineForShell(argv[0], f.cwd) {
		s.Argv, s.Shell = nil, argv[0]
	}
	if st, err := os.Stat(onPath(argv[0], f.cwd)); s.Shell == "" && err == nil && st.IsDir() && strings.ContainsRune(argv[0], filepath.Separator) {
		return s, usage("%s is a folder: give a command, or --cwd %s to run one in it", argv[0], argv[0])
	}
	return s, nil
}

// lineForShell: one word that no file has for a name and that a shell would take
// apart.
func lineForShell(word, cwd string) bool {
	if !strings.ContainsAny(word, " \t\n|&;<>()$`\"'*?") {
		return false
	}
	_, err := os.Stat(onPath(word, cwd))
	return err != nil
}

func onPath(word, cwd string) string {
	if filepath.IsAbs(word) {
		return word
	}
	return filepath.Join(cwd, word)
}

// ran prints the task and, with --wait, stays for its end.
func (a *app) ran(ctx context.Context, r *registry.Registry, ran registry.Ran, f runFlags) error {
	if ran.Note != "" {
		_, _ = fmt.Fprintln(a.errw, "offstage: "+maskText(ran.Note))
	}
	if f.json {
		if err := a.printJSON(runWire{ran.ID, ran.PID, ran.Output, ran.At}); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintln(a.out, ran.ID); err != nil {
		return err
	}
	if !f.wait {
		return nil
	}
	end, err := r.RunEnd(ctx, ran.ID)
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: the task goes on; `offstage stop %s` ends it", ran.ID)
	}
	if err != nil {
		return err
	}
	return endCode(end)
}

// endCode is the exit code of --wait: the command's own, 128+N for a signal.
func endCode(t task.Task) error {
	switch {
	case t.ExitCode != nil && *t.ExitCode == 0:
		return nil
	case t.ExitCode != nil:
		return exitError(*t.ExitCode)
	case t.Signal != "":
		return exitError(128 + registry.SignalNumber(t.Signal))
	case t.Status == task.Cancelled || t.Status == task.TimedOut:
		return fmt.Errorf("the task was ended before it had an exit code (%s)", task.StateWords(t))
	}
	return fmt.Errorf("the task has ended and nobody knows its exit code: its supervisor was ended")
}
