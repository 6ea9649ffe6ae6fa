package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

func put(t *testing.T, d *desk, recs ...task.Record) {
	t.Helper()
	err := d.s.Update(false, func(tx *store.Tx) error {
		for _, r := range recs {
			if err := tx.PutRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func putFlow(t *testing.T, d *desk, flows ...task.Flow) {
	t.Helper()
	err := d.s.Update(false, func(tx *store.Tx) error {
		for _, f := range flows {
			if err := tx.PutFlow(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// good is a record with nothing wrong in it, an hour old.
func good(id string, s task.Status) task.Record {
	r := task.Record{ID: id, Run: 1, Runtime: RuntimeShell, Status: s, Scope: task.SessionScope, Owner: "claude:s1",
		Created: noon.Add(-time.Hour), Started: noon.Add(-time.Hour), RunStarted: noon.Add(-time.Hour), LastEvent: noon.Add(-time.Hour),
		Delivery: task.Delivery{State: task.DeliveryPending, Policy: task.NotifyDone}}
	if s.Ended() {
		r.Ended = noon.Add(-time.Minute)
		r.CleanupAfter = Cleanup(r)
	}
	return r
}

// TestAudit: every code of the audit, each by a record that has that and nothing
// else wrong; what can be repaired is, and then the audit finds it no more (R10).
func TestAudit(t *testing.T) {
	change := func(r task.Record, f func(*task.Record)) task.Record { f(&r); return r }
	for _, c := range []struct {
		name     string
		rec      task.Record
		code     string
		severity Severity
		fixed    bool
	}{
		{"fine, and seen", change(good("own:t", task.Running), withPID(1)), "", "", false},
		{"fine, and known", good("own:known", task.Running), "", "", false},
		{"fine, and young", change(good("own:t", task.Running), func(r *task.Record) { r.LastEvent = noon.Add(-30 * time.Minute) }), "", "", false},
		{"fine, ended", good("own:t", task.Failed), "", "", false},
		{"queued, not to be seen", change(good("own:t", task.Queued), func(r *task.Record) {
			r.LastEvent = noon.Add(-11 * time.Minute)
			r.Created, r.Started = r.LastEvent, time.Time{}
		}), StaleQueued, Warning, false},
		{"running, not to be seen", change(good("own:t", task.Running), withPID(3)), StaleRunning, Warning, false},
		{"running, dead for long", change(good("own:t", task.Running), func(r *task.Record) { withPID(2)(r); r.GoneSince = noon.Add(-2 * time.Minute) }), StaleRunning, Fault, true},
		{"lost", good("own:t", task.Lost), LostTask, Warning, false},
		{"lost, and kept too long", change(good("own:t", task.Lost), func(r *task.Record) { r.CleanupAfter = noon.Add(-time.Second) }), LostTask, Fault, true},
		{"its teller is dead", change(good("own:t", task.Failed), func(r *task.Record) { r.Delivery.Notified, r.Delivery.Claimant.PID = true, 2 }), FailedDelivery, Warning, true},
		{"its delivery failed", change(good("own:t", task.Failed), func(r *task.Record) { r.Delivery.State = task.DeliveryFailed }), FailedDelivery, Warning, false},
		{"silent, and it failed", change(good("own:t", task.Failed), func(r *task.Record) {
			r.Delivery.State, r.Delivery.Policy = task.DeliveryFailed, task.NotifySilent
		}), "", "", false},
		{"no clean-up", change(good("own:t", task.Failed), func(r *task.Record) { r.CleanupAfter = time.Time{} }), MissingCleanup, Warning, true},
		{"ended before its start", change(good("own:t", task.Failed), func(r *task.Record) { r.Ended = r.Started.Add(-time.Second) }), WrongTimes, Warning, true},
		{"started before it was made", change(good("own:t", task.Failed), func(r *task.Record) { r.Started = r.Created.Add(-time.Hour) }), WrongTimes, Warning, true},
		{"in the future", change(good("own:t", task.Failed), func(r *task.Record) { r.Ended = noon.Add(time.Hour) }), WrongTimes, Warning, true},
		{"a status that nobody knows", change(good("own:t", task.Running), func(r *task.Record) { r.Status = "paused" }), Unreadable, Fault, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			s, w := newSweeper(d)
			w.life[1], w.life[2] = Alive, Dead
			w.knows["own:known"] = StillThere
			put(t, d, c.rec)
			found, err := s.Audit()
			if err != nil {
				t.Fatal(err)
			}
			if c.code == "" {
				if len(found) != 0 {
					t.Fatalf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != c.code || found[0].Severity != c.severity || found[0].Subject != c.rec.ID || found[0].Text == "" {
				t.Fatalf("found %+v, want %s %s", found, c.severity, c.code)
			}
			done, err := s.Fix(t.Context(), found)
			if err != nil || (len(done) == 1) != c.fixed {
				t.Fatalf("fixed %+v, %v", done, err)
			}
			again, _ := s.Audit()
			still := slices.ContainsFunc(again, func(f Finding) bool { return f.Code == c.code })
			if c.fixed == still && c.code != FailedDelivery {
				t.Errorf("fixed %v, and then it finds %+v", c.fixed, again)
			}
		})
	}
}

// TestAuditFlows: every code of the flows' audit, and its repair (R10).
func TestAuditFlows(t *testing.T) {
	old := noon.Add(-31 * time.Minute)
	flow := func(s task.FlowStatus, f func(*task.Flow)) task.Flow {
		x := task.Flow{ID: "flow:f", Owner: "claude:s1", Controller: "c", Status: s, Created: noon.Add(-time.Hour), Updated: old}
		f(&x)
		return x
	}
	for _, c := range []struct {
		name     string
		flow     task.Flow
		task     task.Status
		code     string
		severity Severity
		fixed    bool
	}{
		{"fine, young", flow(task.FlowRunning, func(f *task.Flow) { f.Updated = noon }), "", "", "", false},
		{"fine, at work", flow(task.FlowRunning, func(*task.Flow) {}), task.Running, "", "", false},
		{"fine, ended", flow(task.FlowFailed, func(f *task.Flow) { f.Ended = old }), "", "", "", false},
		{"runs without open tasks", flow(task.FlowRunning, func(f *task.Flow) { f.Controller = "" }), task.Succeeded, FlowRunning, Fault, true},
		{"runs without any task", flow(task.FlowRunning, func(*task.Flow) {}), "", NoTasks, Fault, true},
		{"queued without any task", flow(task.FlowQueued, func(*task.Flow) {}), "", NoTasks, Warning, true},
		{"waits for long", flow(task.FlowWaiting, func(f *task.Flow) { f.Wait = "a person" }), "", FlowWaiting, Warning, false},
		{"blocked for long", flow(task.FlowBlocked, func(f *task.Flow) { f.BlockedBy = "a red test" }), "", FlowBlocked, Warning, false},
		{"blocked by nothing", flow(task.FlowBlocked, func(f *task.Flow) { f.BlockedTask, f.Updated = "own:none", noon }), "", BlockerMissing, Warning, true},
		{"its cancel is stuck", flow(task.FlowRunning, func(f *task.Flow) { f.CancelRequested = noon.Add(-5 * time.Minute) }), task.Failed, CancelStuck, Warning, true},
		{"its times", flow(task.FlowFailed, func(f *task.Flow) { f.Ended = noon }), "", FlowTimes, Warning, true},
		{"a status that nobody knows", flow("paused", func(*task.Flow) {}), "", FlowUnreadable, Fault, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			s, w := newSweeper(d)
			w.knows["own:t-1"] = StillThere
			putFlow(t, d, c.flow)
			if c.task != "" {
				r := good("own:t-1", c.task)
				r.Flow = c.flow.ID
				put(t, d, r)
			}
			found, err := s.Audit()
			if err != nil {
				t.Fatal(err)
			}
			if c.code == "" {
				if len(found) != 0 {
					t.Fatalf("found %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Code != c.code || found[0].Severity != c.severity {
				t.Fatalf("found %+v, want %s %s", found, c.severity, c.code)
			}
			if done, err := s.Fix(t.Context(), found); err != nil || (len(done) == 1) != c.fixed {
				t.Fatalf("fixed %+v, %v", done, err)
			}
			if again, _ := s.Audit(); c.fixed != (len(again) == 0) {
				t.Errorf("after the repair: %+v", again)
			}
		})
	}
}

// TestRebuild: a ledger from the task folders is the one that was lost, but for
// what no folder knows: who was told, and what came late (R11, N1).
func TestRebuild(t *testing.T) {
	d := newDesk(t)
	var folders folderList
	ends := []task.Status{task.Running, task.Succeeded, task.Failed, task.TimedOut, task.Cancelled}
	for i := range 100 {
		id, status := fmt.Sprintf("own:t-%03d", i), ends[i%len(ends)]
		rec := task.Record{ID: id, Run: 1, Runtime: RuntimeShell, Kind: task.Shell, Session: "claude:s1", Title: fmt.Sprint("Task ", i), Command: "make",
			Cwd: "/work", Status: task.Running, StatusSource: "started", Started: d.at(), Folder: "/state/tasks/" + id[4:],
			Process: task.Identity{BootID: "boot-1", PID: i + 1, Start: 9}, Output: task.OutputFile{Path: "/state/tasks/" + id[4:] + "/output", Ino: uint64(i)}}
		d.say(t, Report{Record: rec, Proof: Witnessed, Level: true})
		d.move(time.Second)
		if status.Ended() {
			end := Report{Record: task.Record{ID: id, Status: status, StatusSource: "exit record", ExitCode: num(i), Ended: d.at()}, Proof: Witnessed, Level: true}
			d.say(t, end)
			rec.Status, rec.StatusSource, rec.ExitCode, rec.Ended = status, "exit record", num(i), d.at()
		}
		folders = append(folders, Report{Record: rec, Proof: Witnessed})
	}
	second := newDesk(t)
	second.clk.set(d.at())
	n, err := second.Rebuild(t.Context(), folders)
	if err != nil || n != 100 {
		t.Fatal(n, err)
	}
	for i := range 100 {
		id := fmt.Sprintf("own:t-%03d", i)
		was, is := d.rec(t, id), second.rec(t, id)
		if is.Status.Ended() && is.Delivery.State != task.NothingToDeliver {
			t.Errorf("%s: an end would be told again: %+v", id, is.Delivery)
		}
		was.Delivery, is.Delivery = task.Delivery{}, task.Delivery{}
		if differ(was, is) {
			t.Errorf("%s:\nwas %+v\nis  %+v", id, was, is)
		}
	}
	if len(second.news(t)) != 0 {
		t.Error("what was rebuilt is news")
	}
	if n, err := second.Rebuild(t.Context(), folders); err != nil || n != 0 {
		t.Errorf("rebuilt again: %d changed, %v", n, err)
	}
}

// TestFoldIn: an end whose supervisor could not write the ledger is taken from
// its folder, and is news; the folder of one long forgotten is removed in time.
func TestFoldIn(t *testing.T) {
	d := newDesk(t)
	d.running(t, "own:t-1", func(r *task.Record) { r.Folder = "/state/tasks/t-1" })
	d.move(time.Minute)
	f := folderList{{Record: task.Record{ID: "own:t-1", Status: task.Failed, ExitCode: num(2), Ended: d.at(), Folder: "/state/tasks/t-1"}, Proof: Witnessed}}
	res, err := d.FoldIn(t.Context(), f)
	if err != nil || len(res) != 1 || res[0].Status != task.Failed || res[0].Delivery.State != task.DeliveryPending {
		t.Errorf("%+v %v", res, err)
	}
	if got := kinds(d.news(t)); !equalKinds(got, task.TaskStarted, task.TaskFailed) {
		t.Errorf("news %v", got)
	}
	old := folderList{{Record: task.Record{ID: "own:t-0", Status: task.Failed, Ended: noon.Add(-8 * 24 * time.Hour), Folder: "/state/tasks/t-0"}, Proof: Witnessed}}
	if _, err := d.Rebuild(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if due, err := d.s.DueFolders(d.at(), "", 10); err != nil || len(due) != 1 || due[0].Path != "/state/tasks/t-0" {
		t.Errorf("folders to remove: %+v %v", due, err)
	}
}

// TestWatcher: each watcher has its own place; by default it hears of sub-agents
// that finished and of every failure; all_idle comes once each time (I3).
func TestWatcher(t *testing.T) {
	d := newDesk(t)
	d.running(t, "own:before")
	w, err := d.Watch(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	everything, _ := d.Watch([]string{"claude:s1"}, func(task.News) bool { return true })
	d.running(t, "own:ok")
	d.running(t, "own:bad")
	d.running(t, "own:agent", func(r *task.Record) { r.Kind = task.Agent })
	d.running(t, "own:other", func(r *task.Record) { r.Session = "claude:s2" })
	for id, s := range map[string]task.Status{"own:ok": task.Succeeded, "own:bad": task.Failed, "own:agent": task.Succeeded, "own:other": task.Cancelled} {
		d.ended(t, id, s, 0)
	}
	list, more, err := w.Next()
	if err != nil || more {
		t.Fatal(more, err)
	}
	var ids []string
	for _, n := range list {
		ids = append(ids, n.Task)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, []string{"own:agent", "own:bad", "own:other"}) {
		t.Errorf("told of %v", ids)
	}
	if list, _, _ := everything.Next(); len(list) != 6 {
		t.Errorf("all of one session: %v", kinds(list))
	}
	if list, _, _ := w.Next(); len(list) != 0 {
		t.Errorf("told twice of %v", kinds(list))
	}
	session := func(s task.SessionState) task.Snapshot {
		return task.Snapshot{Sessions: []task.Session{{ID: "claude:s1", State: s}, {ID: "claude:s2", State: task.RunningTurn}}}
	}
	everything.idle = false
	for i, c := range []struct {
		snap task.Snapshot
		want bool
	}{
		{session(task.RunningTurn), false}, {session(task.Idle), true}, {session(task.Idle), false}, {session(task.WaitingPerson), false},
		{task.Snapshot{Sessions: session(task.Idle).Sessions, Tasks: []task.Task{{Session: "claude:s1", Status: task.Running}}}, false},
		{task.Snapshot{Sessions: []task.Session{{ID: "claude:s1", State: task.Idle, Unreported: true}}}, false}, {session(task.EndedSession), true},
	} {
		if _, got := everything.Idle(c.snap, noon); got != c.want {
			t.Errorf("look %d: all_idle %v", i, got)
		}
	}
}

// TestRoundTrip: what a source told comes back as the same task when its agent has
// cleaned up.
func TestRoundTrip(t *testing.T) {
	d := newDesk(t)
	in := task.Task{ID: "claude:b1", Source: "claude", Native: "b1", Kind: task.Shell, Title: "Build", Command: "make", Cwd: "/w", Session: "claude:s1",
		ToolCall: "toolu_1", Run: 1, Status: task.Failed, ExitCode: num(2), Started: noon.Add(-time.Minute), Ended: noon, StatusSource: "notification",
		StatusAt: noon, Output: task.OutputRef{Path: "/o", Recorded: "/o", Bytes: 7}, Parent: "claude:a1", Summary: "red", ActivityAt: noon}
	if _, err := d.ObserveTasks([]task.Task{in, {ID: "claude:fg", Status: task.Running, Foreground: true}, {ID: "claude:odd", Status: "odd"}}); err != nil {
		t.Fatal(err)
	}
	out := ToTask(d.rec(t, "claude:b1"))
	if *out.ExitCode != 2 {
		t.Error("exit code")
	}
	in.ExitCode, out.ExitCode = nil, nil
	if fmt.Sprintf("%+v", in) != fmt.Sprintf("%+v", out) {
		t.Errorf("\nin  %+v\nout %+v", in, out)
	}
	if all, _ := d.s.Every(); len(all) != 1 {
		t.Errorf("%d records: what is in the foreground, or has an unknown status, has none", len(all))
	}
}

// TestRecordEnd: a supervisor opens the ledger at the end only (R1).
func TestRecordEnd(t *testing.T) {
	d := newDesk(t)
	d.running(t, "own:t-1")
	end := Report{Record: task.Record{ID: "own:t-1", Status: task.Failed, ExitCode: num(9)}, Proof: Witnessed}
	if err := RecordEnd(d.dir, d.clk.now, end); err != nil {
		t.Fatal(err)
	}
	if r := d.rec(t, "own:t-1"); r.Status != task.Failed || *r.ExitCode != 9 {
		t.Errorf("%+v", r)
	}
}
