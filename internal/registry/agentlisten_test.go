package registry

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// teller is an agent that tells what a test has it tell.
type teller struct {
	before string

	mu        sync.Mutex
	listeners map[io.Writer]context.CancelCauseFunc
	listened  int
	refuse    error
	ended     int
	end       error
}

var errOver = errors.New("the task ended")

func (a *teller) Before(context.Context) []byte { return []byte(a.before) }

func (a *teller) Listen(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a.mu.Lock()
	a.listened++
	refuse := a.refuse
	if a.listeners == nil {
		a.listeners = map[io.Writer]context.CancelCauseFunc{}
	}
	if refuse == nil {
		a.listeners[w] = cancel
	}
	a.mu.Unlock()
	if refuse != nil {
		return refuse
	}
	<-ctx.Done()
	a.mu.Lock()
	delete(a.listeners, w)
	a.mu.Unlock()
	if err := context.Cause(ctx); !errors.Is(err, errOver) {
		return err
	}
	return nil
}

func (a *teller) End(context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended++
	return a.end
}

func (a *teller) say(text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for w := range a.listeners {
		_, _ = io.WriteString(w, text)
	}
}

func (a *teller) now() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.listeners)
}

func (a *teller) breakOff(why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, cancel := range a.listeners {
		cancel(why)
	}
}

func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

func screenOf(t *testing.T, out task.Output) string {
	t.Helper()
	page, err := out.Page(t.Context(), task.PageRequest{Tail: true, Before: 100})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, l := range page.Lines {
		rows = append(rows, l.Text)
	}
	return strings.Join(rows, "\n")
}

