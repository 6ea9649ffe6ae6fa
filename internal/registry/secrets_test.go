package registry

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/output"
	"offstage/internal/proc"
	"offstage/redact"
	"offstage/task"
)

// bare has no form of its own: alone it is known only by what its task told.
const bare = "Vq7rTm2xKp9d"

// lookAt is a registry over one running task and its output.
func lookAt(t *testing.T, text string, change func(*task.Task)) (*Registry, *script) {
	t.Helper()
	x := one1("a", task.Running)
	x.Output.Path = filepath.Join(t.TempDir(), "a.log")
	if err := os.WriteFile(x.Output.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Output.Bytes, x.Can.Read = int64(len(text)), true
	change(&x)
	src := &script{snap: task.Snapshot{Tasks: []task.Task{x}}}
	r := New(Options{World: newWorld(t), Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
	t.Cleanup(func() { _ = r.Close() })
	return r, src
}

// scanned is the snapshot as other programs read it.
func scanned(t *testing.T, r *Registry) string {
	t.Helper()
	snap, err := r.Scan(t.Context(), 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(snap)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func rowsOf(t *testing.T, out task.Output) string {
	t.Helper()
	p, err := out.Page(t.Context(), task.PageRequest{Tail: true, Before: 100})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range p.Lines {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// TestCommandTells: what the command line tells is hidden in every text of the
// task, in its output, and in the processes that a stop would end (D5, C9).
func TestCommandTells(t *testing.T) {
	r, _ := lookAt(t, "signed in with "+bare+"\n", func(x *task.Task) {
		x.Command = "API_TOKEN=" + bare + " npm run dev"
		x.Title, x.Summary, x.Cwd = "run with "+bare, "it used "+bare, "/srv/"+bare
	})
	if got := scanned(t, r); strings.Contains(got, bare[:7]) || strings.Count(got, redact.Mark) < 5 {
		t.Errorf("the snapshot: %s", got)
	}
	out, err := r.Open(t.Context(), "x:a")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if got := rowsOf(t, out); got != "signed in with [redacted]\n" {
		t.Errorf("the output: %q", got)
	}
	x, _ := byID(r.raw.Tasks, "x:a")
	if got := r.members(x, []proc.Member{{Command: "node server.js " + bare}})[0].Command; got != "node server.js [redacted]" {
		t.Errorf("a process: %q", got)
	}
	if got := r.step(x, "asking node "+bare+" to end"); strings.Contains(got, bare[:7]) {
		t.Errorf("a step: %q", got)
	}
}

// TestOutputTells: what the output told is hidden in what is said of the task from
// then on, and what was said is hidden in the output that a console has open (D5).
func TestOutputTells(t *testing.T) {
	other := "Zx8cVb7nMq1p"
	r, src := lookAt(t, "DB_PASSWORD="+bare+"\nthen "+other+"\n", func(x *task.Task) { x.Summary = "it used " + bare })
	scanned(t, r)
	out, err := r.Open(t.Context(), "x:a")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if got := rowsOf(t, out); !strings.Contains(got, other) {
		t.Fatalf("nothing told of it yet: %q", got)
	}
	if got := scanned(t, r); strings.Contains(got, bare[:7]) {
		t.Errorf("the snapshot: %s", got)
	}
	facts := out.Facts()
	src.set(func(s *task.Snapshot) { s.Tasks[0].Result = "the password: " + other })
	if got := scanned(t, r); strings.Contains(got, other[:7]) {
		t.Errorf("the snapshot: %s", got)
	}
	if now := out.Facts(); now.Masked == facts.Masked || now.Rev == facts.Rev {
		t.Error("the console is not told to ask again")
	}
	if got := rowsOf(t, out); strings.Contains(got, other[:7]) {
		t.Errorf("the output: %q", got)
	}
	src.set(func(s *task.Snapshot) {
		y := one1("b", task.Running)
		y.Title = "the word " + bare
		s.Tasks = append(s.Tasks, y)
	})
	if got := scanned(t, r); !strings.Contains(got, "the word "+bare) {
		t.Error("another task's value is hidden")
	}
	src.set(func(s *task.Snapshot) { s.Tasks = nil })
	scanned(t, r)
	if n := len(r.secrets.of); n != 0 {
		t.Errorf("%d tasks that are gone are remembered", n)
	}
}

// TestPatternsWhileRunning: a change of redact.patterns masks what is shown anew,
// the list, the places, an open output (spec 5).
func TestPatternsWhileRunning(t *testing.T) {
	t.Cleanup(func() { output.SetPatterns(nil) })
	const own = "acme_9f3k2m8x7q1w"
	r, src := lookAt(t, "badge "+own+"\n", func(x *task.Task) { x.Title = "read " + own })
	src.set(func(s *task.Snapshot) {
		s.Looked = []task.Place{{Source: "x", Path: "/srv/" + own}}
		s.Troubles = []task.Trouble{{Source: "x", Text: "It cannot read " + own + "."}}
	})
	snap, err := r.Next(t.Context(), 0)
	if err != nil || !strings.Contains(snap.Tasks[0].Title, own) {
		t.Fatalf("%v %+v", err, snap.Tasks)
	}
	out, err := r.Open(t.Context(), "x:a")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	rowsOf(t, out)
	ps, err := redact.ParsePatterns([]string{"acme_"})
	if err != nil {
		t.Fatal(err)
	}
	output.SetPatterns(ps)
	r.Remask()
	for end := time.Now().Add(10 * time.Second); ; {
		if snap, err = r.Next(t.Context(), snap.Rev); err != nil || time.Now().After(end) {
			t.Fatalf("%v, still %+v", err, snap)
		}
		b, _ := json.Marshal(snap)
		if !strings.Contains(string(b), own) {
			break
		}
	}
	if got := rowsOf(t, out); strings.Contains(got, own) {
		t.Errorf("the output: %q", got)
	}
}
