package ledger

import (
	"testing"
	"time"

	"offstage/task"
)

func num(n int) *int { return &n }

// TestEnds: which report changes which status (L3, K7). Ends are final, lost
// alone yields to proof, a stop from here is a stop whatever the agent writes.
func TestEnds(t *testing.T) {
	stop := noon.Add(time.Minute)
	for _, c := range []struct {
		name    string
		have    task.Status
		stopped bool
		say     task.Status
		proof   Proof
		after   time.Duration
		want    task.Status
		change  Change
	}{
		{"it starts", task.Queued, false, task.Running, Hearsay, 0, task.Running, Changed},
		{"it cannot be queued again", task.Running, false, task.Queued, Hearsay, 0, task.Running, Late},
		{"ends well", task.Running, false, task.Succeeded, Recorded, 0, task.Succeeded, Changed},
		{"ends before it was seen running", task.Queued, false, task.Failed, Recorded, 0, task.Failed, Changed},
		{"times out", task.Running, false, task.TimedOut, Witnessed, 0, task.TimedOut, Changed},
		{"a late good end", task.Failed, false, task.Succeeded, Witnessed, 0, task.Failed, Late},
		{"a late bad end", task.Succeeded, false, task.Failed, Witnessed, 0, task.Succeeded, Late},
		{"a late end of what was cancelled", task.Cancelled, false, task.Succeeded, Witnessed, 0, task.Cancelled, Late},
		{"an end is not lost", task.Succeeded, false, task.Lost, Witnessed, 0, task.Succeeded, Late},
		{"an end does not run", task.TimedOut, false, task.Running, Witnessed, 0, task.TimedOut, Late},
		{"lost yields to an exit record", task.Lost, false, task.Succeeded, Witnessed, 0, task.Succeeded, Changed},
		{"lost yields to the agent's record", task.Lost, false, task.Failed, Recorded, 0, task.Failed, Changed},
		{"lost yields to a live process", task.Lost, false, task.Running, Witnessed, 0, task.Running, Changed},
		{"lost does not yield to hearsay", task.Lost, false, task.Running, Hearsay, 0, task.Lost, Late},
		{"nor to an end by hearsay", task.Lost, false, task.Succeeded, Hearsay, 0, task.Lost, Late},
		{"stopped, the agent says failed", task.Running, true, task.Failed, Recorded, time.Second, task.Cancelled, Changed},
		{"stopped, the agent says well", task.Running, true, task.Succeeded, Recorded, time.Second, task.Cancelled, Changed},
		{"stopped, nobody saw the end", task.Running, true, task.Lost, Witnessed, time.Second, task.Cancelled, Changed},
		{"stopped, our exit record knows better", task.Running, true, task.Succeeded, Witnessed, time.Second, task.Succeeded, Changed},
		{"the stop did not take, and it ended later", task.Running, true, task.Failed, Recorded, 2 * time.Minute, task.Failed, Changed},
		{"a word that nobody knows", task.Running, false, "paused", Witnessed, 0, task.Running, Same},
	} {
		t.Run(c.name, func(t *testing.T) {
			old := task.Record{ID: "own:t-1", Run: 1, Status: c.have, Created: noon, Started: noon, RunStarted: noon, LastEvent: noon}
			if c.have.Ended() {
				old.Ended, old.CleanupAfter = noon, noon.Add(KeepEnded)
			}
			at := stop.Add(c.after)
			if c.stopped {
				old.StopRequested = stop
			}
			got := Next(old, Report{Record: task.Record{ID: "own:t-1", Status: c.say}, Proof: c.proof, At: at}, at)
			if got.Status != c.want || got.Change != c.change {
				t.Errorf("got %s (change %d), want %s (change %d)", got.Status, got.Change, c.want, c.change)
			}
			if got.Status.Ended() == got.Ended.IsZero() || got.Status.Ended() == got.CleanupAfter.IsZero() {
				t.Errorf("status %s, ended %v, cleanup %v", got.Status, got.Ended, got.CleanupAfter)
			}
			if c.change == Late && got.Late != 1 {
				t.Errorf("late is counted %d times", got.Late)
			}
			if c.change <= Late && got.Rev != old.Rev {
				t.Error("what wakes nobody has a new revision (L4)")
			}
		})
	}
}

