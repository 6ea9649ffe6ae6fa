package sqlread

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"offstage/internal/fsys"
)

// Follow asks one database again whenever it was written to. The zero value has not
// asked yet. It is not safe for concurrent use.
type Follow struct {
	// Err is why the last question failed, nil if it did not; what was read before
	// still stands.
	Err error
	// Written is when the database was written to last.
	Written time.Time
	// Found: there is a database, readable or not.
	Found bool

	mark  Mark
	asked time.Time // when the last question was answered
	tried time.Time
}

// again is how long a question that failed waits for its next turn.
const again = 2 * time.Second

// Due says whether there may be news at path.
func (f *Follow) Due(path string, now time.Time) bool {
	m, err := Look(path)
	f.Found = !errors.Is(err, fs.ErrNotExist)
	if err != nil {
		if f.Err = err; !f.Found {
			*f = Follow{}
		}
		return false
	}
	f.Written = m.Written()
	if f.Err != nil {
		return now.Sub(f.tried).Abs() >= again
	}
	return f.asked.IsZero() || !f.mark.Same(m, f.asked)
}

// Ask opens the database at path for the questions of fn.
func (f *Follow) Ask(ctx context.Context, path string, now time.Time, fn func(d *DB) error) {
	f.tried = now
	m, err := Look(path)
	if err == nil {
		err = ask(ctx, path, fn)
	}
	if f.Err = err; err == nil {
		f.mark, f.asked = m, now
	}
}

func ask(ctx context.Context, path string, fn func(d *DB) error) error {
	d, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer d.Close()
	return fn(d)
}

// Sentence says of an error what a person should know; agent is whose database it is.
func Sentence(agent string, err error) string {
	const kept = " What was read of it before is shown."
	switch {
	case errors.Is(err, ErrBusy):
		return "The database of " + agent + " is in use and could not be read this time." + kept
	case errors.Is(err, ErrOther):
		return "The database of " + agent + " is of a version that is not known here." + kept
	case errors.Is(err, ErrDamaged):
		return "The database of " + agent + " cannot be read: it is broken, or no database." + kept
	case errors.Is(err, ErrNoIndex):
		return "The database of " + agent + " has a log without its index, as in a copy; it is not read, because that would write into its folder."
	case errors.Is(err, ErrSlow):
		return "The database of " + agent + " is too large to be read in time." + kept
	case errors.Is(err, fsys.ErrNotRegular), errors.Is(err, fsys.ErrOutside):
		return "The database of " + agent + " is no plain file; it is not opened."
	}
	return "The database of " + agent + " cannot be read: check who may read it." + kept
}
