package store

import (
	"database/sql"
	"fmt"
	"time"
)

// lockBeside keeps other processes from making, changing or exchanging the
// ledger at path, by an exclusive transaction in an empty database beside it:
// the same lock on every system, freed by the kernel when its holder dies. It
// is waited for as long as patience, at least ten seconds: a change of a large
// ledger takes its time.
func lockBeside(path string, patience time.Duration) (unlock func(), err error) {
	side := path + ".lock"
	if err := prepare(side); err != nil {
		return nil, err
	}
	wait := max(2*patience, 10*time.Second)
	db, err := dial(side, []string{fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds())})
	if err != nil {
		return nil, err
	}
	var tx *sql.Tx
	if tx, err = db.Begin(); err == nil {
		// An IMMEDIATE transaction in a database without a log already keeps out
		// every other one.
		return func() {
			_ = tx.Rollback()
			_ = db.Close()
		}, nil
	}
	_ = db.Close()
	return nil, wrap("lock the ledger's folder", err)
}