// TestUnknownStatusIsLeft: a record whose status only a newer program knows is
// left as it is, and the others are read all the same.
func TestUnknownStatusIsLeft(t *testing.T) {
	old := task.Record{ID: "own:t-1", Run: 1, Status: "paused", Created: noon}
	if got := Next(old, Report{Record: task.Record{ID: "own:t-1", Status: task.Failed}, Proof: Witnessed}, noon); got.Change != Same || got.Status != "paused" {
		t.Errorf("%+v", got)
	}
	d := newDesk(t)
	put(t, d, old, good("own:t-2", task.Running))
	s, w := newSweeper(d)
	w.knows["own:t-2"] = StillThere
	sweep(t, s)
	if all, err := d.s.Every(); err != nil || len(all) != 2 {
		t.Errorf("%d records, %v", len(all), err)
	}
	if d.rec(t, "own:t-1").Status != "paused" {
		t.Error("it was changed")
	}
}

// TestRetentionOfEnds: seven days, a lost one a day (R6).
func TestRetentionOfEnds(t *testing.T) {
	for status, want := range map[task.Status]time.Duration{task.Succeeded: 7 * 24 * time.Hour, task.Failed: 7 * 24 * time.Hour,
		task.TimedOut: 7 * 24 * time.Hour, task.Cancelled: 7 * 24 * time.Hour, task.Lost: 24 * time.Hour} {
		r := Next(task.Record{}, Report{Record: task.Record{ID: "a:1", Status: status, Ended: noon}}, noon)
		if got := r.CleanupAfter.Sub(noon); got != want {
			t.Errorf("%s is kept for %v, want %v", status, got, want)
		}
	}
}

// TestLevels: a look that repeats itself writes nothing and counts nothing; the
// same as an event is a double report (L3, L4).
func TestLevels(t *testing.T) {
	now := noon
	say := func(level bool) Report {
		return Report{Record: task.Record{ID: "claude:b1", Status: task.Failed, ExitCode: num(2), Ended: noon}, Proof: Recorded, Level: level, At: noon}
	}
	rec := Next(task.Record{}, say(true), now).Record
	if got := Next(rec, say(true), now.Add(time.Hour)); got.Change != Same || got.Record != rec {
		t.Errorf("the second look: %+v", got)
	}
	if got := Next(rec, say(false), now); got.Change != Late || got.Late != 1 {
		t.Errorf("the second report: change %d, late %d", got.Change, got.Late)
	}
	bare := rec
	bare.ExitCode = nil
	if got := Next(bare, say(true), now); got.Change != Changed || got.ExitCode == nil || *got.ExitCode != 2 {
		t.Errorf("the exit code was not added: %+v", got)
	}
	open := Next(task.Record{}, Report{Record: task.Record{ID: "claude:b2", Status: task.Running, Output: task.OutputFile{Path: "/o", Bytes: 1}}, Level: true}, now).Record
	more := Report{Record: task.Record{ID: "claude:b2", Status: task.Running, Progress: "line 7", Output: task.OutputFile{Path: "/o", Bytes: 900}}, Level: true}
	if got := Next(open, more, now.Add(time.Minute)); got.Change != Same {
		t.Error("a size and a last line are news")
	}
}

