package registry

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
	"offstage/testparse"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newWorld(t *testing.T) *world.World {
	t.Helper()
	w, err := world.New(world.Options{Getenv: func(k string) string {
		if k == "HOME" {
			return t.TempDir()
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func ids(tasks []task.Task) string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.Native)
	}
	return strings.Join(out, " ")
}

// TestKeep: which rows of ended tasks stay how long (A5).
func TestKeep(t *testing.T) {
	ended := func(id string, k task.Kind, s task.Status, ago time.Duration) task.Task {
		return task.Task{ID: "x:" + id, Native: id, Kind: k, Status: s, Session: "s", Ended: noon.Add(-ago), Started: noon.Add(-ago - time.Minute)}
	}
	seen := ended("seenfail", task.Shell, task.Failed, 2*time.Hour)
	seen.Seen = true
	hidden := ended("hidden", task.Shell, task.Succeeded, time.Minute)
	hidden.Hidden = true
	fore := task.Task{ID: "x:fore", Native: "fore", Kind: task.Shell, Status: task.Running, Foreground: true}
	list := []task.Task{
		{ID: "x:run", Native: "run", Kind: task.Shell, Status: task.Running, Started: noon},
		{ID: "x:queue", Native: "queue", Kind: task.Shell, Status: task.Queued, Started: noon.Add(time.Second)},
		ended("fresh", task.Shell, task.Succeeded, time.Minute),
		ended("monitor", task.Monitor, task.Cancelled, 59*time.Minute),
		ended("old", task.Shell, task.Succeeded, 61*time.Minute),
		ended("oldfail", task.Shell, task.Failed, 2*time.Hour),
		ended("dayfail", task.Shell, task.Failed, 24*time.Hour+50*time.Minute),
		ended("ancientfail", task.Shell, task.TimedOut, 26*time.Hour),
		ended("agent", task.Agent, task.Succeeded, time.Second),
		ended("ahead", task.Shell, task.Succeeded, -48*time.Hour), // a wrong clock: it would stay on top for days
		seen, hidden, fore,
	}
	k := Keep{For: time.Hour, Max: 20}
	if got, want := ids(k.apply(list, noon)), "run queue fresh monitor oldfail dayfail"; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
	k.Ended = true
	if got := k.apply(list, noon); len(got) != len(list)-2 {
		t.Errorf("H shows %d rows, want all %d but the hidden and the foreground one", len(got), len(list)-2)
	}
	k = Keep{For: time.Hour, Max: 2}
	var many []task.Task
	for i := range 5 {
		many = append(many, ended(string(rune('a'+i)), task.Shell, task.Succeeded, time.Duration(i)*time.Minute))
	}
	other := ended("other", task.Shell, task.Succeeded, 50*time.Minute)
	other.Session = "s2"
	if got, want := ids(k.apply(append(many, other), noon)), "a b other"; got != want {
		t.Errorf("at most two a session, oldest out first: %q, want %q", got, want)
	}
}

// TestFind: what a person may call a task (spec 5).
func TestFind(t *testing.T) {
	snap := task.Snapshot{Tasks: []task.Task{
		{ID: "claude:b7k2p0wnd", Native: "b7k2p0wnd", Title: "Start dev server", Ports: []int{5173}},
		{ID: "claude:b7zzzzzzz", Native: "b7zzzzzzz", Title: "Run the tests"},
		{ID: "codex:call_1", Native: "call_1", Title: "Run the linter"},
	}}
	for ref, want := range map[string]string{
		"claude:b7k2p0wnd": "b7k2p0wnd", "b7k2p0wnd": "b7k2p0wnd", "b7k": "b7k2p0wnd", ":5173": "b7k2p0wnd",
		"dev SERVER": "b7k2p0wnd", "linter": "call_1", "codex": "call_1",
	} {
		if got, err := Find(snap, ref); err != nil || got.Native != want {
			t.Errorf("%q: %q %v, want %q", ref, got.Native, err, want)
		}
	}
	for _, ref := range []string{"b7", "Run the", "claude"} {
		var amb *AmbiguousError
		if _, err := Find(snap, ref); !errors.As(err, &amb) || len(amb.Candidates) != 2 {
			t.Errorf("%q: %v, want two candidates", ref, err)
		}
	}
	for _, ref := range []string{"", "nothing", ":9999", "claude:b7k2p0wndx"} {
		if _, err := Find(snap, ref); !errors.Is(err, ErrNoTask) {
			t.Errorf("%q: %v, want ErrNoTask", ref, err)
		}
	}
}

// TestStopWins: what was stopped from here is cancelled, whatever its agent
// writes afterwards; an end long after an unproven stop is the task's own (K7).
func TestStopWins(t *testing.T) {
	at := noon
	for _, c := range []struct {
		name   string
		status task.Status
		after  time.Duration
		proven bool
		want   task.Status
	}{
		{"the agent reports a failure", task.Failed, time.Second, true, task.Cancelled},
		{"a server that handles the signal", task.Succeeded, time.Second, true, task.Cancelled},
		{"nobody knows", task.Lost, time.Second, true, task.Cancelled},
		{"still running", task.Running, 0, false, task.Running},
		{"proven, its source has not looked yet", task.Running, 0, true, task.Cancelled},
		{"unproven, ends soon", task.Failed, 20 * time.Second, false, task.Cancelled},
		{"unproven, ends much later by itself", task.Failed, time.Hour, false, task.Failed},
	} {
		in := task.Task{ID: "a:b", Run: 1, Status: c.status}
		if c.status.Ended() {
			in.Ended = at.Add(c.after)
		}
		got := foldStop(in, store.StopIntent{Task: "a:b", Run: 1, At: at, Proven: c.proven})
		if got.Status != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Status, c.want)
		}
	}
	gone := task.Task{ID: "a:b", Run: 1, Status: task.Lost, Started: at.Add(-time.Minute), Ended: at.Add(-time.Minute)}
	if got := foldStop(gone, store.StopIntent{Task: "a:b", Run: 1, At: at, Proven: true}); !got.Ended.Equal(at) {
		t.Errorf("nobody saw its end but the stop: ended at %v, want %v", got.Ended, at)
	}
	alive := task.Task{ID: "a:b", Run: 1, Status: task.Running, StatusSource: task.SeenProcesses}
	if got := foldStop(alive, store.StopIntent{Task: "a:b", Run: 1, At: at, Proven: true}); got.Status != task.Running {
		t.Error("a process that lives after the proof is not believed")
	}
	if got := foldStop(task.Task{Status: task.Failed}, store.StopIntent{}); got.Status != task.Failed {
		t.Error("a failure without a stop became one")
	}
}

