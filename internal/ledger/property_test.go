package ledger

import (
	"testing"
	"time"

	"offstage/task"

	"pgregory.net/rapid"
)

// TestAnyReports: whatever is reported in whatever order, an end stays for its
// run unless it is lost, a run never falls, the first start stays, what wakes
// nobody has no new revision, and a look that is repeated says nothing (L3, L4).
func TestAnyReports(t *testing.T) {
	statuses := []task.Status{"", task.Queued, task.Running, task.Succeeded, task.Failed, task.TimedOut, task.Cancelled, task.Lost, "odd"}
	rapid.Check(t, func(t *rapid.T) {
		var rec task.Record
		now := noon
		for range rapid.IntRange(1, 12).Draw(t, "reports") {
			now = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "seconds")) * time.Second)
			r := Report{
				Record: task.Record{ID: "own:t-1", Run: rapid.IntRange(0, 4).Draw(t, "run"), Session: "claude:s1",
					Status: rapid.SampledFrom(statuses).Draw(t, "status"), Progress: rapid.SampledFrom([]string{"", "half"}).Draw(t, "progress")},
				Proof: Proof(rapid.IntRange(0, 2).Draw(t, "proof")), Level: rapid.Bool().Draw(t, "level"),
				At: now.Add(-time.Duration(rapid.IntRange(0, 30).Draw(t, "late")) * time.Second),
			}
			if rapid.Bool().Draw(t, "stop") {
				r.StopRequested, r.StopBy = now, 9
			}
			got := Next(rec, r, now)
			check(t, rec, r, got)
			rec = got.Record
			r.Level = true
			if rec.ID != "" && (r.Run == 0 || r.Run == rec.Run) {
				if once := Next(rec, r, now); Next(once.Record, r, now).Change != Same {
					t.Fatalf("a look that is repeated is news: %+v on %+v", r, once.Record)
				}
			}
		}
	})
}

func check(t *rapid.T, was task.Record, r Report, got Result) {
	switch {
	case got.Change == Same && differ(was, got.Record), got.Change == Late && differ(was, got.Record):
		t.Fatalf("change %d, and the record is another", got.Change)
	case got.Change <= Late && got.Rev != was.Rev, got.Change > Late && got.Rev != was.Rev+1:
		t.Fatalf("change %d, revision %d → %d", got.Change, was.Rev, got.Rev)
	case got.ID == "":
		return
	case got.Run < was.Run:
		t.Fatalf("run %d → %d", was.Run, got.Run)
	case got.Run == was.Run && was.Status.Ended() && was.Status != task.Lost && got.Status != was.Status:
		t.Fatalf("%s became %s by %+v", was.Status, got.Status, r)
	case !was.Started.IsZero() && !got.Started.Equal(was.Started):
		t.Fatalf("its start moved from %v to %v", was.Started, got.Started)
	case got.Open() != got.Ended.IsZero() || got.Open() != got.CleanupAfter.IsZero():
		t.Fatalf("%s, ended %v, clean-up %v", got.Status, got.Ended, got.CleanupAfter)
	case got.Ended.Before(got.RunStarted) && !got.Ended.IsZero():
		t.Fatalf("ended %v before its start %v", got.Ended, got.RunStarted)
	case (got.Change == Again) != (got.Past != nil):
		t.Fatalf("change %d, history %v", got.Change, got.Past)
	}
}
