package store

import (
	"fmt"
	"os"
	"path/filepath"

	"offstage/internal/fsys"
)

// steps are the forward-only changes of the schema; the ledger's user_version
// is how many of them it has seen. A step that was published is never changed:
// a new one is put at the end. Steps only add, so that a program of the day
// before, which has the ledger open, goes on undisturbed.
var steps = []string{
	`CREATE TABLE fact(
		dev INTEGER NOT NULL, ino INTEGER NOT NULL, birth INTEGER NOT NULL,
		offset INTEGER NOT NULL, data BLOB NOT NULL, at INTEGER NOT NULL,
		PRIMARY KEY(dev, ino, birth)) STRICT, WITHOUT ROWID;
	CREATE INDEX fact_at ON fact(at);
	CREATE TABLE stop_intent(
		task TEXT NOT NULL, run INTEGER NOT NULL, at INTEGER NOT NULL,
		pid INTEGER NOT NULL, proven INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY(task, run)) STRICT, WITHOUT ROWID;
	CREATE INDEX stop_at ON stop_intent(at);
	CREATE TABLE seen(
		task TEXT NOT NULL, run INTEGER NOT NULL, at INTEGER NOT NULL,
		PRIMARY KEY(task, run)) STRICT, WITHOUT ROWID;`,
	recordStep,
	`ALTER TABLE stop_intent ADD COLUMN clock INTEGER NOT NULL DEFAULT 0`,
	placeStep,
	listStep,
	rowStep,
}

// stopClock is the version from which on a stop says whether a clock did it.
const stopClock = 3

// migrate applies the steps that the ledger has not seen, in one transaction,
// after a copy of the old file. The side lock is held.
func (s *Store) migrate() error {
	if s.version == len(steps) {
		return nil
	}
	if s.version > 0 {
		if err := s.copyAside(); err != nil {
			return err
		}
	}
	tx, err := s.get().Begin()
	if err != nil {
		return wrap("lock the ledger", err)
	}
	defer func() { _ = tx.Rollback() }()
	for i := s.version; i < len(steps); i++ {
		if _, err := tx.Exec(steps[i]); err != nil {
			return wrap(fmt.Sprintf("change the ledger, step %d", i+1), err)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version=%d", len(steps))); err != nil {
		return wrap("write the ledger's version", err)
	}
	if err := tx.Commit(); err != nil {
		return wrap("change the ledger", err)
	}
	s.begun.Store(s.version == 0)
	s.version = len(steps)
	return nil
}

// copyAside keeps the ledger as it was before a change, beside it; only the
// newest such copy stays.
func (s *Store) copyAside() error {
	copied := fmt.Sprintf("%s.v%d", s.path, s.version)
	old, _ := filepath.Glob(s.path + ".v*")
	for _, o := range old {
		_ = os.Remove(o)
	}
	f, err := fsys.CreatePrivate(copied)
	if err != nil {
		return wrap("copy the ledger before its change", err)
	}
	if err := f.Close(); err != nil {
		return wrap("copy the ledger before its change", err)
	}
	if _, err := s.Exec("VACUUM INTO ?", copied); err != nil {
		_ = os.Remove(copied)
		return wrap("copy the ledger before its change", err)
	}
	return nil
}
