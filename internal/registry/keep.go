package registry

import (
	"slices"
	"time"

	"offstage/task"
)

// Keep is how long rows of ended tasks stay (A5, settings of spec 5).
type Keep struct {
	// For is how long a row of an ended shell, monitor or workflow stays; Max is how
	// many of one session.
	For time.Duration
	Max int
	// Ended shows everything that is still known (H, ls --ended).
	Ended bool
}

// unseenFor is how much longer a failure stays that nobody has looked at.
const unseenFor = 24 * time.Hour

// apply takes the tasks away whose row is over: ended shells, monitors and workflows
// (whose tree is folded then, A9) after their time, the oldest above the number,
// finished sub-agents at once.
// Foreground work and hidden rows go too.
func (k Keep) apply(tasks []task.Task, now time.Time) []task.Task {
	var out []task.Task
	ended := map[string][]task.Task{}
	for _, t := range tasks {
		switch {
		case t.Foreground || t.Hidden:
		case !t.Status.Ended() || k.Ended:
			out = append(out, t)
		case k.stays(t, now):
			ended[t.Session] = append(ended[t.Session], t)
		}
	}
	for _, list := range ended {
		slices.SortStableFunc(list, func(a, b task.Task) int { return b.Ended.Compare(a.Ended) })
		n := 0
		for _, t := range list {
			if n++; n <= k.Max {
				out = append(out, t)
			}
		}
	}
	sortTasks(out)
	return out
}

func (k Keep) stays(t task.Task, now time.Time) bool {
	if t.Kind != task.Shell && t.Kind != task.Monitor && t.Kind != task.Workflow {
		return false
	}
	end := t.Ended
	if end.IsZero() {
		end = t.StatusAt
	}
	age := now.Sub(end).Abs() // a time still to come is as wrong as it is far
	bad := t.Status == task.Failed || t.Status == task.TimedOut
	return age <= k.For || (bad && !t.Seen && age <= k.For+unseenFor)
}

// sortTasks puts running tasks first, oldest start first, then ended ones,
// newest end first; the id decides the rest, so that rows never dance.
func sortTasks(tasks []task.Task) {
	slices.SortStableFunc(tasks, func(a, b task.Task) int {
		if ae, be := a.Status.Ended(), b.Status.Ended(); ae != be {
			if ae {
				return 1
			}
			return -1
		} else if ae {
			if c := b.Ended.Compare(a.Ended); c != 0 {
				return c
			}
		} else if c := a.Started.Compare(b.Started); c != 0 {
			return c
		}
		if a.ID < b.ID {
			return -1
		}
		if a.ID > b.ID {
			return 1
		}
		return 0
	})
}
