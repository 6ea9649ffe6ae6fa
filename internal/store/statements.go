package store

import (
	"database/sql"
	"sync"
)

// Parsing a statement costs more than carrying it out. A statement that is asked
// for the third time is kept parsed; a program that writes once pays nothing.
const (
	oftenEnough   = 3
	statementsMax = 32
)

// statements are the parsed ones of one database, bounded in number: the texts
// are constants of this package.
type statements struct {
	mu    sync.Mutex
	db    *sql.DB
	asked map[string]int
	kept  map[string]*sql.Stmt
}

// get counts and gives the parsed statement, nil where there is none (yet). With
// parse it is parsed when its time has come; the caller has no transaction open
// then.
func (s *statements) get(query string, parse bool) *sql.Stmt {
	s.mu.Lock()
	st := s.kept[query]
	if st == nil && (len(s.asked) < 4*statementsMax || s.asked[query] > 0) {
		s.asked[query]++
	}
	due := st == nil && parse && s.due(query)
	s.mu.Unlock()
	if due {
		return s.keep(query)
	}
	return st
}

// due is asked with the lock held.
func (s *statements) due(query string) bool {
	return s.asked[query] >= oftenEnough && s.kept[query] == nil && len(s.kept) < statementsMax
}

// keep parses without the lock: it may wait for a transaction, which asks here.
func (s *statements) keep(query string) *sql.Stmt {
	st, err := s.db.Prepare(query)
	if err != nil {
		return nil // the question itself will say why
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.kept[query]; other != nil {
		_ = st.Close()
		return other
	}
	s.kept[query] = st
	return st
}

// prepare parses what transactions have asked for often enough, before the next
// one begins.
func (s *statements) prepare() {
	s.mu.Lock()
	var queries []string
	for query := range s.asked {
		if s.due(query) {
			queries = append(queries, query)
		}
	}
	s.mu.Unlock()
	for _, query := range queries {
		s.keep(query)
	}
}
