package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"offstage/internal/fsys"

	"modernc.org/sqlite"
)

// What may be wrong with a ledger. Errors of this package wrap one of them where
// it applies; Sentence says it to a person.
var (
	// ErrNewer: the ledger was written by a newer program; OpenReader may read it.
	ErrNewer = errors.New("the ledger was written by a newer offstage: update this one, or use --state with another folder")
	// ErrLocked: another process held the ledger for longer than is waited for.
	ErrLocked = errors.New("the ledger is locked by another program")
	// ErrFull: the disk is full.
	ErrFull = errors.New("the disk of the ledger is full")
	// ErrUnwritable: folder or file may not be written.
	ErrUnwritable = errors.New("the state folder cannot be written")
	// ErrDamaged: the file is no whole database any more; StartOver puts it aside.
	ErrDamaged = errors.New("the ledger is damaged")
	// ErrReader: a write was asked of a store that only reads.
	ErrReader = errors.New("the ledger was opened for reading only")
)

// Primary result codes of SQLite (sqlite.org/rescode.html), and the one extended
// code by which a full disk shows in the log's index.
const (
	codePerm, codeBusy, codeLocked, codeReadOnly = 3, 5, 6, 8
	codeCorrupt, codeFull, codeCantOpen          = 11, 13, 14
	codeNotADB                                   = 26
	codeShmSize                                  = 10 | 19<<8
)

// fault is the sentinel that fits err, nil where none does.
func fault(err error) error {
	for _, known := range []error{ErrNewer, ErrLocked, ErrFull, ErrUnwritable, ErrDamaged, ErrReader} {
		if errors.Is(err, known) {
			return nil
		}
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		return ofCode(e.Code())
	}
	switch {
	case fsys.NoSpace(err):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return ErrUnwritable
	}
	return nil
}

func ofCode(code int) error {
	if code == codeShmSize {
		return ErrFull
	}
	switch code & 0xff {
	case codeBusy, codeLocked:
		return ErrLocked
	case codeFull:
		return ErrFull
	case codeReadOnly, codeCantOpen, codePerm:
		return ErrUnwritable
	case codeCorrupt, codeNotADB:
		return ErrDamaged
	}
	return nil
}

// wrap says what was attempted, and which of the known faults it was.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	if known := fault(err); known != nil {
		return fmt.Errorf("%s: %w (%w)", what, known, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// absent says that a table or column is not there (yet): a reader of an older
// or newer ledger finds nothing, which is no fault.
func absent(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column"))
}

// Sentence is what a person is told of an error of this package: what is wrong,
// what to do, and what that means until then; "" for no error.
func Sentence(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrNewer):
		return "The ledger was written by a newer offstage and is only read: update this one, or use --state with another folder."
	case errors.Is(err, ErrLocked):
		return "The ledger is locked by another program: close what has it open (a backup, a database browser); it is tried again, and tasks run and stop as before."
	case errors.Is(err, ErrFull):
		return "The disk of the ledger is full: free some space; tasks run and stop as before, but what happens meanwhile is not kept."
	case errors.Is(err, ErrUnwritable):
		return "The state folder cannot be written: give yourself the right to, or use --state with another folder; until then nothing is kept over a restart."
	case errors.Is(err, ErrDamaged):
		return "The ledger is damaged: offstage doctor --fix puts it aside and makes a new one from the task folders."
	case errors.Is(err, ErrReader):
		return "The ledger was opened for reading only: nothing is kept."
	}
	return "The ledger cannot be used (" + err.Error() + "): nothing is kept over a restart."
}
