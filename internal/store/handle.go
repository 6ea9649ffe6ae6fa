package store

import (
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
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
	// full: each transaction is on the disk when it ends, asked for or not.
	full atomic.Bool
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
