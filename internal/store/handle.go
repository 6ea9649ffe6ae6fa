package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// querier is what a question needs: the database, or a transaction in it.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
	QueryRow(query string, args ...any) *sql.Row
	Exec(query string, args ...any) (sql.Result, error)
}

// handle is the database under a store; it is exchanged when the file is.
type handle struct {
	mu sync.RWMutex
	db *sql.DB
	// ready are statements that were asked often enough to be kept parsed.
	ready *statements
	// sync is how a transaction reaches the disk when nobody asks for more.
	sync string
}

var errClosed = errors.New("the ledger is closed")

func (h *handle) set(db *sql.DB) {
	h.mu.Lock()
	old := h.db
	h.db, h.ready = db, &statements{db: db, asked: map[string]int{}, kept: map[string]*sql.Stmt{}}
	h.mu.Unlock()
	if old != nil {
		_ = old.Close()
	}
}

// drop closes the database, if there is one.
func (h *handle) drop() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.db == nil {
		return nil
	}
	db := h.db
	h.db, h.ready = nil, nil
	return db.Close()
}

func (h *handle) get() *sql.DB {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.db == nil {
		return closedDB
	}
	return h.db
}

// closedDB answers every question with an error.
var closedDB = sql.OpenDB(closed{})

// Query asks for rows; the caller closes them before it asks anything else.
func (h *handle) Query(query string, args ...any) (*sql.Rows, error) {
	if st := h.often(query, true); st != nil {
		return st.Query(args...)
	}
	return h.get().Query(query, args...)
}

// QueryRow asks for one row.
func (h *handle) QueryRow(query string, args ...any) *sql.Row {
	return h.get().QueryRow(query, args...)
}

// Exec runs a statement in a transaction of its own.
func (h *handle) Exec(query string, args ...any) (sql.Result, error) {
	return h.get().Exec(query, args...)
}

// Tx is one IMMEDIATE transaction: from its begin no other process writes.
type Tx struct {
	reads
}

// often is the statement for a query that is asked often, nil for others; it is
// parsed now if it may be.
func (h *handle) often(query string, parse bool) *sql.Stmt {
	h.mu.RLock()
	ready := h.ready
	h.mu.RUnlock()
	if ready == nil {
		return nil
	}
	return ready.get(query, parse)
}

// prepareOften parses what transactions ask for often.
func (h *handle) prepareOften() {
	h.mu.RLock()
	ready := h.ready
	h.mu.RUnlock()
	if ready != nil {
		ready.prepare()
	}
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
	if durable {
		_, err = conn.ExecContext(context.Background(), "PRAGMA synchronous=FULL")
		if err != nil {
			return wrap("lock the ledger", err)
		}
		defer func() { _, _ = conn.ExecContext(context.Background(), "PRAGMA synchronous="+s.sync) }()
	}
	tx, err := conn.BeginTx(context.Background(), nil)
	if err != nil {
		return wrap("lock the ledger", err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := f(&Tx{reads{q: inTx{tx, s.handle}}}); err != nil {
		return err
	}
	return wrap("write the ledger", tx.Commit())
}
