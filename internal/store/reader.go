package store

import (
	"errors"
	"fmt"
	"os"
)

// OpenReader opens the ledger in dir to look only: it makes nothing, changes
// nothing, not even the schema, and asks for no lock. It is for listings, for
// the pill, and for a ledger of a newer program, which Note then says. What an
// older ledger has no table for is empty. The error is os.ErrNotExist where
// there is no ledger.
func OpenReader(dir string) (*Store, error) { return readerIn(dir, usual()) }

func readerIn(dir string, h how) (*Store, error) {
	s := &Store{path: readerPath(dir, h), how: h, reader: true}
	s.attach(&handle{})
	if _, err := os.Lstat(s.path); err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	err := s.look("rw")
	if errors.Is(err, ErrUnwritable) { // a folder that may only be read
		err = s.look("ro")
	}
	if err == nil {
		err = s.identify()
	}
	if err != nil {
		_ = s.drop()
		return nil, err
	}
	if s.version > len(steps) {
		s.note = Sentence(ErrNewer)
	}
	return s, nil
}

// look connects so that no statement can write.
func (s *Store) look(mode string) error {
	db, err := dialMode(s.path, mode, []string{fmt.Sprintf("busy_timeout(%d)", s.how.patience.Milliseconds()), "query_only(1)"})
	if err != nil {
		return err
	}
	s.set(db)
	return wrap("open the ledger", retry(func() error { return s.QueryRow("PRAGMA user_version").Scan(&s.version) }))
}
