package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"time"

	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/task"
)

const (
	// pillTick is how often a followed pill is thought over without any news: quiet
	// comes with time, and so does a reader that has gone.
	pillTick = 2 * time.Second
	// saidAgain is when tmux is told a line once more: it draws what a program prints
	// at most once a second, and a second line within that only with its next
	// interval (measured with 3.3a).
	saidAgain = 1100 * time.Millisecond
	// wrapLimit is how long the command in a status line may take (C1).
	wrapLimit = 2 * time.Second
)

// followPill prints the pill at each change until nobody reads it.
func (a *app) followPill(ctx context.Context, f pillFlags, scope registry.Scope) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return err
	}
	defer done()
	r.Begin()
	snaps := make(chan task.Snapshot, 1)
	go func() {
		defer cancel()
		for rev := uint64(0); ; {
			snap, err := r.Next(ctx, rev)
			if err != nil {
				return
			}
			rev = snap.Rev
			select {
			case snaps <- snap:
			case <-ctx.Done():
				return
			}
		}
	}()
	return a.printPills(ctx, f, scope, snaps)
}

func (a *app) printPills(ctx context.Context, f pillFlags, scope registry.Scope, snaps <-chan task.Snapshot) error {
	do := a.settings.PillKey
	if f.format == "tmux" && do == "" {
		do = desk.PanelKey(ctx, a.getenv)
	}
	tick := time.NewTicker(pillTick)
	defer tick.Stop()
	again := time.NewTimer(time.Hour)
	defer again.Stop()
	var snap task.Snapshot
	last, told := task.Pill{}, false
	for {
		select {
		case <-ctx.Done():
			return nil
		case snap = <-snaps:
		case <-again.C:
			if a.printPill(f.format, last, do) != nil {
				return nil
			}
			continue
		case <-tick.C:
			if out, ok := a.out.(*os.File); ok && desk.ReaderGone(out) {
				return nil
			}
		}
		if snap.Rev == 0 {
			continue
		}
		p := task.PillOf(scope.Apply(snap), a.w.Now(), a.pillRules(false))
		if told && p.Text(false, do) == last.Text(false, do) && p.Attention == last.Attention {
			continue
		}
		last, told = p, true
		if a.printPill(f.format, p, do) != nil {
			return nil // its reader has gone: that is its end
		}
		if f.format == "tmux" {
			again.Reset(saidAgain)
		}
	}
}

// statusLine is the pill in an agent's own status line: its session is in the
// input, and the command that stood there before comes first (C1, W5).
func (a *app) statusLine(ctx context.Context, f pillFlags, scope registry.Scope) error {
	var raw []byte
	if !isTerminal(a.in) {
		raw, _ = readEvent(a.in)
	}
	own := false
	if f.session == "" && f.project == "" {
		var in struct {
			Session string `json:"session_id"`
		}
		if json.Unmarshal(raw, &in) == nil && in.Session != "" {
			scope, own = registry.Scope{Session: in.Session}, true
		}
	}
	old := make(chan string, 1)
	go func() { old <- wrapped(ctx, f.wrap, raw) }()
	p, err := a.glance(ctx, scope, a.pillRules(own))
	line := ""
	if err == nil {
		line = a.pillLine("statusline", p, a.settings.PillKey)
	}
	before := <-old
	if before != "" && line != "" {
		before += "  "
	}
	_, err = a.out.Write([]byte(before + line + "\n"))
	return err
}

// wrapped is what the old status line prints; nothing where it fails or takes too
// long. It is a line for a shell, as the agent itself runs it.
func wrapped(ctx context.Context, command string, input []byte) string {
	if command == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, wrapLimit)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Stdin = bytes.NewReader(input)
	c.WaitDelay = 100 * time.Millisecond
	var out limited
	c.Stdout = &out
	if c.Run() != nil {
		return ""
	}
	return strings.TrimRight(string(out.kept), "\r\n")
}

// limited keeps the first 64 KiB of what is written.
type limited struct{ kept []byte }

func (l *limited) Write(p []byte) (int, error) {
	if room := 64<<10 - len(l.kept); room > 0 {
		l.kept = append(l.kept, p[:min(room, len(p))]...)
	}
	return len(p), nil
}
