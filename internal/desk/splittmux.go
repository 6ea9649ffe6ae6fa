package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// tmuxMark is the option by which a pane of ours is known (tmux 3.0 on).
const tmuxMark = "@offstage_panel"

// besideFrom is the width in columns from which a pane goes to the right: the half
// of it is room for a panel of 60 columns.
const besideFrom = 120

// Pane is what tmux says of one of its panes.
type Pane struct {
	ID, Dir string
	// PID of the first process in it; Width in columns.
	PID, Width int
}

// TmuxPane asks tmux for a pane; "" is the one around.
func TmuxPane(ctx context.Context, id string, getenv func(string) string) (Pane, error) {
	if id == "" {
		id = getenv("TMUX_PANE")
	}
	if !numbered(id, '%') {
		return Pane{}, fmt.Errorf("%q names no pane of tmux: it looks like %%3", id)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := tmux(ctx, "display-message", "-p", "-t", id, "#{pane_id}\t#{pane_pid}\t#{window_width}\t#{pane_current_path}")
	f := strings.SplitN(strings.TrimSuffix(out, "\n"), "\t", 4)
	if err != nil || len(f) != 4 || f[0] != id {
		return Pane{}, fmt.Errorf("this tmux has no pane %s", id)
	}
	p := Pane{ID: id, Dir: f[3]}
	p.PID, _ = strconv.Atoi(f[1])
	p.Width, _ = strconv.Atoi(f[2])
	return p, nil
}

// splitTmux opens a pane in the window of a pane, or goes to ours in that window,
// or closes it.
func splitTmux(ctx context.Context, s Split, getenv func(string) string) (string, error) {
	p, err := TmuxPane(ctx, s.Pane, getenv)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if id := ours(ctx, p.ID); id != "" {
		if s.Toggle {
			_, err := tmux(ctx, "kill-pane", "-t", id)
			return "closed", err
		}
		_, err := tmux(ctx, "select-pane", "-t", id)
		return "went to it", err
	}
	if s.Dir == "" {
		s.Dir = p.Dir
	}
	out, err := tmux(ctx, tmuxArgs(s, p)...)
	id := strings.TrimSpace(out)
	if err != nil || !numbered(id, '%') {
		return "", errors.New("tmux could not open a pane: there may be no room for one")
	}
	// The mark makes the next press find it; without it the panel is as good.
	_, _ = tmux(ctx, "set-option", "-p", "-t", id, tmuxMark, "1")
	return "opened", nil
}

// ours is the pane of a panel in the window of pane id, "" for none.
func ours(ctx context.Context, id string) string {
	out, err := tmux(ctx, "list-panes", "-t", id, "-F", "#{pane_id} #{"+tmuxMark+"}")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(out) {
		if pane, mark, ok := strings.Cut(strings.TrimSpace(line), " "); ok && mark == "1" && numbered(pane, '%') {
			return pane
		}
	}
	return ""
}

// tmuxArgs make the pane. Several words are started without a shell.
func tmuxArgs(s Split, p Pane) []string {
	argv := []string{"split-window", "-h", "-l", "45%"}
	switch {
	case s.Side == Tab:
		argv = []string{"new-window", "-n", "offstage"}
	case s.Side == Below, s.Side == Beside && p.Width < besideFrom:
		argv = []string{"split-window", "-v", "-l", "45%"}
	}
	argv = append(argv, "-t", p.ID, "-c", s.Dir, "-P", "-F", "#{pane_id}", "--")
	return append(argv, s.Argv...)
}
