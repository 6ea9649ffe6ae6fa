package desk

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// The commands that open a pane, for each terminal and side (spec 5, open). The
// words of the program stay words.
func TestSplitCommands(t *testing.T) {
	s := func(side Side) Split {
		return Split{Argv: []string{"/bin/offstage", "--session", "x y"}, Dir: "/srv/my app", Side: side}
	}
	wide, narrow := Pane{ID: "%3", Width: 160}, Pane{ID: "%3", Width: 80}
	for _, c := range []struct {
		name string
		got  []string
		want string
	}{
		{"tmux, wide", tmuxArgs(s(Beside), wide), "split-window|-h|-l|45%|-t|%3|-c|/srv/my app|-P|-F|#{pane_id}|--|/bin/offstage|--session|x y"},
		{"tmux, narrow", tmuxArgs(s(Beside), narrow), "split-window|-v|-l|45%|"},
		{"tmux, right though narrow", tmuxArgs(s(Right), narrow), "split-window|-h|"},
		{"tmux, tab", tmuxArgs(s(Tab), wide), "new-window|-n|offstage|-t|%3|"},
		{"zellij", zellijArgs(s(Beside)), "zellij|action|new-pane|--direction|right|--close-on-exit|--name|offstage|--cwd|/srv/my app|--|/bin/offstage|--session|x y"},
		{"zellij, below", zellijArgs(s(Below)), "zellij|action|new-pane|--direction|down|"},
		{"WezTerm", weztermArgs(s(Right)), "wezterm|cli|split-pane|--percent|45|--right|--cwd|/srv/my app|--|/bin/offstage|"},
		{"WezTerm, tab", weztermArgs(s(Tab)), "wezterm|cli|spawn|--cwd|"},
		{"kitty", kittyArgs(s(Beside)), "kitten|@|launch|--location=vsplit|--var|offstage=panel|--title|offstage|--cwd|/srv/my app|/bin/offstage|--session|x y"},
		{"kitty, below", kittyArgs(s(Below)), "kitten|@|launch|--location=hsplit|"},
		{"Windows Terminal", windowsArgs(s(Below)), "wt|-w|0|split-pane|-H|-d|/srv/my app|--|/bin/offstage|"},
	} {
		if got := strings.Join(c.got, "|"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	// iTerm2 takes one line; the words reach the script as its arguments.
	if got := itermArgs(s(Right)); strings.Join(got[len(got)-3:], "|") != "/bin/offstage|--session|x y" || !strings.Contains(strings.Join(got, "\n"), "split vertically") {
		t.Errorf("iTerm2: %q", got)
	}
}

func TestNoSplit(t *testing.T) {
	if _, err := OpenSplit(context.Background(), Split{Argv: []string{"x"}}, vars()); !errors.Is(err, ErrNoSplit) {
		t.Errorf("a plain terminal: %v", err)
	}
	if _, err := TmuxPane(context.Background(), "%1; kill-server", vars()); err == nil {
		t.Error("a command was taken for a pane")
	}
}

// What a terminal cannot do is said, not done otherwise: zellij has no tab for it.
func TestZellijHasNoTabForIt(t *testing.T) {
	_, err := OpenSplit(t.Context(), Split{Side: Tab, Argv: []string{"offstage"}}, func(k string) string { return map[string]string{"ZELLIJ": "0"}[k] })
	if err == nil || !strings.Contains(err.Error(), "leave --tab out") {
		t.Errorf("%v", err)
	}
}
