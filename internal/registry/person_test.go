package registry

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/task"
)

// N4, N1: a person is told of the ends of observed tasks and of what he started
// himself, by one of all panels; not of what an agent asked us for, and not of what
// he stopped.
func TestEndsForAPerson(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	x := endedTask("a", "")
	x.Status, x.Ended, x.ExitCode = task.Running, time.Time{}, nil
	stopped := x
	stopped.ID, stopped.Native = "x:b", "b"
	one, src := desk(t, dir, task.Snapshot{Tasks: []task.Task{x, stopped}})
	look(t, one)
	two, _ := desk(t, dir, task.Snapshot{})
	book := one.ledger.diary.book
	for id, owner := range map[string]string{"own:t-mine": ledger.Person, "own:t-agents": "claude:s"} {
		if _, err := book.Report(ledger.Report{Proof: ledger.Witnessed, Record: task.Record{ID: id, Run: 1, Kind: task.Shell, Owner: owner, Title: "make", Status: task.Failed, Ended: time.Now()}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.RequestStop("x:b", 1, 1); err != nil {
		t.Fatal(err)
	}
	code := 3
	x.Status, x.Ended, x.ExitCode = task.Failed, time.Now(), &code
	stopped.Status, stopped.Ended = task.Failed, time.Now()
	src.snap.Tasks = []task.Task{x, stopped}
	look(t, one)
	all := []string{"x:a", "x:b", "own:t-mine", "own:t-agents", "x:none"}
	got := map[string]bool{}
	for _, rec := range one.TakeEnds(all...) {
		got[rec.ID] = true
		one.Told(rec, task.Delivered, "")
	}
	if len(got) != 2 || !got["x:a"] || !got["own:t-mine"] {
		t.Errorf("told of %v", got)
	}
	if again := two.TakeEnds(all...); len(again) != 0 {
		t.Errorf("another panel tells again: %v", again)
	}
	if news := two.TakeNews("claude:s"); len(news) != 1 || news[0].ID != "own:t-agents" {
		t.Errorf("the agent's own news: %v", news)
	}
}

// N1: a row says that the news of its end reached nobody, and why; what waits for
// its owner's next look is not such.
func TestRowSaysWhatReachedNobody(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	r, _ := desk(t, dir, task.Snapshot{})
	d := r.ledger.diary
	dead := d.identity(1<<22-1, 1)
	for id, owner := range map[string]string{"own:t-dead": "claude:s", "own:t-gone": "claude:s", "own:t-waits": "claude:s", "own:t-bell": ledger.Person} {
		if _, err := d.book.Report(ledger.Report{Proof: ledger.Witnessed, Record: task.Record{ID: id, Run: 1, Kind: task.Shell, Owner: owner, Title: "make", Status: task.Failed, Ended: time.Now()}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"own:t-dead", "own:t-bell"} {
		if won, err := d.book.Claim(id, 1, dead); err != nil || !won {
			t.Fatal(won, err)
		}
	}
	if _, err := d.book.Deliver("own:t-gone", 1, task.ParentMissing, "its session has ended"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"own:t-dead":  "Its agent was not told of the end: the program that was to tell of the end has ended itself.",
		"own:t-gone":  "Its agent was not told of the end: its session has ended.",
		"own:t-bell":  "No notice of its end was given: the program that was to tell of the end has ended itself.",
		"own:t-waits": "",
	}
	snap := look(t, r)
	for _, x := range snap.Tasks {
		if w, ok := want[x.ID]; ok && x.Warning != w {
			t.Errorf("%s: %q, want %q", x.ID, x.Warning, w)
		}
	}
	if len(snap.Tasks) != len(want) {
		t.Errorf("%d rows", len(snap.Tasks))
	}
	list, err := r.Undelivered()
	if err != nil || len(list) != 3 {
		t.Errorf("doctor lists %d of 3: %v %v", len(list), list, err)
	}
}

// N4: the supervisor of a task that a person started has him told, once; a desktop
// that cannot is known.
func TestSupervisorTellsAPerson(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	book := ledger.NewBook(st, time.Now, nil)
	code := 2
	for id, owner := range map[string]string{"t-a": ledger.Person, "t-b": ledger.Person, "t-c": ledger.Person, "t-agents": "claude:s"} {
		if _, err := book.Report(ledger.Report{Proof: ledger.Witnessed, Record: task.Record{ID: "own:" + id, Run: 1, Owner: owner, Title: "make\x1b[31m", Status: task.Failed, ExitCode: &code, Ended: time.Now()}}); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	tell := func(err error) func(task.Record) error {
		return func(rec task.Record) error { told = append(told, rec.ID+" "+EndWords(rec)); return err }
	}
	for _, c := range []struct {
		id  string
		err error
		to  task.DeliveryState
	}{{"t-a", nil, task.Delivered}, {"t-a", nil, task.Delivered}, {"t-b", errors.New("no bus"), task.DeliveryFailed}, {"t-c", ErrUnwanted, task.NothingToDeliver},
		{"t-agents", nil, task.DeliveryPending}, {"t-none", nil, ""}} {
		if err := TellPersonEnd(here(t), dir, c.id, tell(c.err)); err != nil {
			t.Errorf("%s: %v", c.id, err)
		}
		if rec, _, _ := st.Record("own:" + c.id); rec.Delivery.State != c.to {
			t.Errorf("%s: %+v", c.id, rec.Delivery)
		}
	}
	if len(told) != 3 || !strings.HasPrefix(told[0], `own:t-a ✘ "make`) || !strings.HasSuffix(told[0], "failed with exit code 2") {
		t.Errorf("%q", told)
	}
}

// H2, A6: with a hook of ours its agent is told that a stop was meant, and no row
// warns of it.
func TestHookedTaskWarnsOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	x := task.Task{ID: "claude:b1", Source: "claude", Native: "b1", Session: "claude:s", Kind: task.Shell, Run: 1, Title: "dev", Status: task.Running, Started: time.Now()}
	r, src := desk(t, dir, task.Snapshot{Tasks: []task.Task{x}, Sessions: []task.Session{{ID: "claude:s", Agent: "claude", State: task.Idle}}})
	look(t, r)
	if r.againNote(x) == "" {
		t.Error("without a hook nothing says that its agent may start it again")
	}
	hook, _ := desk(t, dir, task.Snapshot{})
	hook.Launched(x)
	if note := r.againNote(x); note != "" {
		t.Errorf("its agent has a hook: %q", note)
	}
	if err := r.ledger.intend(byPerson.intent(store.RunKey{Task: x.ID, Run: 1}, time.Now(), true)); err != nil {
		t.Fatal(err)
	}
	x.Status, x.Ended = task.Failed, time.Now()
	src.snap.Tasks = []task.Task{x}
	if snap := look(t, r); snap.Tasks[0].Status != task.Cancelled || snap.Tasks[0].Warning != "" {
		t.Errorf("%s, warning %q", snap.Tasks[0].Status, snap.Tasks[0].Warning)
	}
}

// H2: the hook tells of a person's stop as of one, and of an agent's own not.
func TestStoppedByPerson(t *testing.T) {
	r, _ := desk(t, filepath.Join(t.TempDir(), "state"), task.Snapshot{})
	for id, by := range map[string]cause{"claude:p": byPerson, "claude:c": byClock, "claude:a": byAgent} {
		if err := r.ledger.intend(by.intent(store.RunKey{Task: id, Run: 1}, time.Now(), true)); err != nil {
			t.Fatal(err)
		}
	}
	other, _ := desk(t, r.o.State, task.Snapshot{})
	for id, want := range map[string]bool{"claude:p": true, "claude:c": false, "claude:a": false, "claude:none": false} {
		if _, ok := other.StoppedByPerson(id); ok != want {
			t.Errorf("%s: %v", id, ok)
		}
	}
}
