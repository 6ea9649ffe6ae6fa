// Package store is the ledger's database: an embedded SQLite file with what
// must outlive a program's run. It holds the records of tasks with their
// deliveries, flows, events and earlier runs, the lease of the sweeper, the
// checkpoints of outputs that were counted, the intents of stops, and which
// ends a person has looked at.
//
// It is SQL and files only and decides nothing: rules are the ledger's and the
// registry's, which alone call it, by any number of processes at once and never
// under a root. A ledger that cannot be opened is said once and the program goes
// on without. Nothing here opens the database file but SQLite itself: closing
// any other descriptor of it would drop this process's locks.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"offstage/internal/fsys"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// Store is one open ledger. It is safe for concurrent use.
type Store struct {
	// reads are the questions that a transaction answers too.
	reads
	*handle
	path string
	how  how
	// network: the folder may be shared with other hosts.
	network bool
	// following guards the change to another file; id and version are of the one
	// that is open.
	following sync.Mutex
	// id is the file that was opened, to see when another program has put it aside.
	id fsys.ID
	// version of the schema in the file, which a reader may find older or newer.
	version int
	reader  bool
	// unclean: a log was left beside the file, by a crash or by who has it open.
	unclean bool
	// note is one sentence about how the ledger was opened, "" when as usual.
	note string
	// begun: this opening made the tables, and nobody has filled them yet.
	begun atomic.Bool
	// exchanged is how often another program put the file aside under this store.
	exchanged atomic.Int64
}

// fileName of the ledger inside its folder.
const fileName = "ledger.db"

// patience is how long a statement waits for another process's transaction.
const patience = 5 * time.Second

// how a ledger is opened; tests put another machine there.
type how struct {
	patience   time.Duration
	fileSystem func(path string) (name string, poll bool, err error)
	hostname   func() (string, error)
}

func usual() how {
	return how{patience: patience, fileSystem: fsys.FileSystem, hostname: os.Hostname}
}

// Open opens the ledger in dir, makes the folder (0700) and the file (0600)
// where they are missing, and brings the schema up to date. A file that is no
// database is put aside beside it and a new one is begun (R11); Note says so.
// Its errors wrap ErrNewer, ErrLocked, ErrFull, ErrUnwritable where they apply.
func Open(dir string) (*Store, error) { return openIn(dir, usual()) }

func openIn(dir string, h how) (*Store, error) {
	if err := fsys.MkdirPrivate(dir); err != nil {
		return nil, wrap("make the state folder", err)
	}
	pl, err := settle(dir, h)
	if err != nil {
		return nil, err
	}
	s := &Store{path: pl.path, how: h, note: pl.note, network: pl.network != ""}
	s.attach(&handle{})
	err = s.open()
	if errors.Is(err, ErrDamaged) {
		err = s.StartOver()
	}
	if err != nil {
		_ = s.drop()
		return nil, err
	}
	return s, nil
}

// attach makes the store and its questions stand on one handle.
func (s *Store) attach(h *handle) { s.handle, s.q = h, h }

// open connects to the file. One that is as this program wants it costs two
// short questions and no write; else it is made or changed under the side lock.
func (s *Store) open() error {
	s.unclean = size(s.path+"-wal") > 0
	if _, err := os.Lstat(s.path); err == nil {
		if err := s.connect(); err != nil {
			return err
		}
		if s.version == len(steps) {
			return s.identify()
		}
	}
	if s.version > len(steps) {
		return ErrNewer
	}
	_ = s.drop()
	unlock, err := lockBeside(s.path, s.how.patience)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.build(); err != nil {
		return err
	}
	return s.identify()
}

// build makes the file or brings it up to date. The side lock is held.
func (s *Store) build() error {
	if err := prepare(s.path); err != nil {
		return err
	}
	if err := s.connect(); err != nil {
		return err
	}
	if s.version > len(steps) {
		return ErrNewer
	}
	if s.version == 0 && !s.network {
		if err := s.chooseJournal(); err != nil {
			return err
		}
	}
	return s.migrate()
}

// connect opens the database and asks for its version and its kind of journal.
func (s *Store) connect() error {
	pragmas := []string{fmt.Sprintf("busy_timeout(%d)", s.how.patience.Milliseconds()), fmt.Sprintf("journal_size_limit(%d)", walLimit), "foreign_keys(1)"}
	s.full.Store(s.network)
	level := "NORMAL"
	if s.network {
		pragmas, level = append(pragmas, "journal_mode(TRUNCATE)"), "FULL"
	}
	pragmas = append(pragmas, "synchronous("+level+")")
	db, err := dial(s.path, pragmas)
	if err != nil {
		return err
	}
	s.set(db)
	var mode string
	err = retry(func() error {
		return db.QueryRow("SELECT user_version, journal_mode FROM pragma_user_version, pragma_journal_mode").Scan(&s.version, &mode)
	})
	if err == nil && !s.network && mode != "wal" && s.version > 0 {
		err = s.plainJournal()
	}
	return wrap("open the ledger", err)
}

// dial makes the one connection that a process has to a database file.
func dial(path string, pragmas []string) (*sql.DB, error) { return dialMode(path, "rwc", pragmas) }

func dialMode(path, mode string, pragmas []string) (*sql.DB, error) {
	q := url.Values{"_txlock": {"immediate"}, "mode": {mode}, "_pragma": pragmas}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, wrap("open the ledger", err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// prepare makes the file private before SQLite would make it with the umask's
// mode; its side files inherit that. A link in its place is refused (O3).
func prepare(path string) error {
	f, err := fsys.CreatePrivate(path)
	if err == nil {
		return wrap("make the ledger", f.Close())
	}
	if st, serr := os.Lstat(path); serr != nil || !st.Mode().IsRegular() {
		return wrap("make the ledger", err)
	}
	return nil
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

// size of a file by its path alone, 0 where there is none.
func size(path string) int64 {
	st, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}

// Note is one sentence about an unusual opening, "" otherwise.
func (s *Store) Note() string {
	s.following.Lock()
	defer s.following.Unlock()
	return s.note
}

// TakeNew says, once, that this opening made the ledger: what task folders tell
// of is to be put into it.
func (s *Store) TakeNew() bool { return s.begun.CompareAndSwap(true, false) }

// ReadOnly says that this store was opened by OpenReader: every write fails.
func (s *Store) ReadOnly() bool { return s.reader }

// Close ends the use of the ledger by this process.
func (s *Store) Close() error { return wrap("close the ledger", s.drop()) }
