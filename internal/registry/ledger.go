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
	// unwritten are intents that only this program knows: the store refused them.
	unwritten map[store.RunKey]store.StopIntent
	// note is how the ledger was opened, reading and writing why that does not work
	// now; each one sentence.
	note, reading, writing string
}

// trouble is one sentence when the ledger cannot be used, "" while all is well.
func (l *ledger) trouble() string { return first(l.reading, l.writing, l.note) }

// retention is how far back intents and marks matter (R6).
const retention = 7 * 24 * time.Hour

// open opens the store in dir; "" goes without.
func (l *ledger) open(dir string, readOnly bool) {
	l.init()
	if dir == "" || readOnly && !store.Exists(dir) {
		return
	}
	s, err := store.Open(dir)
	if err != nil {
		l.note = "The ledger cannot be used (" + err.Error() + "): stops and counts are not kept over a restart."
		return
	}
	l.store, l.note = s, s.Note()
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
		l.reading = "The ledger cannot be read: what was stopped from here may be shown as failed. It is tried again."
		l.init()
		return
	}
	for k, i := range l.unwritten {
		stops[k] = i
	}
	l.reading = ""
	l.stops, l.seen, l.version, l.read = stops, seen, v, true
}

func (l *ledger) init() {
	if l.stops == nil {
		l.stops = map[store.RunKey]store.StopIntent{}
	}
	if l.unwritten == nil {
		l.unwritten = map[store.RunKey]store.StopIntent{}
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
	k := store.RunKey{Task: i.Task, Run: i.Run}
	l.stops[k] = i
	if l.store == nil {
		return nil
	}
	err := l.store.PutStop(i)
	if delete(l.unwritten, k); err != nil {
		l.unwritten[k] = i
	}
	return l.wrote(err)
}

// wrote notes whether the ledger could be written just now.
func (l *ledger) wrote(err error) error {
	l.writing = ""
	if err != nil {
		l.writing = "The ledger cannot be written: " + err.Error() + ". Another program may show what was stopped from here as failed."
	}
	return err
}

// prune forgets what is older than the ledger keeps (R6); what fails now is done
// by the next program.
func (l *ledger) prune(now time.Time) {
	if l.store != nil {
		_ = l.store.Prune(now, retention)
	}
}

// takeBack forgets an intent after which nothing was ended.
func (l *ledger) takeBack(k store.RunKey) {
	l.init()
	delete(l.stops, k)
	delete(l.unwritten, k)
	if l.store != nil {
		_ = l.wrote(l.store.DropStop(k.Task, k.Run))
	}
}

func (l *ledger) see(k store.RunKey, now time.Time) {
	l.init()
	if l.seen[k] {
		return
	}
	l.seen[k] = true
	if l.store != nil {
		_ = l.wrote(l.store.PutSeen(k, now))
	}
}
