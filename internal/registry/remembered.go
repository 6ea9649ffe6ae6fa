package registry

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/task"
)

// How many ended tasks of the ledger are looked at: those that a list may still
// show, and with everything wanted, those that it still has.
const (
	maxEnded    = 500
	maxEndedAll = 5000
	// fewEnded are looked at for the first frame of a panel, a page of them.
	fewEnded = 50
)

// remembered are ended tasks as the ledger has them, for what no source tells any
// more: the agent cleaned up, or has not been read yet (G1).
type remembered struct {
	all   bool
	tasks []task.Task
	// untold says of an ended run that the news of its end reached nobody (N1).
	untold map[store.RunKey]string
	// hooked are the tasks whose agent has a hook of ours.
	hooked map[string]bool
	// spared are those that a person keeps (R6).
	spared map[string]bool
}

// readRemembered asks the ledger for at most so many, or for all where all are
// wanted.
func readRemembered(s *store.Store, now time.Time, keep Keep, most int, probe ledger.Probe) (remembered, error) {
	since := now.Add(-keep.For - unseenFor)
	if keep.Ended {
		since, most = time.Time{}, maxEndedAll // the retention forgets all but what is kept
	}
	list, err := s.Ended(since, most)
	if err != nil {
		return remembered{}, err
	}
	open, err := s.Open()
	out := remembered{all: keep.Ended, untold: map[store.RunKey]string{}, hooked: map[string]bool{}, spared: map[string]bool{}}
	for _, r := range list {
		out.tasks = append(out.tasks, fromRecord(r))
		if words := untoldWords(r, probe); words != "" {
			out.untold[store.RunKey{Task: r.ID, Run: r.Run}] = words
		}
	}
	for _, r := range append(open, list...) {
		if r.Delivery.Route == hookRoute {
			out.hooked[r.ID] = true
		}
		if r.Keep {
			out.spared[r.ID] = true
		}
	}
	return out, err
}

// fromRecord is a record as a row: what can be read and done is looked at here.
func fromRecord(r task.Record) task.Task {
	t := ledger.ToTask(r)
	if t.Output.Path == "" {
		return t
	}
	key, _, ok := keyOf(t.Output.Path)
	switch {
	case ok && (r.Output.Ino == 0 || key.Dev == r.Output.Dev && key.Ino == r.Output.Ino):
		t.Can.Read = true
	case ok:
		t.Output.Path, t.Trouble = "", "Its output file was replaced by another one."
	default:
		if _, err := os.Lstat(t.Output.Path); errors.Is(err, fs.ErrNotExist) {
			t.Trouble = "Its output was removed."
		} else {
			t.Trouble = "Its output cannot be read."
		}
		t.Output.Path = ""
	}
	return t
}

// withRemembered adds the tasks of the ledger that no source tells of, and the
// sessions that they belong to. One that the ledger takes for lost waits until
// all sources have answered: it may be found alive the next moment.
func withRemembered(raw task.Snapshot, kept []task.Task, settled bool) task.Snapshot {
	if len(kept) == 0 {
		return raw
	}
	told := make(map[string]bool, len(raw.Tasks))
	for _, t := range raw.Tasks {
		told[t.ID] = true
	}
	sessions := make(map[string]bool, len(raw.Sessions))
	for _, s := range raw.Sessions {
		sessions[s.ID] = true
	}
	raw.Tasks = append([]task.Task(nil), raw.Tasks...)
	raw.Sessions = append([]task.Session(nil), raw.Sessions...)
	for _, t := range kept {
		if told[t.ID] || t.Status == task.Lost && !settled {
			continue
		}
		raw.Tasks = append(raw.Tasks, t)
		if agent, native, ok := strings.Cut(t.Session, ":"); ok && !sessions[t.Session] {
			sessions[t.Session] = true
			raw.Sessions = append(raw.Sessions, task.Session{ID: t.Session, Agent: agent, Native: native, Cwd: t.Cwd, State: task.EndedSession, AgentGone: true})
		}
	}
	return raw
}
