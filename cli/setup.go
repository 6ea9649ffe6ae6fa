package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/internal/setup"
	"offstage/internal/setup/hosts"
)

// askPatience bounds a question to a host's program.
const askPatience = 5 * time.Second

type setupFlags struct {
	print, remove, yes bool
	key                string
}

func (a *app) setupCommand() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup WHAT",
		Short: "Connect an agent or a terminal: show the change, ask, keep a copy; or take it back",
		Long: "WHAT is one of " + hostNames() + ". The change is shown first. Where a file cannot be read it is left alone, and the lines to add by hand are shown. " +
			"With --remove exactly what was put in is taken out again.",
		Args: args(1, 1), ValidArgs: strings.Split(hostNames(), ", "),
		RunE: func(cmd *cobra.Command, argv []string) error {
			h, ok := hosts.Find(argv[0])
			if !ok {
				return usage("%q is nothing that can be set up: give one of %s", argv[0], hostNames())
			}
			if f.remove && f.key != "" {
				return usage("--key goes with a setup, not with its removal: leave it out")
			}
			if a.w.Recorded() {
				return usage("--root shows a recording: nothing is set up there")
			}
			return a.setup(cmd.Context(), h, f)
		},
	}
	cmd.Flags().BoolVar(&f.print, "print", false, "only show the change")
	cmd.Flags().BoolVar(&f.remove, "remove", false, "take out what was put in")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().StringVar(&f.key, "key", "", "open the panel with `KEY`, where the host has a key for it")
	return cmd
}

func hostNames() string {
	var out []string
	for _, h := range hosts.All() {
		out = append(out, h.Name())
	}
	return strings.Join(out, ", ")
}

// setup is one run of the verb: see, show, ask, do, tell.
func (a *app) setup(ctx context.Context, h setup.Host, f setupFlags) error {
	e := setup.Env{Home: a.w.Home(), Getenv: a.getenv, Key: f.key, Ask: asker(ctx)}
	ask := &asking{a: a, yes: f.yes, in: bufio.NewReader(a.in)}
	if err := a.stayingProgram(&e, ask, f.print || f.remove); err != nil {
		return err
	}
	dir := filepath.Join(a.stateDir(), "setup")
	changes, err := a.setupChanges(h, &e, dir, f, ask)
	if err != nil {
		return err
	}
	todo := a.showChanges(h, changes, f.remove)
	switch {
	case f.print:
		return nil
	case todo > 0:
		if err := ask.want(map[bool]string{false: "Write this", true: "Take this out"}[f.remove]); err != nil {
			return err
		}
	}
	if err := setup.Apply(h, dir, changes); err != nil {
		return err
	}
	if err := a.tellLive(h, e, f.remove, todo, ask); err != nil {
		return err
	}
	return a.setupDone(h, e, dir, changes, f.remove, todo)
}

// setupChanges are the changes; where a key is taken and there is somebody to ask,
// another is asked for.
func (a *app) setupChanges(h setup.Host, e *setup.Env, dir string, f setupFlags, ask *asking) ([]setup.Change, error) {
	if f.remove {
		return setup.Remove(h, *e, dir)
	}
	for range 5 {
		changes, err := setup.Add(h, *e)
		var taken *setup.TakenError
		if !errors.As(err, &taken) || f.print || !ask.terminal() {
			return changes, err
		}
		_, _ = fmt.Fprintln(a.errw, maskText(taken.Error()))
		if e.Key = ask.line("Another key (empty to stop): "); e.Key == "" {
			return nil, fmt.Errorf("%w: no key was given, and nothing was changed", registry.ErrRefused)
		}
	}
	return nil, fmt.Errorf("%w: no free key was given, and nothing was changed", registry.ErrRefused)
}

