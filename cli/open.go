package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/internal/setup"
	"offstage/task"
)

type openFlags struct {
	right, below, tab, toggle bool
	pane                      string
	ref                       string
}

func (a *app) openCommand() *cobra.Command {
	var f openFlags
	cmd := &cobra.Command{
		Use:   "open [REF]",
		Short: "Open the panel in a split of this terminal, or go to it",
		Long: "Opens the panel beside the pane it is called in: in tmux, zellij, WezTerm, kitty, iTerm2 or Windows Terminal; elsewhere it says what to type. " +
			"In tmux it shows the agent session of that pane. In tmux and kitty one that is open there gets the focus; the others cannot be asked what is open.",
		Args: args(0, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			f.ref = arg(argv)
			return a.open(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.right, "right", false, "to the right of the pane")
	fl.BoolVar(&f.below, "below", false, "below the pane")
	fl.BoolVar(&f.tab, "tab", false, "in a tab of its own")
	fl.BoolVar(&f.toggle, "toggle", false, "close one that is open there")
	fl.StringVar(&f.pane, "tmux-pane", "", "beside the tmux pane `ID`, as a key of tmux gives it")
	return cmd
}

func (a *app) open(ctx context.Context, f openFlags) error {
	s := desk.Split{Pane: f.pane, Toggle: f.toggle}
	sides := 0
	for _, x := range []struct {
		on   bool
		side desk.Side
	}{{f.right, desk.Right}, {f.below, desk.Below}, {f.tab, desk.Tab}} {
		if x.on {
			sides, s.Side = sides+1, x.side
		}
	}
	if sides > 1 {
		return usage("--right, --below and --tab cannot go together: give one of them")
	}
	if a.w.Recorded() {
		return usage("--root shows a recording: open it with offstage --root %s", a.root)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program itself: %w", err)
	}
	words, err := a.panelWords(ctx, f)
	if err != nil {
		return err
	}
	s.Argv = append([]string{self}, words...)
	if s.Dir, err = os.Getwd(); err != nil || f.pane != "" {
		s.Dir = "" // that of the pane
	}
	if _, err = desk.OpenSplit(ctx, s, a.getenv); errors.Is(err, desk.ErrNoSplit) {
		return fmt.Errorf("%w; type this in a split of your own: %s", err, quoted("offstage", words))
	}
	return err
}

// quoted is a command to type.
func quoted(program string, words []string) string {
	out := []string{program}
	for _, w := range words {
		out = append(out, setup.Quote(w))
	}
	return strings.Join(out, " ")
}

// openPatience bounds the look for the session of a pane: a key is to answer at
// once.
const openPatience = 500 * time.Millisecond

// panelWords are the panel's arguments: a task that was asked for or that wants a
// person most, the session of the pane, else its folder.
func (a *app) panelWords(ctx context.Context, f openFlags) ([]string, error) {
	words := []string{}
	for _, g := range [][2]string{{"--state", a.state}, {"--config", a.configFile}} {
		if g[1] != "" {
			words = append(words, g[0], g[1])
		}
	}
	if f.ref != "" {
		r, done, err := a.registry(view{everywhere: true})
		if err != nil {
			return nil, err
		}
		defer done()
		t, err := findTask(ctx, r, f.ref)
		if err != nil {
			return nil, err
		}
		return append(words, "--everywhere", "--task", t.ID), nil
	}
	pane, err := desk.TmuxPane(ctx, f.pane, a.getenv)
	if err != nil {
		if f.pane != "" {
			return nil, err
		}
		return append(words, "--", "."), nil // no tmux, or not known: the folder
	}
	session, ok := a.sessionInPane(ctx, pane)
	if !ok {
		return append(words, "--", pane.Dir), nil
	}
	words = append(words, "--session", session.ID)
	if p, err := a.glance(ctx, registry.Scope{Session: session.ID}, a.pillRules(true)); err == nil && p.WantsPerson() && p.Attention != "" {
		words = append(words, "--task", p.Attention)
	}
	return words, nil
}

// sessionInPane looks for the agent session that a pane shows.
func (a *app) sessionInPane(ctx context.Context, p desk.Pane) (task.Session, bool) {
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return task.Session{}, false
	}
	defer done()
	ctx, cancel := context.WithTimeout(ctx, openPatience)
	defer cancel()
	_, _ = r.Scan(ctx, 0) // what was seen in that time is what there is
	return r.SessionInPane(p.ID, p.PID)
}
