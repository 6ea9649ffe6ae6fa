package ledger

import (
	"time"

	"offstage/task"
)

// Tell is the event that a change is to watchers (I3), ok false where it is
// none: a task starts once, however often it is registered or run again; each
// run ends once, and a lost one once more when its true end is found.
func Tell(old task.Record, now Result, at time.Time) (news task.News, ok bool) {
	rec := now.Record
	if now.Change <= Late {
		return task.News{}, false
	}
	news = task.News{At: at, Task: rec.ID, Run: rec.Run, Session: rec.Session, TaskKind: rec.Kind, Status: rec.Status, Title: rec.Title}
	switch {
	case rec.Status == task.Running && rec.Run == 1 && (now.Change == New || old.Status == task.Queued):
		news.Kind, news.At = task.TaskStarted, firstTime(rec.Started, at)
		return news, at.Sub(news.At) <= newsAge
	case !rec.Status.Ended(), now.Change == Changed && old.Status == rec.Status:
		return task.News{}, false
	}
	news.Kind, news.At = task.TaskFinished, rec.Ended
	if Failure(rec.Status) {
		news.Kind = task.TaskFailed
	}
	news.Summary, news.Result = EndSummary(rec), rec.Result
	return news, now.Change == Changed || at.Sub(rec.Ended) <= newsAge
}

// Failure says whether watchers count a status as a failure: whatever was
// stopped or did not end well, and what nobody knows (I3).
func Failure(s task.Status) bool { return s.Ended() && s != task.Succeeded }

// ToldByDefault says whether a watcher that asked for nothing special is told:
// of finished sub-agents and of every failure, not of a command that ended well.
func ToldByDefault(n task.News) bool {
	return n.Kind == task.TaskFailed || n.Kind == task.AllIdle || n.Kind == task.TaskFinished && n.TaskKind == task.Agent
}

// AllIdleNow says whether nothing of the watched sessions is going on: no turn,
// no task, no background work of which nothing was reported; and nobody is
// waited for. A nil list watches all sessions.
func AllIdleNow(s task.Snapshot, watched []string) bool {
	want := map[string]bool{}
	for _, id := range watched {
		want[id] = true
	}
	for _, x := range s.Sessions {
		if len(want) > 0 && !want[x.ID] {
			continue
		}
		if x.Unreported || x.State == task.RunningTurn || x.State == task.WaitingPerson {
			return false
		}
	}
	for _, t := range s.Tasks {
		if (len(want) == 0 || want[t.Session]) && !t.Status.Ended() {
			return false
		}
	}
	return true
}
