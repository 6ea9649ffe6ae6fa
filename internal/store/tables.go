package store

import (
	"database/sql"
	"errors"
	"time"
)

// FileKey names a file by what survives a rename and not a replacement.
type FileKey struct {
	Dev, Ino uint64
	// Birth is the file's birth time in nanoseconds, 0 where the system has none.
	Birth int64
}

// maxFact bounds one checkpoint; a larger one is not kept.
const maxFact = 2 << 20

// Fact is the checkpoint of an output that was counted up to Offset.
type Fact struct {
	Offset int64
	Data   []byte
}

// Fact reads a checkpoint; ok is false where there is none.
func (s *Store) Fact(k FileKey) (f Fact, ok bool, err error) {
	err = s.QueryRow("SELECT offset, data FROM fact WHERE dev=? AND ino=? AND birth=?", int64(k.Dev), int64(k.Ino), k.Birth).Scan(&f.Offset, &f.Data)
	if errors.Is(err, sql.ErrNoRows) {
		return Fact{}, false, nil
	}
	return f, err == nil, wrap("read a checkpoint", err)
}

// PutFact keeps a checkpoint. One that is not further than the present one is
// left away, so that two programs never turn each other back.
func (s *Store) PutFact(k FileKey, f Fact, now time.Time) error {
	if len(f.Data) > maxFact {
		return nil
	}
	_, err := s.change(`INSERT INTO fact(dev,ino,birth,offset,data,at) VALUES(?,?,?,?,?,?)
		ON CONFLICT(dev,ino,birth) DO UPDATE SET offset=excluded.offset, data=excluded.data, at=excluded.at
		WHERE excluded.offset > fact.offset`, int64(k.Dev), int64(k.Ino), k.Birth, f.Offset, f.Data, now.Unix())
	return wrap("keep a checkpoint", err)
}

// DropFact forgets a checkpoint whose file was truncated.
func (s *Store) DropFact(k FileKey) error {
	_, err := s.change("DELETE FROM fact WHERE dev=? AND ino=? AND birth=?", int64(k.Dev), int64(k.Ino), k.Birth)
	return wrap("drop a checkpoint", err)
}

// StopIntent says that a person asked to stop a run from here; it is written
// before the first signal, so that the end is known as a stop whatever the
// agent writes afterwards (K7).
type StopIntent struct {
	Task string
	Run  int
	At   time.Time
	// PID of the program of ours that stops; 0 where an agent asked it to.
	PID int
	// Proven: every process was seen dead.
	Proven bool
	// Clock: its time was over (H1); else a person asked.
	Clock bool
}

// PutStop writes an intent; a second one for the same run changes nothing but
// the proof.
func (s *Store) PutStop(i StopIntent) error {
	_, err := s.change(`INSERT INTO stop_intent(task,run,at,pid,proven,clock) VALUES(?,?,?,?,?,?)
		ON CONFLICT(task,run) DO UPDATE SET proven=max(proven, excluded.proven)`, i.Task, i.Run, i.At.UnixMilli(), i.PID, i.Proven, i.Clock)
	return wrap("write the stop into the ledger", err)
}

// DropStop takes an intent back: nothing was stopped.
func (s *Store) DropStop(task string, run int) error {
	_, err := s.change("DELETE FROM stop_intent WHERE task=? AND run=?", task, run)
	return wrap("take a stop back", err)
}

// RunKey is one run of one task.
type RunKey struct {
	Task string
	Run  int
}

// Stops are the intents since a time.
func (s *Store) Stops(since time.Time) (map[RunKey]StopIntent, error) {
	clock := "clock"
	if s.version < stopClock { // a listing of an older ledger changes nothing in it
		clock = "0"
	}
	rows, err := s.Query("SELECT task,run,at,pid,proven,"+clock+" FROM stop_intent WHERE at>=?", since.UnixMilli())
	if err != nil {
		return nil, wrap("read the stops", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[RunKey]StopIntent{}
	for rows.Next() {
		var i StopIntent
		var at int64
		if err := rows.Scan(&i.Task, &i.Run, &at, &i.PID, &i.Proven, &i.Clock); err != nil {
			return nil, wrap("read the stops", err)
		}
		i.At = time.UnixMilli(at)
		out[RunKey{i.Task, i.Run}] = i
	}
	return out, wrap("read the stops", rows.Err())
}

// PutSeen notes that a person opened the console of a run.
func (s *Store) PutSeen(k RunKey, now time.Time) error {
	_, err := s.change("INSERT OR IGNORE INTO seen(task,run,at) VALUES(?,?,?)", k.Task, k.Run, now.Unix())
	return wrap("note what was seen", err)
}

// Seen are the runs whose console was opened since a time.
func (s *Store) Seen(since time.Time) (map[RunKey]bool, error) {
	rows, err := s.Query("SELECT task,run FROM seen WHERE at>=?", since.Unix())
	if err != nil {
		return nil, wrap("read what was seen", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[RunKey]bool{}
	for rows.Next() {
		var k RunKey
		if err := rows.Scan(&k.Task, &k.Run); err != nil {
			return nil, wrap("read what was seen", err)
		}
		out[k] = true
	}
	return out, wrap("read what was seen", rows.Err())
}

// Prune forgets what is older than keep (R6: seven days).
func (s *Store) Prune(now time.Time, keep time.Duration) error {
	old := now.Add(-keep)
	for _, step := range []struct {
		sql string
		at  int64
	}{
		{"DELETE FROM fact WHERE at<?", old.Unix()},
		{"DELETE FROM stop_intent WHERE at<?", old.UnixMilli()},
		{"DELETE FROM seen WHERE at<?", old.Unix()},
		{"DELETE FROM news WHERE at<?", old.UnixMilli()},
	} {
		if _, err := s.change(step.sql, step.at); err != nil {
			return wrap("prune the ledger", err)
		}
	}
	return nil
}

// Version is SQLite's counter of changes made by other connections: cheap to
// ask for, and different as soon as another process wrote. Where another program
// has put the file aside, the new one is opened, which is news too.
func (s *Store) Version() (int64, error) {
	if err := s.follow(); err != nil {
		return 0, err
	}
	var v int64
	err := s.QueryRow("PRAGMA data_version").Scan(&v)
	return v + s.exchanged.Load()<<32, wrap("ask for news in the ledger", err)
}
