// Package store is the ledger: an embedded SQLite database with what must
// outlive a program's run. It holds the checkpoints of outputs that were
// counted, the intents of stops, and which ends a person has looked at.
//
// It is opened by the registry only, by any number of processes at once, and
// never under a root. It decides nothing: rules are the registry's. A ledger
// that cannot be opened is said once and the program goes on without.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"offstage/internal/fsys"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// ErrNewer: the ledger was written by a newer program. It can be used neither
// for reading nor for writing by this one.
var ErrNewer = errors.New("the ledger was written by a newer offstage: update this one, or use --state with another folder")

// Store is one open ledger. It is safe for concurrent use.
type Store struct {
	db   *sql.DB
	path string
	// note is one sentence about how the ledger was opened, "" when as usual.
	note string
}

// fileName of the ledger inside the state folder.
const fileName = "ledger.db"

// Open opens the ledger in dir, makes the folder (0700) and the file (0600)
// where they are missing, and brings the schema up to date. A file that is no
// database is put aside beside it and a new one is begun (R11); Note says so.
func Open(dir string) (*Store, error) {
	if err := fsys.MkdirPrivate(dir); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	path := filepath.Join(dir, fileName)
	s, err := open(path)
	if err == nil || !broken(err) {
		return s, err
	}
	aside := path + ".broken-" + time.Now().UTC().Format("20060102-150405")
	if rerr := os.Rename(path, aside); rerr != nil {
		return nil, fmt.Errorf("put the broken ledger aside: %w", rerr)
	}
	for _, tail := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + tail)
	}
	s, err = open(path)
	if err == nil {
		s.note = "the ledger was damaged and has been put aside as " + filepath.Base(aside) + "; a new one was begun"
	}
	return s, err
}

// Exists says whether there is a ledger in dir already, without making one.
func Exists(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, fileName))
	return err == nil
}

func open(path string) (*Store, error) {
	if err := prepare(path); err != nil {
		return nil, err
	}
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(5000)", "journal_size_limit(16777216)", "synchronous(NORMAL)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	db.SetMaxOpenConns(1)
	s := &Store{db: db, path: path}
	if err = s.journal(); err == nil {
		err = s.migrate()
	}
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return s, nil
}

// prepare makes the file private before SQLite would make it with the umask's
// mode; its side files inherit that. A link in its place is refused (O3).
func prepare(path string) error {
	f, err := fsys.CreatePrivate(path)
	if err == nil {
		return wrap("make the ledger", f.Close())
	}
	if st, serr := os.Lstat(path); serr != nil || !st.Mode().IsRegular() {
		return wrap("open the ledger", err)
	}
	return nil
}

// journal asks for a write-ahead log and proves with a write that the folder's
// file system can carry one; else a plain journal is used (network mounts).
func (s *Store) journal() error {
	var mode string
	err := retry(func() error {
		if err := s.db.QueryRow("PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
			return err
		}
		_, err := s.db.Exec("CREATE TABLE IF NOT EXISTS probe(at INTEGER) STRICT; DELETE FROM probe; INSERT INTO probe VALUES(1)")
		return err
	})
	if err == nil || broken(err) {
		return wrap("prepare the ledger", err)
	}
	if err := s.db.QueryRow("PRAGMA journal_mode=TRUNCATE").Scan(&mode); err != nil {
		return wrap("prepare the ledger", err)
	}
	_, err = s.db.Exec("PRAGMA synchronous=FULL")
	return wrap("prepare the ledger", err)
}

// retry runs f again a few times while another process holds the whole file,
// which a busy timeout does not cover for a change of journal.
func retry(f func() error) error {
	var err error
	for range 20 {
		if err = f(); err == nil || !strings.Contains(err.Error(), "locked") {
			return err
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}

// broken says whether SQLite found the file itself unusable.
func broken(err error) bool {
	text := err.Error()
	return strings.Contains(text, "not a database") || strings.Contains(text, "malformed")
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Note is one sentence about an unusual opening, "" otherwise.
func (s *Store) Note() string { return s.note }

// Close ends the use of the ledger by this process.
func (s *Store) Close() error { return wrap("close the ledger", s.db.Close()) }
