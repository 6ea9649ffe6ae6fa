package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"modernc.org/sqlite"
)

// Tx is one IMMEDIATE transaction: from its begin no other process writes.
type Tx struct {
	reads
}

// inTx is a transaction that uses the statements that are parsed already. It
// parses none: the one connection is its own.
type inTx struct {
	*sql.Tx
	h *handle
}

func (t inTx) Query(query string, args ...any) (*sql.Rows, error) {
	if st := t.h.often(query, false); st != nil {
		return t.Stmt(st).Query(args...)
	}
	return t.Tx.Query(query, args...)
}

func (t inTx) Exec(query string, args ...any) (sql.Result, error) {
	if st := t.h.often(query, false); st != nil {
		return t.Stmt(st).Exec(args...)
	}
	return t.Tx.Exec(query, args...)
}

// Update runs f in one IMMEDIATE transaction and commits it if f returns nil. A
// durable one is on the disk when Update returns (0.2 ms more); others survive
// a crash of any process but perhaps not one of the machine. f must ask the Tx
// only: the store would wait for the transaction, and so for ever.
func (s *Store) Update(durable bool, f func(*Tx) error) error {
	if s.reader {
		return ErrReader
	}
	s.prepareOften()
	conn, err := s.get().Conn(context.Background())
	if err != nil {
		return wrap("lock the ledger", err)
	}
	defer func() { _ = conn.Close() }()
	if durable && !s.full.Load() {
		_, err = conn.ExecContext(context.Background(), "PRAGMA synchronous=FULL")
		if err != nil {
			return wrap("lock the ledger", err)
		}
		defer func() { _, _ = conn.ExecContext(context.Background(), "PRAGMA synchronous=NORMAL") }()
	}
	tx, end, err := s.begin(conn)
	if err != nil {
		return wrap("lock the ledger", err)
	}
	defer end()
	defer func() { _ = tx.Rollback() }()
	if err := f(&Tx{reads{q: inTx{tx, s.handle}}}); err != nil {
		return err
	}
	return wrap("write the ledger", tx.Commit())
}

// SQLite waits for a lock with sleeps that grow to a tenth of a second: of many
// busy writers one may then wait for ever. So it is not let wait: a first try is
// cut off soon, and all that follow ask once each and sleep shortly. Those have no
// clock: on a machine that is so busy that a try takes long by itself, one that
// got the lock keeps it.
const (
	oneTry    = 3 * time.Millisecond
	betweenIn = 2 * time.Millisecond
)

// begin begins an IMMEDIATE transaction, in tries, for as long as the store's
// patience; end is due after it.
func (s *Store) begin(conn *sql.Conn) (tx *sql.Tx, end func(), err error) {
	if tx, end, err = try(conn); err == nil || !waits(err) {
		return tx, end, err
	}
	if err := busyTimeout(conn, 0); err != nil {
		return nil, nil, err
	}
	end = func() {}
	for began := time.Now(); ; {
		if tx, err = conn.BeginTx(context.Background(), nil); err == nil || !waits(err) {
			break
		}
		if time.Since(began) >= s.how.patience {
			err = ErrLocked
			break
		}
		time.Sleep(time.Duration(rand.Int64N(int64(betweenIn))))
	}
	if back := busyTimeout(conn, s.how.patience); err == nil && back != nil {
		_ = tx.Rollback()
		err = back
	}
	return tx, end, err
}

// busyTimeout sets how long SQLite itself waits for a lock on conn.
func busyTimeout(conn *sql.Conn, d time.Duration) error {
	_, err := conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA busy_timeout=%d", d.Milliseconds()))
	return err
}

// errTryOver: the lock was not free within one try.
var errTryOver = errors.New("the lock is held")

// try is one try: a transaction whose context can no more be cancelled, or none.
func try(conn *sql.Conn) (*sql.Tx, func(), error) {
	ctx, cancel := context.WithCancel(context.Background())
	over := time.AfterFunc(oneTry, cancel)
	tx, err := conn.BeginTx(ctx, nil)
	late := !over.Stop() // the context is cancelled, or will be at once
	if err == nil && !late {
		return tx, cancel, nil
	}
	cancel()
	if tx != nil {
		_ = tx.Rollback()
	}
	if late {
		err = errTryOver
	}
	return nil, nil, err
}

// waits says whether an error is only that of a lock which another process holds.
func waits(err error) bool {
	var e *sqlite.Error
	return errors.Is(err, errTryOver) || errors.As(err, &e) && ofCode(e.Code()) == ErrLocked
}

// change runs one statement in a transaction of its own.
func (s *Store) change(query string, args ...any) (sql.Result, error) {
	var res sql.Result
	err := s.Update(false, func(t *Tx) error {
		var err error
		res, err = t.q.Exec(query, args...)
		return err
	})
	return res, err
}