// TestAgain: an id that is started again is the next run of the same record: its
// start and what the person set stay, the end goes into the history (L3, L4).
func TestAgain(t *testing.T) {
	d := newDesk(t)
	d.running(t, "claude:a1", func(r *task.Record) { r.Kind = task.Agent })
	if err := d.Hide("claude:a1", true); err != nil {
		t.Fatal(err)
	}
	if err := d.RequestStop("claude:a1", 1, 9); err != nil {
		t.Fatal(err)
	}
	d.move(time.Second)
	d.ended(t, "claude:a1", task.Cancelled, 143)
	if won, err := d.Claim("claude:a1", 1, task.Identity{PID: 5}); !won || err != nil {
		t.Fatal(won, err)
	}
	d.move(time.Hour)
	res := d.say(t, Report{Record: task.Record{ID: "claude:a1", Run: 2, Status: task.Running}, Level: true})
	if res.Change != Again {
		t.Fatalf("change %d", res.Change)
	}
	r := d.rec(t, "claude:a1")
	if r.Run != 2 || !r.Started.Equal(noon) || !r.RunStarted.Equal(d.at()) || !r.Hidden || !r.Ended.IsZero() || r.ExitCode != nil || !r.StopRequested.IsZero() {
		t.Errorf("the second run: %+v", r)
	}
	if r.Delivery.Notified || r.Delivery.State != task.DeliveryPending {
		t.Errorf("its end would not be told: %+v", r.Delivery)
	}
	past, err := d.s.Past("claude:a1")
	if err != nil || len(past) != 1 || past[0].Status != task.Cancelled || *past[0].ExitCode != 143 {
		t.Errorf("history %+v, %v", past, err)
	}
	if got := d.say(t, Report{Record: task.Record{ID: "claude:a1", Run: 1, Status: task.Succeeded}, Proof: Recorded}); got.Change != Late {
		t.Errorf("a report on the first run: change %d", got.Change)
	}
	d.move(time.Second)
	d.ended(t, "claude:a1", task.Succeeded, 0)
	if got := kinds(d.news(t)); !equalKinds(got, task.TaskStarted, task.TaskFailed, task.TaskFinished) {
		t.Errorf("news %v: a second run is no second start", got)
	}
}

// TestHistoryIsBounded: of a task that its agent starts for ever, the newest
// runs are kept.
func TestHistoryIsBounded(t *testing.T) {
	d := newDesk(t)
	for run := 1; run <= 60; run++ {
		d.say(t, Report{Record: task.Record{ID: "claude:a1", Run: run, Status: task.Running}})
		d.move(time.Second)
	}
	past, _ := d.s.Past("claude:a1")
	if len(past) != pastKept || past[len(past)-1].Run != 59 || past[0].Status != task.Lost {
		t.Errorf("%d runs are kept, the last is %+v", len(past), past[len(past)-1])
	}
}

// TestRegisterAgain: the same id registered once more keeps the start and is no
// second task_started (L4); only what was missing is filled in.
func TestRegisterAgain(t *testing.T) {
	d := newDesk(t)
	d.running(t, "own:t-1")
	d.move(time.Minute)
	d.running(t, "own:t-1", func(r *task.Record) { r.Title, r.ToolCall = "Another name", "toolu_1" })
	r := d.rec(t, "own:t-1")
	if !r.Started.Equal(noon) || r.Title != "Build" || r.ToolCall != "toolu_1" || r.Run != 1 {
		t.Errorf("got %+v", r)
	}
	if got := kinds(d.news(t)); !equalKinds(got, task.TaskStarted) {
		t.Errorf("news %v", got)
	}
}

// TestCreateDedupes: one run of a runtime is one record, however often it is made.
func TestCreateDedupes(t *testing.T) {
	d := newDesk(t)
	rt := NewRuntimes(d.Book).For(RuntimeMCP)
	rec := task.Record{ID: "mcp:1", RunID: "call-7", Owner: "claude:s1", Session: "claude:s1", Title: "Ask", Command: "ask"}
	if _, err := rt.CreateQueued(t.Context(), rec); err != nil {
		t.Fatal(err)
	}
	twin := rec
	twin.ID, twin.ToolCall = "mcp:2", "toolu_9"
	got, err := rt.CreateQueued(t.Context(), twin)
	if err != nil || got.ID != "mcp:1" || got.ToolCall != "toolu_9" {
		t.Errorf("the twin: %+v, %v", got, err)
	}
	other := rec
	other.ID, other.Owner = "mcp:3", "claude:s2"
	if got, err := rt.CreateQueued(t.Context(), other); err != nil || got.ID != "mcp:3" {
		t.Errorf("another owner's: %+v, %v", got, err)
	}
}

