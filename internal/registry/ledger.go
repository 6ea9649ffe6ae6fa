package registry

import (
	"time"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// ledgerMemory is what the store knows, held in memory and read again only when
// another process wrote. Without a store it lives for this run of the program.
type ledgerMemory struct {
	store *store.Store

	stops   map[store.RunKey]store.StopIntent
	seen    map[store.RunKey]bool
	version int64
	read    bool
	asked   time.Time
	// unwritten are intents that only this program knows: the store refused them.
	unwritten map[store.RunKey]store.StopIntent
	// diary writes what changes in tasks; nil where nothing is written.
	diary *diary
	// probe says whether the process of a record lives.
	probe ledger.Probe
	// kept are ended tasks that no source may tell of any more.
	kept remembered
	// brief: no more than a page of them is read; cut: there were more.
	brief, cut bool
	// plans are the task lists that agents keep with us, by session.
	plans map[string]task.Plan
	// note is how the ledger was opened, reading and writing why that does not work
	// now; each one sentence.
	note, reading, writing string
	// sweeping is why the ledger could not be tidied last.
	sweeping string
}

// trouble is one sentence when the ledger cannot be used, "" while all is well.
func (l *ledgerMemory) trouble() string {
	told := ""
	if l.diary != nil {
		if told = l.diary.trouble(); told != "" {
			told = "What happens to tasks cannot be written into the ledger: " + told
		}
	}
	return first(l.reading, l.writing, told, l.sweeping, l.note)
}

// retention is how far back intents and marks matter (R6).
const retention = 7 * 24 * time.Hour

// open opens the store in dir; "" goes without.
func (l *ledgerMemory) open(dir string, readOnly bool, w *world.World) {
	l.init()
	if dir == "" || readOnly && !store.Exists(dir) {
		return
	}
	open := store.Open
	if readOnly {
		open = store.OpenReader
	}
	s, err := open(dir)
	if err != nil {
		l.note = "The ledger cannot be used (" + err.Error() + "): stops and counts are not kept over a restart."
		return
	}
	l.store, l.note = s, s.Note()
	d := newDiary(s, w)
	l.probe = d.probe
	if !readOnly && !s.ReadOnly() {
		l.diary = d
	}
}

func (l *ledgerMemory) close() error {
	if l.store == nil {
		return nil
	}
	if l.diary != nil {
		l.diary.flush(closePatience)
	}
	return l.store.Close()
}

// closePatience is how long the end of a program waits for the last word to be
// written; what is missed another program sees.
const closePatience = time.Second

// refresh reads the ledger again if somebody else changed it, at most four
// times a second.
func (l *ledgerMemory) refresh(now time.Time, keep Keep) {
	if l.store == nil {
		l.init()
		return
	}
	if l.read && time.Since(l.asked) < 250*time.Millisecond {
		return
	}
	l.asked = time.Now()
	v, err := l.store.Version()
	if err == nil && l.read && v == l.version && l.kept.all == keep.Ended {
		return
	}
	stops, serr := l.store.Stops(now.Add(-retention))
	seen, merr := l.store.Seen(now.Add(-retention))
	most := maxEnded
	if l.brief {
		most = fewEnded
	}
	kept, kerr := readRemembered(l.store, now, keep, most, l.probe)
	if l.cut = l.brief && len(kept.tasks) == most; l.cut {
		l.asked, v = time.Time{}, -1 // the rest with the next question
	}
	plans, perr := readLists(l.store)
	if err != nil || serr != nil || merr != nil || kerr != nil || perr != nil {
		l.reading = "The ledger cannot be read: what was stopped from here may be shown as failed. It is tried again."
		l.init()
		return
	}
	for k, i := range l.unwritten {
		stops[k] = i
	}
	l.reading = ""
	l.stops, l.seen, l.kept, l.plans, l.version, l.read = stops, seen, kept, plans, v, true
}

func (l *ledgerMemory) init() {
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
func (l *ledgerMemory) intend(i store.StopIntent) error {
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
func (l *ledgerMemory) wrote(err error) error {
	l.writing = ""
	if err != nil {
		l.writing = "The ledger cannot be written: " + err.Error() + ". Another program may show what was stopped from here as failed."
	}
	return err
}

// prune forgets what is older than the ledger keeps (R6); what fails now is done
// by the next program.
func (l *ledgerMemory) prune(now time.Time) {
	if l.store != nil {
		_ = l.store.Prune(now, retention)
	}
}

// takeBack forgets an intent after which nothing was ended.
func (l *ledgerMemory) takeBack(k store.RunKey) {
	l.init()
	delete(l.stops, k)
	delete(l.unwritten, k)
	if l.store != nil {
		_ = l.wrote(l.store.DropStop(k.Task, k.Run))
	}
}

func (l *ledgerMemory) see(k store.RunKey, now time.Time) {
	l.init()
	if l.seen[k] {
		return
	}
	l.seen[k] = true
	if l.store != nil {
		_ = l.wrote(l.store.PutSeen(k, now))
	}
}
