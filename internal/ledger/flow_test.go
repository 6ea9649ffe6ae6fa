package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// flowWith makes a flow with n running tasks of a session.
func flowWith(t *testing.T, d *desk, controller string, n int) (task.Flow, []string) {
	t.Helper()
	f, err := d.NewFlow(task.Flow{ID: "flow:f", Owner: "claude:s1", Goal: "Release", Controller: controller})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range n {
		id := fmt.Sprintf("own:t-%d", i)
		d.running(t, id, func(r *task.Record) { r.Flow = f.ID })
		ids = append(ids, id)
	}
	return f, ids
}

func flowOf(t *testing.T, d *desk, id string) task.Flow {
	t.Helper()
	f, ok, err := d.s.Flow(id)
	if err != nil || !ok {
		t.Fatal(id, ok, err)
	}
	return f
}

// TestCancelCascade: cancelling a flow ends its three tasks, and it is cancelled
// when the last one has settled, not before (R4).
func TestCancelCascade(t *testing.T) {
	for _, controller := range []string{"", "release"} {
		d := newDesk(t)
		f, ids := flowWith(t, d, controller, 3)
		rt := NewRuntimes(d.Book)
		var asked []string
		rt.Register(Runtime{Name: RuntimeShell, Cancel: func(_ context.Context, r task.Record, reason string) error {
			asked = append(asked, r.ID+" "+reason)
			return d.RequestStop(r.ID, r.Run, 1)
		}})
		if _, err := d.CancelFlow(t.Context(), f.ID, rt, "not wanted"); err != nil {
			t.Fatal(err)
		}
		if len(asked) != 3 || asked[0] != "own:t-0 not wanted" {
			t.Errorf("asked %v", asked)
		}
		if err := d.addTo(f.ID); !errors.Is(err, ErrFlowCancelled) {
			t.Errorf("a task joins a flow that is being cancelled: %v", err)
		}
		for i, id := range ids {
			if got := flowOf(t, d, f.ID); got.Status.Ended() {
				t.Errorf("%s with %d open tasks", got.Status, 3-i)
			}
			d.move(time.Second)
			d.say(t, Report{Record: task.Record{ID: id, Status: task.Failed, ExitCode: num(130)}, Proof: Recorded})
			if got := d.rec(t, id); got.Status != task.Cancelled {
				t.Errorf("%s is %s", id, got.Status)
			}
		}
		got := flowOf(t, d, f.ID)
		if got.Status != task.FlowCancelled || !got.Ended.Equal(d.at()) {
			t.Errorf("the flow is %s, ended %v", got.Status, got.Ended)
		}
		if _, err := d.CancelFlow(t.Context(), f.ID, rt, ""); !errors.Is(err, ErrFlowEnded) {
			t.Errorf("cancelled again: %v", err)
		}
	}
}

// addTo tries to put a task into a flow.
func (d *desk) addTo(flow string) error {
	_, err := d.Report(Report{Record: task.Record{ID: "own:t-late", Session: "claude:s1", Flow: flow, Status: task.Running}})
	return err
}

// TestCancelFails: a runtime that cannot cancel is an error with the task's name;
// the other tasks are asked all the same, and nothing is said to have ended.
func TestCancelFails(t *testing.T) {
	d := newDesk(t)
	f, _ := flowWith(t, d, "", 2)
	rt, asked := NewRuntimes(d.Book), 0
	rt.Register(Runtime{Name: RuntimeShell, Cancel: func(context.Context, task.Record, string) error {
		asked++
		return errors.New("no handle")
	}})
	_, err := d.CancelFlow(t.Context(), f.ID, rt, "")
	if asked != 2 || err == nil || !strings.Contains(err.Error(), "own:t-1: no handle") {
		t.Errorf("asked %d, %v", asked, err)
	}
	if got := flowOf(t, d, f.ID); got.Status.Ended() {
		t.Errorf("the flow is %s", got.Status)
	}
}

// TestFlowFollows: a flow's status is that of its tasks (R4).
func TestFlowFollows(t *testing.T) {
	for _, c := range []struct {
		ends []task.Status
		want task.FlowStatus
	}{
		{[]task.Status{task.Succeeded, task.Succeeded}, task.FlowSucceeded},
		{[]task.Status{task.Succeeded, task.TimedOut}, task.FlowFailed},
		{[]task.Status{task.Lost, task.Succeeded}, task.FlowLost},
		{[]task.Status{task.Failed, task.Lost}, task.FlowFailed},
		{[]task.Status{task.Cancelled, task.Succeeded}, task.FlowCancelled},
	} {
		d := newDesk(t)
		f, ids := flowWith(t, d, "", 2)
		if got := flowOf(t, d, f.ID); got.Status != task.FlowRunning {
			t.Errorf("with running tasks it is %s", got.Status)
		}
		for i, s := range c.ends {
			d.say(t, Report{Record: task.Record{ID: ids[i], Status: s}, Proof: Witnessed})
		}
		if got := flowOf(t, d, f.ID); got.Status != c.want || got.Ended.IsZero() {
			t.Errorf("%v: %s", c.ends, got.Status)
		}
	}
}

