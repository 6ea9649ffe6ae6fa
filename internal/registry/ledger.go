package registry

import (
	"time"

	"offstage/internal/store"
)

// ledger is what the store knows, held in memory and read again only when
// another process wrote. Without a store it lives for this run of the program.
type ledger struct {
	store *store.Store

	stops   map[store.RunKey]store.StopIntent
	seen    map[store.RunKey]bool
	version int64
	read    bool
	asked   time.Time
	// trouble is one sentence when the ledger cannot be read or written.
	trouble string
}

// retention is how far back intents and marks matter (R6).
const retention = 7 * 24 * time.Hour

// open opens the store in dir; "" goes without.
func (l *ledger) open(dir string) {
	l.init()
	if dir == "" {
		return
	}
	s, err := store.Open(dir)
	if err != nil {
		l.trouble = "The ledger cannot be used (" + err.Error() + "): stops and counts are not kept over a restart."
		return
	}
	l.store, l.trouble = s, s.Note()
}

func (l *ledger) close() error {
	if l.store == nil {
		return nil
	}
	return l.store.Close()
}

// refresh reads the ledger again if somebody else changed it, at most four
// times a second.
func (l *ledger) refresh(now time.Time) {
	if l.store == nil {
		l.init()
		return
	}
	if l.read && time.Since(l.asked) < 250*time.Millisecond {
		return
	}
	l.asked = time.Now()
	v, err := l.store.Version()
	if err == nil && l.read && v == l.version {
		return
	}
	stops, serr := l.store.Stops(now.Add(-retention))
	seen, merr := l.store.Seen(now.Add(-retention))
	if err != nil || serr != nil || merr != nil {
		l.trouble = "the ledger cannot be read: what was stopped from here may be shown as failed"
		l.init()
		return
	}
	l.stops, l.seen, l.version, l.read = stops, seen, v, true
}

func (l *ledger) init() {
	if l.stops == nil {
		l.stops = map[store.RunKey]store.StopIntent{}
	}
	if l.seen == nil {
		l.seen = map[store.RunKey]bool{}
	}
}

// intend writes a stop down before the first signal. A ledger that cannot be
// written (a full disk) must not stop the stop: it is kept in memory, and the
// error is for the report.
func (l *ledger) intend(i store.StopIntent) error {
	l.init()
	l.stops[store.RunKey{Task: i.Task, Run: i.Run}] = i
	if l.store == nil {
		return nil
	}
	return l.store.PutStop(i)
}

// takeBack forgets an intent after which nothing was ended.
func (l *ledger) takeBack(k store.RunKey) {
	l.init()
	delete(l.stops, k)
	if l.store != nil {
		if err := l.store.DropStop(k.Task, k.Run); err != nil {
			l.trouble = "the ledger cannot be written: " + err.Error()
		}
	}
}

func (l *ledger) see(k store.RunKey, now time.Time) {
	l.init()
	if l.seen[k] {
		return
	}
	l.seen[k] = true
	if l.store != nil {
		if err := l.store.PutSeen(k, now); err != nil {
			l.trouble = "the ledger cannot be written: " + err.Error()
		}
	}
}