// TestMayStartAgain: the row says so where the agent lives and cannot be told
// that a stop was meant, and nowhere else (A6).
func TestMayStartAgain(t *testing.T) {
	here := task.Task{Source: "claude", Session: "claude:s", Status: task.Cancelled, StatusSource: stoppedHere}
	by := func(f func(*task.Task)) task.Task { x := here; f(&x); return x }
	live := []task.Session{{ID: "claude:s", State: task.Idle}}
	for _, c := range []struct {
		name     string
		t        task.Task
		sessions []task.Session
		hooked   bool
		warns    bool
	}{
		{"stopped here", here, live, false, true}, {"stopped here, its agent has our hook", here, live, true, false},
		{"stopped by the agent", by(func(x *task.Task) { x.StatusSource = "notification" }), live, false, false},
		{"ended by itself", by(func(x *task.Task) { x.Status = task.Failed }), live, false, false},
		{"no agent's task", by(func(x *task.Task) { x.Source = "files" }), live, false, false},
		{"the agent is gone", here, []task.Session{{ID: "claude:s", State: task.EndedSession, AgentGone: true}}, false, false},
	} {
		if got := foldAgain(c.t, c.sessions, c.hooked); (got.Warning != "") != c.warns {
			t.Errorf("%s: warning %q", c.name, got.Warning)
		}
	}
}

