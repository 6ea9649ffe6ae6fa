package store

import (
	"fmt"
	"time"
)

// Where a person stood in the output of a run (spec 1 B14): bytes of the window's
// own, which nothing here reads.

const placeStep = `CREATE TABLE place(
	task TEXT NOT NULL, run INTEGER NOT NULL, at INTEGER NOT NULL, data BLOB NOT NULL,
	PRIMARY KEY(task, run)) STRICT, WITHOUT ROWID;
CREATE INDEX place_at ON place(at);`

// MaxPlace bounds one place, in bytes; mostPlaces how many are kept, newest first.
const (
	MaxPlace   = 4 << 10
	mostPlaces = 300
)

// Place gives the place of a run, nil where none is kept.
func (s *Store) Place(k RunKey) ([]byte, error) {
	var data []byte
	err := s.QueryRow("SELECT data FROM place WHERE task=? AND run=?", k.Task, k.Run).Scan(&data)
	if none(err) {
		return nil, nil
	}
	return data, wrap("read a place", err)
}

// PutPlace keeps the place of a run and lets the oldest go; no data forgets it.
func (s *Store) PutPlace(k RunKey, data []byte, now time.Time) error {
	switch {
	case s.reader:
		return ErrReader
	case len(data) > MaxPlace:
		return fmt.Errorf("keep a place: it has %d bytes, more than %d", len(data), MaxPlace)
	case len(data) == 0:
		_, err := s.Exec("DELETE FROM place WHERE task=? AND run=?", k.Task, k.Run)
		return wrap("forget a place", err)
	}
	if _, err := s.Exec("INSERT OR REPLACE INTO place(task,run,at,data) VALUES(?,?,?,?)", k.Task, k.Run, milli(now), data); err != nil {
		return wrap("keep a place", err)
	}
	_, err := s.Exec("DELETE FROM place WHERE at < (SELECT at FROM place ORDER BY at DESC LIMIT 1 OFFSET ?)", mostPlaces-1)
	return wrap("let old places go", err)
}