// TestOldEndsAreNoNews: a panel that starts finds a week of ends; none of them is
// news, and one older than the retention makes no record at all.
func TestOldEndsAreNoNews(t *testing.T) {
	d := newDesk(t)
	for id, ago := range map[string]time.Duration{"c:new": time.Minute, "c:old": time.Hour, "c:gone": 8 * 24 * time.Hour} {
		tk := task.Task{ID: id, Source: "c", Kind: task.Shell, Session: "c:s", Status: task.Succeeded, StatusSource: "notification",
			Started: noon.Add(-ago - time.Minute), Ended: noon.Add(-ago)}
		if _, err := d.ObserveTasks([]task.Task{tk}); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.news(t); len(n) != 1 || n[0].Task != "c:new" {
		t.Errorf("news: %+v", n)
	}
	if r := d.rec(t, "c:old"); r.Delivery.State != task.NothingToDeliver {
		t.Errorf("an old end is told: %+v", r.Delivery)
	}
	if _, ok, _ := d.s.Record("c:gone"); ok {
		t.Error("an end beyond the retention has a record")
	}
}

// TestSameLookWritesNothing: a look that says what is known costs no write, or
// every panel would wake every other one for ever.
func TestSameLookWritesNothing(t *testing.T) {
	d := newDesk(t)
	var tasks []task.Task
	for _, id := range []string{"c:1", "c:2", "c:3"} {
		tasks = append(tasks, task.Task{ID: id, Source: "c", Native: id[2:], Kind: task.Shell, Session: "c:s", Title: "T", Command: "sleep 9",
			Status: task.Running, StatusSource: "output file", StatusAt: noon, Started: noon.Add(-time.Minute)})
	}
	tasks[2].Status, tasks[2].Ended, tasks[2].ExitCode = task.Failed, noon, num(1)
	if changed, err := d.ObserveTasks(tasks); err != nil || len(changed) != 3 {
		t.Fatal(changed, err)
	}
	watcher := d.other(t)
	before, _ := watcher.s.Version()
	for range 5 {
		d.move(time.Second)
		for i := range tasks {
			tasks[i].StatusAt, tasks[i].Activity, tasks[i].Output.Bytes = d.at(), "another line", tasks[i].Output.Bytes+100
		}
		if changed, err := d.ObserveTasks(tasks); err != nil || len(changed) != 0 {
			t.Fatal(changed, err)
		}
	}
	if after, _ := watcher.s.Version(); after != before {
		t.Error("the same news was written again")
	}
}

// TestTextsAreBounded: no text of a task makes the ledger large.
func TestTextsAreBounded(t *testing.T) {
	long := make([]byte, 0, 3<<16)
	for len(long) < 3<<16 {
		long = append(long, "日本 "...)
	}
	s := string(long)
	r := Next(task.Record{}, Report{Record: task.Record{ID: "a:1", Title: s, Command: s, Error: s, Summary: s, Result: s, Owner: s, Status: task.Failed}}, noon)
	for name, got := range map[string]struct {
		text string
		max  int
	}{"title": {r.Title, maxTitle}, "command": {r.Command, 2000}, "error": {r.Error, maxText}, "summary": {r.Summary, maxText}, "result": {r.Result, maxText}, "owner": {r.Owner, maxName}} {
		if n := len([]rune(got.text)); n > got.max || n < got.max-1 {
			t.Errorf("%s has %d characters, want %d", name, n, got.max)
		}
	}
}
