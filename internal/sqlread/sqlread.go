// Package sqlread reads an SQLite database that belongs to another program, which
// may have it open, and leaves no trace: it makes no file beside it, takes no lock
// that its owner would wait for, and sees what stands in the write-ahead log alone.
//
// A database is opened for one question and closed again, for as long as it is
// open its owner cannot tidy up behind itself. It knows no schema, writes nothing
// and keeps nothing. The sources of agents that keep their records in SQLite call it.
package sqlread

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"offstage/internal/fsys"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// Reasons why a database cannot be read. Errors wrap one of them where it applies.
var (
	// ErrBusy: its owner holds all of it at this moment; ask again.
	ErrBusy = errors.New("in use by its program")
	// ErrNoIndex: there is a log beside it whose index is missing, as in a copy; it
	// cannot be read without making one.
	ErrNoIndex = errors.New("its write-ahead log has no index beside it")
	// ErrOther: a table or a column is not there: it is of another version.
	ErrOther = errors.New("of a version that is not known here")
	// ErrDamaged: it is no database, or a broken one.
	ErrDamaged = errors.New("not a whole database")
	// ErrSlow: the question took longer than it may.
	ErrSlow = errors.New("too large to be asked in time")
)

// patience is how long a question waits for its owner's transaction, and longest
// how long it may take in all.
const (
	patience = 50 * time.Millisecond
	longest  = 5 * time.Second
)

// Mark is the state of a database's files: equal marks, equal content, unless the
// change is so fresh that the clock of files cannot tell (Fresh).
type Mark struct {
	Size, Log   int64
	At, LogTime time.Time
}

// Look takes the mark of the database at path by its name alone. It is an error of
// fs.ErrNotExist where there is none, and of fsys where a link, a pipe or a folder
// stands in the place of one of its files.
func Look(path string) (Mark, error) {
	st, err := regular(path)
	if err != nil {
		return Mark{}, err
	}
	m := Mark{Size: st.Size(), At: st.ModTime()}
	for _, side := range []string{"-wal", "-shm"} {
		st, err := regular(path + side)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return Mark{}, err
		case side == "-wal":
			m.Log, m.LogTime = st.Size(), st.ModTime()
		}
	}
	return m, nil
}

func regular(path string) (fs.FileInfo, error) {
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = &fsys.PathError{Path: path, Err: fsys.ErrNotRegular}
	}
	return st, err
}

// Written is when the database was written to last.
func (m Mark) Written() time.Time {
	if m.Log > 0 && m.LogTime.After(m.At) {
		return m.LogTime
	}
	return m.At
}

// Same says that nothing was written since the mark m was taken at the time looked.
func (m Mark) Same(now Mark, looked time.Time) bool {
	return m.Size == now.Size && m.Log == now.Log && m.At.Equal(now.At) && m.LogTime.Equal(now.LogTime) &&
		looked.Sub(m.Written()) > 2*time.Second
}

// DB is a database that is open for one round of questions.
type DB struct {
	db     *sql.DB
	ctx    context.Context
	cancel context.CancelFunc
}

// Open opens the database at path. Close it soon.
func Open(ctx context.Context, path string) (*DB, error) {
	m, err := Look(path)
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, err)
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()), "query_only(1)", "trusted_schema(0)", "cell_size_check(1)"}}
	if m.Log > 0 {
		// The owner's index is used as it stands, or one in memory is made.
		q.Set("readonly_shm", "1")
		if _, err := os.Lstat(path + "-shm"); err != nil {
			return nil, fmt.Errorf("open the database %s: %w", path, ErrNoIndex)
		}
	} else if keepsLog(path) {
		// Nobody has it open, or nothing was written yet: SQLite would make a log.
		q.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, reason("open", err)
	}
	db.SetMaxOpenConns(1)
	d := &DB{db: db}
	d.ctx, d.cancel = context.WithTimeout(ctx, longest)
	return d, nil
}

// keepsLog reads from a database's head whether it is one with a write-ahead log.
func keepsLog(path string) bool {
	f, err := fsys.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	var head [20]byte
	_, err = f.ReadAt(head[:], 0)
	return err == nil && head[18] == 2 && head[19] == 2
}

// Close ends the round.
func (d *DB) Close() {
	d.cancel()
	_ = d.db.Close()
}

// Each asks one question and hands each row to fn, whose error ends it.
func (d *DB) Each(fn func(scan func(into ...any) error) error, query string, args ...any) error {
	rows, err := d.db.QueryContext(d.ctx, query, args...)
	if err != nil {
		return d.reason(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return d.reason(err)
		}
	}
	return d.reason(rows.Err())
}

func (d *DB) reason(err error) error {
	if err != nil && d.ctx.Err() != nil {
		return fmt.Errorf("ask the database: %w", ErrSlow)
	}
	return reason("ask", err)
}

// reason sorts SQLite's words by what a person can do about them.
func reason(what string, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	kind := err
	for _, r := range []struct {
		word string
		is   error
	}{{"SQLITE_BUSY", ErrBusy}, {"locked", ErrBusy}, {"no such table", ErrOther}, {"no such column", ErrOther}, {"malformed", ErrDamaged},
		{"not a database", ErrDamaged}, {"SQLITE_CORRUPT", ErrDamaged}, {"disk I/O", ErrDamaged}} {
		if strings.Contains(text, r.word) {
			kind = r.is
			break
		}
	}
	return fmt.Errorf("%s the database: %w", what, kind)
}