// tellStage is a registry with one running task of which its agent alone tells.
func tellStage(t *testing.T, a *teller) (*Registry, *script, string) {
	t.Helper()
	record := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(record, []byte(`{"a":"record"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := one1("dev", task.Running)
	x.Started, x.Output.Path, x.Can.Read, x.Can.Stop, x.Channel = time.Now(), record, true, true, a
	s := &script{snap: task.Snapshot{Tasks: []task.Task{x}}}
	state := filepath.Join(t.TempDir(), "state")
	r := New(Options{World: newWorld(t), State: state, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: s}}})
	t.Cleanup(func() { _ = r.Close() })
	if _, err := r.Scan(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	return r, s, filepath.Join(state, spools)
}

func listedNow(t *testing.T, r *Registry) task.Task {
	t.Helper()
	snap, err := r.Scan(t.Context(), time.Second)
	if err != nil || len(snap.Tasks) != 1 {
		t.Fatalf("%d tasks, %v", len(snap.Tasks), err)
	}
	return snap.Tasks[0]
}

func files(dir string) []string {
	list, _ := filepath.Glob(filepath.Join(dir, "*"))
	return list
}

// TestAgentTellsOutput: an output that its agent keeps to itself is heard while
// somebody looks, by all who look at once, and is there when it is opened again;
// when the task ended its record counts and nothing is left (issue 9.1, O4).
func TestAgentTellsOutput(t *testing.T) {
	a := &teller{before: "ready on 5173\n"}
	r, s, dir := tellStage(t, a)
	one, err := r.Open(t.Context(), "x:dev")
	if err != nil {
		t.Fatal(err)
	}
	two, err := r.Open(t.Context(), "x:dev")
	if err != nil {
		t.Fatal(err)
	}
	soon(t, "somebody listens", func() bool { return a.now() == 1 })
	tok := planted()
	a.say("update 1\ntoken " + tok + "\nhalf a li")
	soon(t, "it is heard", func() bool { return strings.Contains(screenOf(t, two), "half a li") })
	got := screenOf(t, one)
	if !strings.HasPrefix(got, "ready on 5173\n── Heard as it is printed") || !strings.Contains(got, "update 1") || strings.Contains(got, tok) {
		t.Errorf("the rows:\n%s", strings.ReplaceAll(got, tok, "A SECRET"))
	}
	if list := files(dir); len(list) != 1 {
		t.Fatalf("files: %q", list)
	} else if st, err := os.Stat(list[0]); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
	soon(t, "the row says it", func() bool { return listedNow(t, r).Activity == "half a li" })
	if x := listedNow(t, r); x.Output.Unheard || x.Output.Path != files(dir)[0] {
		t.Errorf("the row: %+v", x.Output)
	}
	_ = one.Close()
	if a.now() != 1 {
		t.Error("one of two looks on and nobody listens")
	}
	_ = two.Close()
	_ = two.Close()
	if a.now() != 0 {
		t.Error("nobody looks and somebody listens")
	}
	if x := listedNow(t, r); !x.Output.Unheard || task.QuietFor(x, time.Now().Add(time.Hour)) != 0 {
		t.Errorf("nobody hears it and it is called quiet: %+v", x.Output)
	}
	again, err := r.Open(t.Context(), "x:dev")
	if err != nil {
		t.Fatal(err)
	}
	soon(t, "somebody listens again", func() bool { return a.now() == 1 })
	a.say("update 9\n")
	soon(t, "it is heard again", func() bool { return strings.Contains(screenOf(t, again), "update 9") })
	if got := screenOf(t, again); strings.Count(got, "── Heard") != 2 || !strings.Contains(got, "half a li\n── Heard") {
		t.Errorf("opened again:\n%s", strings.ReplaceAll(got, tok, "A SECRET"))
	}
	s.set(func(snap *task.Snapshot) { snap.Tasks[0].Status, snap.Tasks[0].Ended = task.Failed, time.Now() })
	a.breakOff(errOver)
	_ = again.Close()
	snap, err := r.Scan(t.Context(), 0)
	if err != nil || len(files(dir)) != 0 || snap.Tasks[0].Output.Path != s.snap.Tasks[0].Output.Path {
		t.Errorf("after the end: files %q, output %s, %v", files(dir), snap.Tasks[0].Output.Path, err)
	}
}

// TestAgentBreaksOff: an agent that breaks off is said once, and asked again.
func TestAgentBreaksOff(t *testing.T) {
	a := &teller{refuse: errors.New("it gives no answer")}
	r, _, dir := tellStage(t, a)
	out, err := r.Open(t.Context(), "x:dev")
	if err != nil {
		t.Fatal(err)
	}
	soon(t, "it was asked again", func() bool { a.mu.Lock(); defer a.mu.Unlock(); return a.listened >= 2 })
	a.mu.Lock()
	a.refuse = nil
	a.mu.Unlock()
	soon(t, "it tells", func() bool { return a.now() == 1 })
	a.say("back\n")
	soon(t, "it is heard", func() bool { return strings.Contains(screenOf(t, out), "back") })
	if got := screenOf(t, out); strings.Count(got, "any more; it is asked again") != 1 {
		t.Errorf("the rows:\n%s", got)
	}
	if err := r.Close(); err != nil || a.now() != 0 || len(files(dir)) != 0 {
		t.Errorf("closed: %d listen, files %q, %v", a.now(), files(dir), err)
	}
	_ = out.Close()
}

// TestAgentEndsUnseen: a task without any process to be seen is ended by its agent
// where that can be asked, and what the agent does not do was not done (K3, K4).
func TestAgentEndsUnseen(t *testing.T) {
	a := &teller{end: errors.New("it gives no answer")}
	r, s, _ := tellStage(t, a)
	s.set(func(snap *task.Snapshot) { snap.Tasks[0].Evidence.Markers = []string{"NO_SUCH_MARK=1"} })
	if _, err := r.Scan(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	plan, err := r.PlanStop(t.Context(), "x:dev")
	if err != nil || plan.Refused != "" || !strings.Contains(plan.Note, "its agent is asked") {
		t.Fatalf("%+v %v", plan, err)
	}
	if _, err := r.Stop(t.Context(), plan, false, nil); !errors.Is(err, proc.ErrRefused) {
		t.Errorf("not ended by its agent: %v", err)
	}
	a.end = nil
	if plan, err = r.PlanStop(t.Context(), "x:dev"); err != nil {
		t.Fatal(err)
	}
	rep, err := r.Stop(t.Context(), plan, false, nil)
	if err != nil || rep.Status != task.Cancelled || a.ended != 2 {
		t.Errorf("%+v, asked %d times, %v", rep, a.ended, err)
	}
}

// TestSpool: what is kept of one output is bounded, and a file that is gone is no
// fault.
func TestSpool(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s, err := newSpool(dir, "1-1-0.out", newWorld(t))
	if err != nil {
		t.Fatal(err)
	}
	block := []byte(strings.Repeat("words and words\n", 1<<16))
	for range maxHeard/len(block) + 3 {
		if _, err := s.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if st, err := os.Stat(s.path); err != nil || st.Size() > maxHeard {
		t.Errorf("%v, %v", st, err)
	}
	s.remove()
	if _, err := s.Write(block); err == nil || !s.broken() {
		t.Error("it was kept in a file that is gone")
	}
	if len(files(dir)) != 0 {
		t.Errorf("left: %q", files(dir))
	}
}

// TestStrangeSpools: what a killed program left is removed, what another one that
// runs has is not, nor what is none of ours.
func TestStrangeSpools(t *testing.T) {
	a := &teller{}
	r, _, dir := tellStage(t, a)
	old := time.Now().Add(-2 * time.Hour)
	self, err := proc.Identify(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, at time.Time) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dead, young := put("4000000-5-0.out", old), put("4000000-5-1.out", time.Now())
	lives, other := put(nameOf(self)+"-0"+spoolEnding, old), put("notes.out", old)
	out, err := r.Open(t.Context(), "x:dev")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	for path, want := range map[string]bool{dead: false, young: true, lives: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}
