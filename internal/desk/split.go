package desk

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Side is where a new pane goes.
type Side string

// The sides; Beside lets the terminal's width decide between Right and Below.
const (
	Beside Side = ""
	Right  Side = "right"
	Below  Side = "below"
	Tab    Side = "tab"
)

// Split is a pane to open with a program in it.
type Split struct {
	// Argv is the program and its arguments, never a line for a shell.
	Argv []string
	// Dir is its working folder; "" is that of the pane it is opened beside.
	Dir  string
	Side Side
	// Pane is the tmux pane to open it beside ("%3"); "" is the one around.
	Pane string
	// Toggle closes one that is open there instead of going to it.
	Toggle bool
}

// ErrNoSplit: this terminal cannot be told to open a pane.
var ErrNoSplit = errors.New("this terminal cannot be told to open a split: tmux, zellij, WezTerm, kitty, iTerm2 and Windows Terminal can")

// opener is a way to open a pane.
type terminal struct {
	name string
	here func(getenv func(string) string) bool
	open func(ctx context.Context, s Split, getenv func(string) string) (string, error)
}

// terminals are asked in this order: a multiplexer is nearer than the terminal
// around it.
var terminals = []terminal{
	{"tmux", func(g func(string) string) bool { return g("TMUX") != "" }, splitTmux},
	{"zellij", func(g func(string) string) bool { return g("ZELLIJ") != "" }, splitZellij},
	{"WezTerm", func(g func(string) string) bool { return g("WEZTERM_PANE") != "" }, run1(weztermArgs)},
	{"kitty", func(g func(string) string) bool { return g("KITTY_WINDOW_ID") != "" && g("KITTY_LISTEN_ON") != "" }, splitKitty},
	{"iTerm2", func(g func(string) string) bool { return runtime.GOOS == "darwin" && g("TERM_PROGRAM") == "iTerm.app" }, run1(itermArgs)},
	{"Windows Terminal", func(g func(string) string) bool { return g("WT_SESSION") != "" }, run1(windowsArgs)},
}

// OpenSplit opens a pane with a program beside the one that this runs in, or goes
// to the one that is open there. It says what it did ("opened in tmux", "closed",
// "went to it"). ErrNoSplit where no terminal can be told.
func OpenSplit(ctx context.Context, s Split, getenv func(string) string) (string, error) {
	if s.Pane != "" {
		return splitTmux(ctx, s, getenv)
	}
	for _, t := range terminals {
		if t.here(getenv) {
			return t.open(ctx, s, getenv)
		}
	}
	return "", ErrNoSplit
}

// run1 opens with one command.
func run1(args func(Split) []string) func(context.Context, Split, func(string) string) (string, error) {
	return func(ctx context.Context, s Split, _ func(string) string) (string, error) {
		argv := args(s)
		return "opened", do(ctx, argv...)
	}
}

func do(ctx context.Context, argv ...string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("open a split: there is no program %s in PATH", argv[0])
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, path, argv[1:]...)
	c.WaitDelay = time.Second
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("open a split by %s: %w: %s", filepath.Base(argv[0]), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// splitZellij opens a pane; its command line starts no program in a new tab.
func splitZellij(ctx context.Context, s Split, getenv func(string) string) (string, error) {
	if s.Side == Tab {
		return "", errors.New("zellij starts no program in a tab of its own from outside: leave --tab out, or press Ctrl+t n and type offstage")
	}
	return run1(zellijArgs)(ctx, s, getenv)
}

func zellijArgs(s Split) []string {
	side := "right"
	if s.Side == Below {
		side = "down"
	}
	argv := []string{"zellij", "action", "new-pane", "--direction", side, "--close-on-exit", "--name", "offstage"}
	if s.Dir != "" {
		argv = append(argv, "--cwd", s.Dir)
	}
	return append(append(argv, "--"), s.Argv...)
}

func weztermArgs(s Split) []string {
	argv := []string{"wezterm", "cli", "split-pane", "--percent", "45"}
	switch s.Side {
	case Tab:
		argv = []string{"wezterm", "cli", "spawn"}
	case Below:
		argv = append(argv, "--bottom")
	default:
		argv = append(argv, "--right")
	}
	if s.Dir != "" {
		argv = append(argv, "--cwd", s.Dir)
	}
	return append(append(argv, "--"), s.Argv...)
}

// kittyMark is how a window of ours is known to kitty.
const kittyMark = "offstage=panel"

// splitKitty goes to a window of ours, else opens one; both are told by kitty's
// own remote control, which the person has switched on.
func splitKitty(ctx context.Context, s Split, _ func(string) string) (string, error) {
	verb, word := "focus-window", "went to it"
	if s.Toggle {
		verb, word = "close-window", "closed"
	}
	if do(ctx, "kitten", "@", verb, "--match", "var:"+kittyMark) == nil {
		return word, nil
	}
	return "opened", do(ctx, kittyArgs(s)...)
}

func kittyArgs(s Split) []string {
	where := map[Side]string{Below: "--location=hsplit", Tab: "--type=tab"}[s.Side]
	if where == "" {
		where = "--location=vsplit"
	}
	argv := []string{"kitten", "@", "launch", where, "--var", kittyMark, "--title", "offstage"}
	if s.Dir != "" {
		argv = append(argv, "--cwd", s.Dir)
	}
	return append(argv, s.Argv...)
}

// itermArgs hand the words to the script as arguments; iTerm2 wants one line, so
// the script quotes each word.
func itermArgs(s Split) []string {
	what := "split vertically with same profile command line1"
	switch s.Side {
	case Below:
		what = "split horizontally with same profile command line1"
	case Tab:
		what = ""
	}
	body := "tell current session of current window to " + what
	if what == "" {
		body = "tell current window to create tab with default profile command line1"
	}
	lines := []string{"on run argv", `set line1 to ""`, "repeat with w in argv", `set line1 to line1 & quoted form of (w as text) & " "`, "end repeat", `tell application "iTerm2"`, body, "end tell", "end run"}
	argv := []string{"osascript"}
	for _, l := range lines {
		argv = append(argv, "-e", l)
	}
	return append(argv, s.Argv...)
}

func windowsArgs(s Split) []string {
	argv := []string{"wt", "-w", "0"}
	switch s.Side {
	case Tab:
		argv = append(argv, "new-tab")
	case Below:
		argv = append(argv, "split-pane", "-H")
	default:
		argv = append(argv, "split-pane", "-V")
	}
	if s.Dir != "" {
		argv = append(argv, "-d", s.Dir)
	}
	return append(append(argv, "--"), s.Argv...)
}