// TestWaiting: a question is said only of an output that stands still (D4, S1).
func TestWaiting(t *testing.T) {
	run := task.Task{Status: task.Running, Kind: task.Shell}
	f := task.Facts{LastLine: "Overwrite? (y/n) ", OpenLine: true, Size: 10, LastWrite: noon.Add(-time.Minute)}
	if !waits(run, f, noon) {
		t.Error("a prompt that stands for a minute is not seen")
	}
	growing := f
	growing.LastWrite = noon.Add(-10 * time.Second)
	log := f
	log.LastLine, log.OpenLine = "listening on 3000", false
	over := run
	over.Status = task.Failed
	for name, got := range map[string]bool{"growing": waits(run, growing, noon), "a log line": waits(run, log, noon), "ended": waits(over, f, noon)} {
		if got {
			t.Errorf("%s: taken for waiting", name)
		}
	}
}

// TestScope: a project is its repository with all worktrees, and below; what
// runs elsewhere is counted (spec 5, A2).
func TestScope(t *testing.T) {
	w := newWorld(t)
	base := t.TempDir()
	main, linked, nested := filepath.Join(base, "app"), filepath.Join(base, "app-fix"), filepath.Join(base, "app", "web")
	for _, d := range []string{nested, filepath.Join(main, ".git", "worktrees", "fix"), linked, filepath.Join(base, "application")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(main, ".git", "worktrees", "fix", "gitdir"), filepath.Join(linked, ".git")+"\n")
	write(filepath.Join(main, ".git", "worktrees", "fix", "commondir"), "../..\n")
	write(filepath.Join(linked, ".git"), "gitdir: "+filepath.Join(main, ".git", "worktrees", "fix")+"\n")
	for _, from := range []string{main, nested, linked} {
		s := ProjectScope(w, from)
		for dir, want := range map[string]bool{main: true, nested: true, linked: true, base: false, filepath.Join(base, "application"): false} {
			if s.in(dir) != want {
				t.Errorf("project of %s: %s in it: %v", filepath.Base(from), dir, !want)
			}
		}
	}
	snap := ProjectScope(w, main).Apply(task.Snapshot{
		Sessions: []task.Session{{ID: "c:1", Cwd: nested}, {ID: "c:2", Cwd: base}},
		Tasks: []task.Task{
			{ID: "t:1", Native: "1", Session: "c:1", Status: task.Running},
			{ID: "t:2", Native: "2", Session: "c:2", Status: task.Running},
			{ID: "t:3", Native: "3", Session: "c:2", Status: task.Running, Cwd: linked},
			{ID: "t:4", Native: "4", Session: "c:2", Status: task.Failed},
		},
	})
	if got := ids(snap.Tasks); got != "1 3" || snap.Elsewhere != 1 {
		t.Errorf("tasks %q, %d elsewhere; want 1 3 and 1", got, snap.Elsewhere)
	}
}

// planted is a secret of a known form, made at run time so that none stands in
// this file.
func planted() string { return "ghp_" + strings.Repeat("Zk3R", 9) }