// TestOneTaskFlow: a lone agent run of a session gets a flow of its own, a task of
// the system never, and a fault there is a warning only (R4).
func TestOneTaskFlow(t *testing.T) {
	d := newDesk(t)
	agent := func(r *task.Record) { r.Runtime, r.Kind = RuntimeAgent, task.Agent }
	if r := d.running(t, "own:a-1", agent); r.Flow != "flow:own:a-1" {
		t.Errorf("its flow is %q", r.Flow)
	}
	d.ended(t, "own:a-1", task.TimedOut, 1)
	if f := flowOf(t, d, "flow:own:a-1"); f.Status != task.FlowFailed || f.Goal != "Build" || f.Owner != "claude:s1" {
		t.Errorf("the flow: %+v", f)
	}
	d.say(t, Report{Record: task.Record{ID: "own:a-1", Run: 2, Status: task.Running}})
	if f := flowOf(t, d, "flow:own:a-1"); f.Status != task.FlowRunning || !f.Ended.IsZero() {
		t.Errorf("its task was started again: %+v", f)
	}
	for name, more := range map[string]func(*task.Record){
		"system":  func(r *task.Record) { agent(r); r.Scope, r.Session = task.SystemScope, "" },
		"nested":  func(r *task.Record) { agent(r); r.Parent = "own:a-1" },
		"shell":   func(*task.Record) {},
		"nothing": func(r *task.Record) { agent(r); r.Delivery.Policy = task.NotifySilent },
	} {
		if r := d.running(t, "own:"+name, more); r.Flow != "" {
			t.Errorf("%s has the flow %q", name, r.Flow)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(d.dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec("CREATE TRIGGER no BEFORE INSERT ON flow BEGIN SELECT RAISE(ABORT, 'no flow today'); END"); err != nil {
		t.Fatal(err)
	}
	r := d.running(t, "own:a-2", agent)
	if r.Flow != "" || d.rec(t, "own:a-2").Status != task.Running || len(d.warns) != 1 || !strings.Contains(d.warns[0], "own:a-2 gets no flow") {
		t.Errorf("flow %q, warnings %q", r.Flow, d.warns)
	}
}

// TestJoins: which task a flow takes.
func TestJoins(t *testing.T) {
	d := newDesk(t)
	flowWith(t, d, "c", 0)
	for name, c := range map[string]struct {
		rec  task.Record
		want error
	}{
		"nothing there": {task.Record{Session: "claude:s1", Flow: "flow:none"}, ErrNoFlow},
		"another owner": {task.Record{Session: "claude:s2", Flow: "flow:f"}, ErrFlowOwner},
		"of the system": {task.Record{Scope: task.SystemScope, Owner: "claude:s1", Flow: "flow:f"}, ErrSystemFlow},
		"its own owner": {task.Record{Session: "claude:s1", Flow: "flow:f"}, nil},
	} {
		c.rec.ID, c.rec.Status = "own:"+name, task.Running
		if _, err := d.Report(Report{Record: c.rec}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, ok, _ := d.s.Record(c.rec.ID); ok != (c.want == nil) {
			t.Errorf("%s: recorded %v", name, ok)
		}
	}
	r := task.Record{ID: "claude:x", Session: "claude:s2", Flow: "flow:f", Status: task.Running}
	if _, err := d.Observe([]Report{{Record: r, Level: true}}); err != nil || d.rec(t, "claude:x").Flow != "" || len(d.warns) != 1 {
		t.Errorf("an observed task is there without the flow: %v, %q", err, d.warns)
	}
}

// TestManagedFlow: a controller moves its flow on the revision that it has read;
// of two that race one is told to look again.
func TestManagedFlow(t *testing.T) {
	d := newDesk(t)
	f, _ := flowWith(t, d, "release", 0)
	f, err := d.MoveFlow(f.ID, f.Revision, FlowMove{To: task.FlowRunning, Step: "test"})
	if err != nil || f.Status != task.FlowRunning || f.Revision != 1 {
		t.Fatalf("%+v %v", f, err)
	}
	d.running(t, "own:t-1", func(r *task.Record) { r.Flow = f.ID })
	d.ended(t, "own:t-1", task.Failed, 1)
	if got := flowOf(t, d, f.ID); got.Status != task.FlowRunning {
		t.Errorf("its task ended it: %s", got.Status)
	}
	f, err = d.MoveFlow(f.ID, 1, FlowMove{To: task.FlowWaiting, BlockedTask: "own:t-1", BlockedBy: "a red test"})
	if err != nil || f.Status != task.FlowBlocked || f.Step != "test" {
		t.Fatalf("%+v %v", f, err)
	}
	if now, err := d.MoveFlow(f.ID, 1, FlowMove{To: task.FlowRunning}); !errors.Is(err, ErrFlowRevision) || now.Revision != 2 {
		t.Errorf("on an old revision: %+v %v", now, err)
	}
	if f, err = d.MoveFlow(f.ID, 2, FlowMove{To: task.FlowRunning}); err != nil || f.BlockedTask != "" {
		t.Errorf("%+v %v", f, err)
	}
	if _, err = d.MoveFlow(f.ID, 3, FlowMove{To: task.FlowCancelled}); err == nil {
		t.Error("a move cancels")
	}
	if f, err = d.MoveFlow(f.ID, 3, FlowMove{To: task.FlowSucceeded}); err != nil || f.Ended.IsZero() {
		t.Errorf("%+v %v", f, err)
	}
	if _, err = d.MoveFlow(f.ID, 4, FlowMove{To: task.FlowRunning}); !errors.Is(err, ErrFlowEnded) {
		t.Errorf("after its end: %v", err)
	}
}

// TestFlowsAreForgotten: a flow goes seven days after its end, unless a task of
// it is open; a cancelled one that a crash left is finished by the sweeper.
func TestFlowsAreForgotten(t *testing.T) {
	d := newDesk(t)
	s, _ := newSweeper(d)
	f, _ := flowWith(t, d, "release", 1)
	if _, err := d.MoveFlow(f.ID, 0, FlowMove{To: task.FlowSucceeded}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at    time.Duration
		end   bool
		there bool
	}{{KeepEnded, false, true}, {KeepEnded + time.Minute, true, false}} {
		d.clk.set(noon.Add(c.at))
		if c.end {
			d.ended(t, "own:t-0", task.Succeeded, 0)
		}
		sweep(t, s)
		if _, ok, _ := d.s.Flow(f.ID); ok != c.there {
			t.Errorf("after %v: there %v", c.at, ok)
		}
	}
	if r := d.rec(t, "own:t-0"); r.Flow != "" {
		t.Errorf("its task names the flow %q still", r.Flow)
	}
}

// TestRuntimes: a runtime is registered by name, another takes its place, and the
// first one comes back; what it does not do the book does (R1).
func TestRuntimes(t *testing.T) {
	d := newDesk(t)
	rt := NewRuntimes(d.Book)
	ctx := t.Context()
	calls := 0
	progress := func(context.Context, string, string) error { calls++; return nil }
	if _, had := rt.Register(Runtime{Name: RuntimeMCP, Progress: progress}); had {
		t.Error("something was there")
	}
	before, had := rt.Register(Runtime{Name: RuntimeMCP})
	if !had || before.Progress == nil {
		t.Error("what was there is not given back")
	}
	x := rt.For(RuntimeMCP)
	rec, err := x.CreateQueued(ctx, task.Record{ID: "mcp:1", Session: "claude:s1", Title: "Ask"})
	if err != nil || rec.Status != task.Queued || rec.Runtime != RuntimeMCP || !rec.Started.IsZero() {
		t.Fatalf("%+v %v", rec, err)
	}
	d.move(time.Second)
	for name, err := range map[string]error{"start": x.Start(ctx, "mcp:1"), "progress": x.Progress(ctx, "mcp:1", "half")} {
		if err != nil {
			t.Error(name, err)
		}
	}
	if r := d.rec(t, "mcp:1"); r.Status != task.Running || r.Progress != "half" || !r.Started.Equal(d.at()) || calls != 0 {
		t.Errorf("%+v, %d calls of the old one", r, calls)
	}
	if err := x.Cancel(ctx, d.rec(t, "mcp:1"), ""); err != nil {
		t.Error(err)
	}
	if r := d.rec(t, "mcp:1"); r.Status != task.Running || r.StopRequested.IsZero() {
		t.Errorf("a cancel that nobody carries out has ended it: %+v", r)
	}
	if err := x.Fail(ctx, Report{Record: task.Record{ID: "mcp:1", Error: "no answer"}, Proof: Witnessed}); err != nil {
		t.Error(err)
	}
	if r := d.rec(t, "mcp:1"); r.Status != task.Failed || r.Error != "no answer" {
		t.Errorf("%+v", r)
	}
	if err := x.SetDelivery(ctx, "mcp:1", 1, task.ParentMissing, "gone"); err != nil || d.rec(t, "mcp:1").Delivery.State != task.ParentMissing {
		t.Error(err)
	}
	if err := x.Start(ctx, "mcp:9"); !errors.Is(err, ErrUnknown) {
		t.Errorf("a task that is not there starts: %v", err)
	}
	if err := d.Cancel(ctx, "mcp:1", rt, ""); err == nil || !strings.Contains(err.Error(), "failed") {
		t.Errorf("cancelled after its end: %v", err)
	}
	rt.Register(before)
	if err := rt.For(RuntimeMCP).Progress(ctx, "mcp:1", "x"); err != nil || calls != 1 {
		t.Error("the first one is not back")
	}
	rt.Remove(RuntimeMCP)
	if r, err := rt.For(RuntimeMCP).CreateRunning(ctx, task.Record{ID: "mcp:2", Session: "s"}); err != nil || r.Status != task.Running {
		t.Errorf("%+v %v", r, err)
	}
}
