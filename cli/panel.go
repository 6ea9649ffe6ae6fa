package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/task"
	"offstage/ui"
)

// panelFlags are the flags of the panel itself.
type panelFlags struct {
	view
	plain, ascii bool
	task         string
}

// panelCommand is the program without a verb: it opens the panel.
func (a *app) panelCommand() *cobra.Command {
	var f panelFlags
	cmd := &cobra.Command{
		Use:   "offstage [DIR]",
		Short: "See, follow and stop what coding agents left running",
		Long:  "Opens the panel for the agent sessions of this project: what they left running, its live output, its test counts, and Stop.",
		Example: `  offstage                 the tasks of this project
  offstage -A              of every session on this machine
  offstage demo            a tour without any agent
  offstage --files logs/   any folder of log files`,
		Args: args(0, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			f.dir = arg(argv)
			return a.openPanel(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVarP(&f.everywhere, "everywhere", "A", false, "every session of this machine")
	fl.BoolVar(&f.here, "here", false, "only this folder, not its whole repository")
	fl.StringVar(&f.session, "session", "", "only the session `ID`")
	fl.StringVar(&f.files, "files", "", "show the log files of `DIR`")
	fl.StringVar(&f.task, "task", "", "open the console of the task `REF` at once")
	fl.BoolVar(&f.plain, "plain", false, "one sentence for each change, for screen readers and simple terminals")
	fl.BoolVar(&f.ascii, "ascii", false, "use ASCII marks only")
	return cmd
}

func (a *app) openPanel(ctx context.Context, f panelFlags) error {
	if _, err := a.scope(f.view); err != nil {
		return err
	}
	plain, why := a.plain(f.plain)
	if !plain && !isTerminal(a.out) {
		return usage("the panel needs a terminal: use `offstage ls` for a list, or --plain for a line at each change")
	}
	a.ascii, a.looks, f.writes = f.ascii, make(chan ui.Look, 1), true
	a.checkKeys()
	r, done, err := a.registry(f.view)
	if err != nil {
		return err
	}
	defer done()
	o := ui.Options{
		Engine: engine{r}, Now: a.w.Now, Look: a.look(a.settings), Looks: a.looks, NoColor: a.getenv("NO_COLOR") != "",
		Demo: f.demo != "", Everywhere: f.everywhere, Ended: f.ended, Plain: plain, PlainWhy: why, Home: a.w.Home(), Where: where(f),
		Copy:     func(text string) (string, error) { return desk.Copy(ctx, text, a.getenv) },
		Pager:    desk.Pager(a.getenv),
		Editor:   func(path string, line int64) []string { return desk.Editor(a.getenv, path, line) },
		GoToPane: func(pane string) error { return desk.GoToPane(ctx, pane, a.getenv) },
		OpenURL: func(url string) error {
			return desk.OpenURL(ctx, url)
		},
	}
	if f.task != "" {
		t, err := findTask(ctx, r, f.task)
		if err != nil {
			return err
		}
		o.Open, o.Ended = t.ID, f.ended || !listed(ctx, r, t.ID)
		r.Ended(o.Ended)
	}
	r.Begin()
	o.TellEnds, o.Rest = a.tellEnds(ctx, r, plain), oneProcessor()
	if plain {
		return ui.RunPlain(ctx, o, a.out)
	}
	return ui.Run(ctx, o)
}

// oneProcessor keeps the program on one processor while the window is at rest: the
// Go scheduler then wakes no second one to look for work, which is two thirds of what
// a resting panel costs beside an empty one.
func oneProcessor() func(on bool) {
	all := runtime.GOMAXPROCS(0)
	return func(on bool) {
		n := all
		if on {
			n = 1
		}
		runtime.GOMAXPROCS(n)
	}
}

// listed says whether a task has a row among those of A5.
func listed(ctx context.Context, r *registry.Registry, id string) bool {
	r.Ended(false)
	snap, err := r.Scan(ctx, 0)
	return err == nil && slices.ContainsFunc(snap.Tasks, func(t task.Task) bool { return t.ID == id })
}

// where is the project in words, for the empty page.
func where(f panelFlags) string {
	switch {
	case f.files != "":
		return f.files
	case f.dir != "":
		return f.dir
	case f.session != "":
		return "this session"
	}
	if cwd, err := os.Getwd(); err == nil {
		return cwd
	}
	return "this project"
}

// plain says whether the words go out without a screen, and who asked for it.
func (a *app) plain(flag bool) (bool, string) {
	switch {
	case flag:
		return true, "--plain"
	case a.getenv("OFFSTAGE_PLAIN") != "" && a.getenv("OFFSTAGE_PLAIN") != "0":
		return true, "OFFSTAGE_PLAIN"
	case a.getenv("TERM") == "dumb":
		return true, "TERM=dumb"
	}
	return false, ""
}

// checkKeys says of each name that no key has that it is left out.
func (a *app) checkKeys() {
	known := map[string]bool{}
	for _, k := range ui.KeyTable() {
		known[k.ID] = true
	}
	for _, name := range slices.Sorted(maps.Keys(a.settings.Keys)) {
		if !known[name] {
			_, _ = fmt.Fprintln(a.errw, "offstage: "+maskText(from(a.settings.Origin("keys."+name)))+"there is no key named "+maskText(name)+": docs/keys.md lists the names; it is left out")
		}
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// engine is the registry as the window sees it.
type engine struct{ *registry.Registry }

var _ ui.Engine = engine{}
