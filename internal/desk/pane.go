package desk

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// GoToPane shows the terminal pane of an agent: "tmux:SESSION:@WINDOW.%PANE", as
// agents record it. It asks the tmux that this program runs in, and goes only
// where that tmux knows the very window and pane: ids of another server name
// other panes.
func GoToPane(ctx context.Context, pane string, getenv func(string) string) error {
	where, ok := strings.CutPrefix(pane, "tmux:")
	if !ok {
		return errors.New("this agent's terminal is not known")
	}
	if getenv("TMUX") == "" {
		return errors.New("the agent runs in tmux, and this program does not")
	}
	ids := where[strings.LastIndexByte(where, ':')+1:]
	window, id, ok := strings.Cut(ids, ".")
	if !ok || !numbered(window, '@') || !numbered(id, '%') {
		return errors.New("the agent's record of its pane cannot be read")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := tmux(ctx, "display-message", "-p", "-t", id, "#{window_id}.#{pane_id}")
	if err != nil || strings.TrimSpace(out) != ids {
		return errors.New("this tmux has no such pane: the agent runs in another one")
	}
	for _, args := range [][]string{{"select-window", "-t", window}, {"select-pane", "-t", id}} {
		if _, err := tmux(ctx, args...); err != nil {
			return fmt.Errorf("go to the agent's pane: %w", err)
		}
	}
	// Only an agent in another session of this tmux needs the client itself moved;
	// with no client attached there is none to move.
	_, _ = tmux(ctx, "switch-client", "-t", id)
	return nil
}

// numbered says whether s is the mark and digits.
func numbered(s string, mark byte) bool {
	return len(s) > 1 && s[0] == mark && strings.Trim(s[1:], "0123456789") == ""
}

func tmux(ctx context.Context, args ...string) (string, error) {
	path, err := exec.LookPath("tmux")
	if err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, path, args...)
	c.WaitDelay = time.Second
	out, err := c.Output()
	return string(out), err
}