// showChanges prints the changes as diffs, and what is to be done by hand; it says
// how many files change.
func (a *app) showChanges(h setup.Host, changes []setup.Change, remove bool) (files int) {
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(a.out, format+"\n", args...) }
	for _, c := range changes {
		if c.ByHand != "" {
			p("%s", maskText(c.Why)+". "+map[bool]string{false: "Add this by hand:", true: "Take this out by hand:"}[remove])
			for line := range strings.Lines(c.ByHand) {
				p("    %s", maskText(strings.TrimRight(line, "\r\n")))
			}
		}
		if c.None() || len(c.What) == 0 {
			continue
		}
		files++
		name := maskText(c.File.Path)
		if c.File.Real != c.File.Path {
			name += " (a link to " + maskText(c.File.Real) + ")"
		}
		p("%s: %s", name, strings.Join(c.What, ", "))
		for _, line := range diffLines(c.File.Text, c.After) {
			p("%s", line)
		}
		p("")
	}
	if files == 0 && !byHand(changes) {
		p("%s", map[bool]string{false: h.Title() + " is set up already.", true: "Nothing of Offstage is set up in " + h.Title() + "."}[remove])
	}
	return files
}

func byHand(changes []setup.Change) bool {
	for _, c := range changes {
		if c.ByHand != "" {
			return true
		}
	}
	return false
}

// tellLive lets a host that runs take the change up, if the person wants that.
func (a *app) tellLive(h setup.Host, e setup.Env, remove bool, todo int, ask *asking) error {
	l, ok := h.(setup.Live)
	if !ok || todo == 0 || !l.Running(e) {
		return nil
	}
	if err := ask.want("Do the same in the " + h.Title() + " that is running now"); err != nil {
		_, _ = fmt.Fprintf(a.errw, "The %s that is running now stays as it is until it reads its configuration again.\n", h.Title())
		return nil
	}
	if remove {
		return l.Untell(e)
	}
	return l.Tell(e)
}

// setupDone says how it ended: what is left to do by hand is a failure.
func (a *app) setupDone(h setup.Host, e setup.Env, dir string, changes []setup.Change, remove bool, todo int) error {
	if byHand(changes) {
		return fmt.Errorf("%s is not set up fully: do by hand what is shown above", h.Title())
	}
	if remove {
		if err := setup.Forget(dir, h.Name()); err != nil {
			return err
		}
		if todo > 0 {
			_, _ = fmt.Fprintf(a.out, "%s is as it was without Offstage. Copies of the files are in %s.\n", h.Title(), maskText(dir))
		}
		return nil
	}
	if after := h.After(e); todo > 0 && after != "" {
		_, _ = fmt.Fprintln(a.out, after)
	}
	return nil
}

// asker runs a host's program for a question, for no longer than askPatience.
func asker(ctx context.Context) func(string, ...string) (string, error) {
	return func(name string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, askPatience)
		defer cancel()
		out, err := exec.CommandContext(ctx, name, args...).Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(exit.Stderr) > 0 {
			return string(out), fmt.Errorf("%s: %s", name, strings.TrimSpace(string(exit.Stderr)))
		}
		return string(out), err
	}
}

// asking puts questions on a terminal.
type asking struct {
	a   *app
	yes bool
	in  *bufio.Reader
}

func (q *asking) terminal() bool {
	f, ok := q.a.in.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

func (q *asking) line(words string) string {
	_, _ = fmt.Fprint(q.a.errw, words)
	text, _ := q.in.ReadString('\n')
	return strings.TrimSpace(text)
}

// want asks for a y; without a terminal only --yes is one.
func (q *asking) want(what string) error {
	if q.yes {
		return nil
	}
	if !q.terminal() {
		return fmt.Errorf("%w: this asks first, and there is no terminal to ask on; give --yes to do it, or --print to only see it", registry.ErrRefused)
	}
	if answer := strings.ToLower(q.line(what + "? Type y: ")); answer != "y" && answer != "yes" {
		return fmt.Errorf("%w: nothing was changed", registry.ErrRefused)
	}
	return nil
}
