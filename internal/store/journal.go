package store

import (
	"fmt"
	"os"
)

// walLimit bounds the write-ahead log that stays on the disk: 16 MB (systems 5.2).
const walLimit = 16 << 20

// chooseJournal gives a new ledger a write-ahead log if the folder's file system
// can carry one, which a scratch database proves by writing: some say yes and
// fail afterwards. Else it stays with a plain journal.
func (s *Store) chooseJournal() error {
	if !carriesLog(s.path) {
		return wrap("prepare the ledger", s.plainJournal())
	}
	var mode string
	err := retry(func() error { return s.QueryRow("PRAGMA journal_mode=WAL").Scan(&mode) })
	if err == nil && mode != "wal" {
		err = s.plainJournal()
	}
	return wrap("prepare the ledger", err)
}

// carriesLog tries a write-ahead log in a scratch database beside path, with a
// second connection that must see what the first one wrote.
func carriesLog(path string) bool {
	scratch := fmt.Sprintf("%s.probe-%d", path, os.Getpid())
	defer func() {
		for _, tail := range []string{"", "-wal", "-shm", "-journal"} {
			_ = os.Remove(scratch + tail)
		}
	}()
	if prepare(scratch) != nil {
		return false
	}
	writer, err := dial(scratch, nil)
	if err != nil {
		return false
	}
	defer func() { _ = writer.Close() }()
	var mode string
	if writer.QueryRow("PRAGMA journal_mode=WAL").Scan(&mode) != nil || mode != "wal" {
		return false
	}
	if _, err := writer.Exec("CREATE TABLE probe(at INTEGER) STRICT; INSERT INTO probe VALUES(1)"); err != nil {
		return false
	}
	reader, err := dial(scratch, nil)
	if err != nil {
		return false
	}
	defer func() { _ = reader.Close() }()
	var n int
	return reader.QueryRow("SELECT count(*) FROM probe").Scan(&n) == nil && n == 1
}

// plainJournal is the way without shared memory: slower, and synced each time.
func (s *Store) plainJournal() error {
	var mode string
	if err := s.QueryRow("PRAGMA journal_mode=TRUNCATE").Scan(&mode); err != nil {
		return err
	}
	s.full.Store(true)
	_, err := s.Exec("PRAGMA synchronous=FULL")
	return err
}

// Shrink writes the log into the ledger and cuts it off, as far as nobody reads
// an older state (sweeper). It reports how long the log is then.
func (s *Store) Shrink() (int64, error) {
	if s.reader {
		return 0, ErrReader
	}
	var busy, pages, moved int64
	err := s.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	return size(s.path + "-wal"), wrap("shrink the ledger's log", err)
}
