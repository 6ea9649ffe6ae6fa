package claude

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/task"

	"github.com/google/go-cmp/cmp"
)

// sameTime is how exact the recordings are.
const sameTime = 2 * time.Second

// odd are the two places where a recording's truth was taken from elsewhere
// than the client's own word; what stands here is the client's.
var odd = map[string]string{
	// The recording gives this session the state of the other window's file; its
	// own says "shell", and its server runs.
	"two-sessions/state": "background_only",
	// The recording took the start from the first byte of the file; a monitor
	// writes none before its first event, 3 s after the launch record.
	"monitor/b033zfziq/start": "2026-11-30T20:03:46.362Z",
}

// Every recording of the real client is read as it was: tasks, states, exit
// codes, starts, ends, outputs (A5, A7, L1–L3, K7), and nothing else is listed.
func TestRecordings(t *testing.T) {
	for _, name := range recordings(t) {
		for _, deep := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s deep=%v", name, deep), func(t *testing.T) {
				root, want := lay(t, name)
				s := recorded(t, root, want.Now, Options{Deep: deep})
				snap, err := s.Scan(context.Background())
				must(t, err)
				for i := 0; s.Pending() && i < 10; i++ {
					snap, err = s.Scan(context.Background())
					must(t, err)
				}
				if len(snap.Troubles) > 0 || s.Pending() {
					t.Errorf("troubles %v, pending %v", snap.Troubles, s.Pending())
				}
				checkTasks(t, name, want, snap)
				checkSession(t, name, want, snap)
			})
		}
	}
}

func checkTasks(t *testing.T, name string, want truth, snap task.Snapshot) {
	got := map[string]task.Task{}
	for _, x := range snap.Tasks {
		if got[x.Native].ID != "" {
			t.Errorf("%s is listed twice", x.ID)
		}
		got[x.Native] = x
	}
	for _, w := range want.Tasks {
		g, ok := got[w.ID]
		delete(got, w.ID)
		if w.Foreground {
			if ok && !g.Foreground {
				t.Errorf("%s is a foreground command", w.ID)
			}
			continue
		}
		if !ok {
			t.Errorf("%s is not listed", w.ID)
			continue
		}
		checkTask(t, name, g, w.Kind, w.Status, w.Title, w.ToolUseID, w.ExitCode)
		if w.Command != "" && g.Command != w.Command {
			t.Errorf("%s: command %q, want %q", w.ID, g.Command, w.Command)
		}
		if g.Output.Recorded != w.Output || (g.Kind != task.Workflow && g.Output.Path == "") {
			t.Errorf("%s: output %+v, want %s", w.ID, g.Output, w.Output)
		}
		if g.Session != "claude:"+w.Session {
			t.Errorf("%s: session %s, want %s", w.ID, g.Session, w.Session)
		}
		start := w.Start
		if o := odd[name+"/"+w.ID+"/start"]; o != "" {
			start, _ = time.Parse(time.RFC3339, o)
		}
		if d := g.Started.Sub(start).Abs(); d > sameTime {
			t.Errorf("%s: started %s, want %s", w.ID, g.Started, start)
		}
		if d := g.Ended.Sub(w.End).Abs(); d > sameTime {
			t.Errorf("%s: ended %s, want %s", w.ID, g.Ended, w.End)
		}
		if w.Notified != nil && g.Notified != *w.Notified {
			t.Errorf("%s: notified %v", w.ID, g.Notified)
		}
	}
	for id := range got {
		t.Errorf("%s is listed, but there is no such task", id)
	}
}

func checkTask(t *testing.T, name string, g task.Task, kind, status, title, call string, code *int) {
	t.Helper()
	if string(g.Kind) != kind || string(g.Status) != status || g.Title != title || g.ToolCall != call {
		t.Errorf("%s: %s %s %q %s, want %s %s %q %s", g.ID, g.Kind, g.Status, g.Title, g.ToolCall, kind, status, title, call)
	}
	// A stopped task has no code of its own, whatever an old client reported.
	if g.Status == task.Cancelled {
		code = nil
	}
	if d := cmp.Diff(code, g.ExitCode); d != "" {
		t.Errorf("%s: exit code %s", g.ID, d)
	}
	if g.StatusSource == "" || g.StatusAt.IsZero() {
		t.Errorf("%s: a status has a source and a time (K7): %q %s", g.ID, g.StatusSource, g.StatusAt)
	}
	if g.Can.Stop || (!g.Status.Ended() && g.Can.WhyNot == "") {
		t.Errorf("%s: nothing is stopped in a recording: %+v", g.ID, g.Can)
	}
	if want := map[string]int{"agent-again": 2}[name]; want != 0 && g.Run != want {
		t.Errorf("%s: run %d, want %d", g.ID, g.Run, want)
	}
}

func checkSession(t *testing.T, name string, want truth, snap task.Snapshot) {
	i := slices.IndexFunc(snap.Sessions, func(s task.Session) bool { return s.Native == want.Session.ID })
	if i < 0 {
		t.Fatalf("session %s is not listed", want.Session.ID)
	}
	s := snap.Sessions[i]
	state := want.Session.State
	if o := odd[name+"/state"]; o != "" {
		state = o
	}
	if ours := map[string]string{"turn": "running_turn", "dead": "ended"}[state]; ours != "" {
		state = ours
	}
	if string(s.State) != state || s.Cwd != want.Session.Cwd {
		t.Errorf("session: %s in %s, want %s in %s", s.State, s.Cwd, state, want.Session.Cwd)
	}
	if s.Unreported {
		t.Errorf("all work of the session is reported (G5)")
	}
	var entries []task.Entry
	for _, e := range want.Todo {
		st := task.EntryStatus(strings.ReplaceAll(e.Status, "_", ""))
		entries = append(entries, task.Entry{ID: e.ID, Subject: e.Subject, Status: st, ActiveForm: e.ActiveForm, Owner: e.Owner,
			Blocks: e.Blocks, BlockedBy: e.BlockedBy})
	}
	var have []task.Entry
	for _, e := range s.Plan.Entries {
		e.Description = ""
		have = append(have, e)
	}
	if d := cmp.Diff(entries, have, cmp.Comparer(func(a, b []string) bool { return slices.Equal(a, b) })); d != "" && len(entries) > 0 {
		t.Errorf("task list (T7): %s", d)
	}
}
