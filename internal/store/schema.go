package store

import "fmt"

// steps are the forward-only changes of the schema; the ledger's user_version
// is how many of them it has seen.
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
}

// migrate applies the steps that the ledger has not seen, in one transaction
// that also keeps other processes out.
func (s *Store) migrate() error {
	var version int
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return wrap("read the ledger's version", err)
	}
	if version == len(steps) {
		return nil
	}
	tx, err := s.db.Begin()
	if err != nil {
		return wrap("lock the ledger", err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return wrap("read the ledger's version", err)
	}
	if version > len(steps) {
		return ErrNewer
	}
	for i := version; i < len(steps); i++ {
		if _, err := tx.Exec(steps[i]); err != nil {
			return wrap(fmt.Sprintf("change the ledger, step %d", i+1), err)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA user_version=%d", len(steps))); err != nil {
		return wrap("write the ledger's version", err)
	}
	return wrap("change the ledger", tx.Commit())
}
