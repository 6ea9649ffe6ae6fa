package ledger

import (
	"time"

	"offstage/task"
)

// Watcher is one reader of the events (I3), with its own place in them.
type Watcher struct {
	b      *Book
	cursor int64
	// sessions watched; empty watches all.
	sessions []string
	wants    func(task.News) bool
	idle     bool
}

// Watch begins behind the newest event. Wants nil is the default: finished
// sub-agents and every failure.
func (b *Book) Watch(sessions []string, wants func(task.News) bool) (*Watcher, error) {
	if wants == nil {
		wants = ToldByDefault
	}
	at, err := b.s.LastNews()
	return &Watcher{b: b, cursor: at, sessions: sessions, wants: wants}, err
}

// newsBatch bounds one answer.
const newsBatch = 500

// Next is what came since the last call; more says that there is more at once.
func (w *Watcher) Next() (news []task.News, more bool, err error) {
	list, err := w.b.s.News(w.cursor, newsBatch)
	for _, n := range list {
		w.cursor = n.Seq
		if w.watches(n.Session) && w.wants(n) {
			news = append(news, n)
		}
	}
	return news, len(list) == newsBatch, err
}

func (w *Watcher) watches(session string) bool {
	if len(w.sessions) == 0 {
		return true
	}
	for _, s := range w.sessions {
		if s == session {
			return true
		}
	}
	return false
}

// Idle is the event all_idle, once each time that the watched sessions come to
// rest, and at the first look if they are at rest then.
func (w *Watcher) Idle(s task.Snapshot, now time.Time) (task.News, bool) {
	was := w.idle
	w.idle = AllIdleNow(s, w.sessions)
	if was || !w.idle {
		return task.News{}, false
	}
	n := task.News{At: now, Kind: task.AllIdle}
	return n, w.wants(n)
}