// TestEverywhereTurnsRound: a panel that began with every project has one of its
// own to turn to (A2, spec 5 -A).
func TestEverywhereTurnsRound(t *testing.T) {
	here, there := one1("here", task.Running), one1("there", task.Running)
	here.Cwd, there.Cwd = "/srv/app", "/srv/other"
	src := &script{snap: task.Snapshot{Tasks: []task.Task{here, there}}}
	r := New(Options{World: newWorld(t), Scope: Scope{Dirs: []string{"/srv/app"}}, Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
	defer func() { _ = r.Close() }()
	for _, c := range []struct {
		everywhere bool
		want       string
		elsewhere  int
	}{{true, "here there", 0}, {false, "here", 1}, {true, "here there", 0}} {
		r.Everywhere(c.everywhere)
		snap, err := r.Scan(context.Background(), 0)
		if err != nil || ids(snap.Tasks) != c.want || snap.Elsewhere != c.elsewhere {
			t.Errorf("everywhere %v: %q and %d elsewhere, want %q and %d (%v)", c.everywhere, ids(snap.Tasks), snap.Elsewhere, c.want, c.elsewhere, err)
		}
	}
}

// TestNothingLeaves: a secret in any place that a task or session has is in no
// snapshot, and so in no face (C9).
func TestNothingLeaves(t *testing.T) {
	s := planted()
	in := "use " + s + " now"
	raw := task.Snapshot{
		Sessions: []task.Session{{ID: "c:1", Title: in, Cwd: "/x/" + s, Branch: s, WaitingFor: in, Trouble: in, State: task.Idle,
			Plan:  task.Plan{Entries: []task.Entry{{ID: "1", Subject: in, Description: in, ActiveForm: in, Owner: s}}},
			Cards: []task.Card{{Title: in, Text: in}}}},
		Tasks: []task.Task{{ID: "c:a", Native: "a", Session: "c:1", Kind: task.Shell, Status: task.Running, Title: in, Command: "curl -H 'x: " + s + "'",
			Activity: in, Summary: in, Result: in, Warning: in, Trouble: in, WaitingLine: in, URLs: []string{"http://localhost:1/?token=" + s},
			Cwd: "/x/" + s, Can: task.Can{WhyNot: in}, Output: task.OutputRef{Recorded: "/tmp/" + s}}},
		Troubles: []task.Trouble{{Text: in}},
	}
	r := New(Options{World: newWorld(t), Keep: Keep{For: time.Hour, Max: 20}})
	defer func() { _ = r.Close() }()
	snap := r.fold(raw)
	var out []any
	for _, x := range snap.Tasks {
		out = append(out, x, task.ToWire(x, noon), task.Sentence(x, noon), task.QuietChip(x, noon, time.Minute))
	}
	for _, x := range snap.Sessions {
		out = append(out, x, task.SessionToWire(x, snap.Tasks))
	}
	b, err := json.Marshal(append(out, snap.Troubles))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), s[:12]) {
		i := strings.Index(string(b), s[:12])
		t.Errorf("the secret left, near %q", string(b)[max(0, i-60):i])
	}
	if !strings.Contains(string(b), "[redacted]") {
		t.Error("nothing was hidden: the test looks at the wrong place")
	}
	for _, p := range r.members(task.Task{}, nil) {
		t.Error(p)
	}
}

// TestControls: no control or direction character of a task is in a snapshot,
// whatever face paints it (B7).
func TestControls(t *testing.T) {
	var m masker
	for in, want := range map[string]string{"a\x1b[31mb": "a[31mb", "t\u202eitle": "title", "bell\a": "bell", "c1\u009b": "c1", "fine – ü 日本": "fine – ü 日本"} {
		if got := m.task(task.Task{Title: in}, nil).Title; strings.ContainsAny(got, "\x1b\a\u009b\u202e") || !strings.Contains(got, strings.Trim(want, "[31m")[:1]) {
			t.Errorf("%q became %q", in, got)
		}
	}
}

// TestChips: counts of a log become the task's, and the activity line is its
// last line (A4, F2).
func TestFoldFacts(t *testing.T) {
	got := foldFacts(task.Task{Output: task.OutputRef{Bytes: 1}}, task.Facts{Size: 9, LastLine: "done", LastWrite: noon,
		Tests: &task.Tests{Runs: []testparse.Run{{Runner: "jest"}}}, URLs: []string{"http://localhost:1"}})
	if got.Output.Bytes != 9 || got.Activity != "done" || got.Tests == nil || !slices.Equal(got.URLs, []string{"http://localhost:1"}) {
		t.Errorf("%+v", got)
	}
	if got := foldFacts(task.Task{Activity: "▸ Bash npm test"}, task.Facts{LastLine: "x"}); got.Activity != "▸ Bash npm test" {
		t.Errorf("the agent's own activity was replaced by %q", got.Activity)
	}
}

// K7: what an agent said after a stop from here is no failure's reply, whatever the
// agent wrote; the source's own snapshot stays as it is.
func TestCardsOfWhatWasStopped(t *testing.T) {
	in := []task.Session{{ID: "claude:s", Cards: []task.Card{{Task: "claude:b1", Failed: true}, {Task: "claude:b2", Failed: true}}}}
	out := unfailed(in, []task.Task{{ID: "claude:b1", Status: task.Cancelled, StatusSource: stoppedHere}, {ID: "claude:b2", Status: task.Failed}})
	if out[0].Cards[0].Failed || !out[0].Cards[1].Failed || !in[0].Cards[0].Failed {
		t.Errorf("%+v from %+v", out[0].Cards, in[0].Cards)
	}
}
