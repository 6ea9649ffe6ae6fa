package cli

import (
	"context"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"offstage/internal/desk"
	"offstage/internal/registry"
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
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.dir = arg(args)
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
	plain, why := a.plain(f.plain)
	if !plain && !isTerminal(a.out) {
		return usage("the panel needs a terminal: use `offstage ls` for a list, or --plain for a line at each change")
	}
	if f.files != "" {
		if st, err := os.Stat(f.files); err != nil || !st.IsDir() {
			return usage("--files %s is no folder: give a folder that holds log files", f.files)
		}
	}
	r, done, err := a.registry(f.view)
	if err != nil {
		return err
	}
	defer done()
	o := ui.Options{
		Engine: engine{r}, Now: a.w.Now, QuietAfter: a.settings.QuietAfter, Theme: a.settings.Theme,
		ASCII: f.ascii || a.settings.Marks == "ascii", NoColor: a.getenv("NO_COLOR") != "", Mouse: a.settings.Mouse, Motion: a.settings.Motion,
		Plain: plain, PlainWhy: why, SideBySide: a.settings.SideBySide, Stacked: a.settings.Stacked, Home: a.w.Home(), Where: where(f),
		Copy: func(text string) (string, error) { return desk.Copy(ctx, text, a.getenv) },
		OpenURL: func(url string) error {
			return desk.OpenURL(ctx, url)
		},
	}
	if f.task != "" {
		t, err := findTask(ctx, r, f.task)
		if err != nil {
			return err
		}
		r.Ended(f.ended)
		o.Open = t.ID
	}
	if plain {
		return ui.RunPlain(ctx, o, a.out)
	}
	return ui.Run(ctx, o)
}

// where is the project in words, for the empty page.
func where(f panelFlags) string {
	switch {
	case f.files != "":
		return f.files
	case f.everywhere:
		return "every session of this machine"
	case f.dir != "":
		return f.dir
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

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// engine is the registry as the window sees it.
type engine struct{ *registry.Registry }

var _ ui.Engine = engine{}
