package store

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"offstage/internal/fsys"
)

// checkEvery is how often a ledger that was not closed well is read through.
const checkEvery = 24 * time.Hour

// keepBroken bounds the damaged ledgers that lie aside.
const keepBroken = 3

// StartOver puts the damaged file aside and begins a new ledger in its place;
// Note names the old one. Where another program has done so already, its new
// one is used. The caller fills it again from the task folders.
func (s *Store) StartOver() error {
	if s.reader {
		return ErrReader
	}
	s.following.Lock()
	defer s.following.Unlock()
	_ = s.drop()
	unlock, err := lockBeside(s.path, s.how.patience)
	if err != nil {
		return err
	}
	defer unlock()
	if s.otherFile() && s.connect() == nil && s.version > 0 && s.whole() == nil {
		return s.identify() // somebody was faster
	}
	_ = s.drop()
	aside := freeName(s.path + ".broken-" + time.Now().UTC().Format("20060102-150405"))
	if err := os.Rename(s.path, aside); err != nil {
		return wrap("put the damaged ledger aside", err)
	}
	for _, tail := range []string{"-wal", "-shm", "-journal"} {
		_ = os.Remove(s.path + tail)
	}
	forgetOld(s.path+".broken-*", keepBroken)
	if err := s.build(); err != nil {
		return err
	}
	s.note = "The ledger was damaged and has been put aside as " + filepath.Base(aside) + "; a new one was begun."
	return s.identify()
}

// otherFile says whether the file is not the one that was opened; one that could
// not be opened may be.
func (s *Store) otherFile() bool {
	st, err := fsys.Lstat(s.path)
	return err == nil && (s.id.Ino == 0 || !st.ID.Same(s.id))
}

// freeName is name, or name with the first number that nothing has.
func freeName(name string) string {
	for n, free := 1, name; ; n++ {
		if _, err := os.Lstat(free); err != nil || n > 1000 {
			return free
		}
		free = fmt.Sprintf("%s.%d", name, n)
	}
}

// forgetOld removes all but the newest files of a pattern; their names sort by age.
func forgetOld(pattern string, keep int) {
	old, _ := filepath.Glob(pattern)
	for len(old) > keep {
		_ = os.Remove(old[0])
		old = old[1:]
	}
}

// whole reads the file through; ErrDamaged where it is not what it was.
func (s *Store) whole() error {
	var first string
	if err := s.QueryRow("PRAGMA quick_check(1)").Scan(&first); err != nil {
		return wrap("check the ledger", err)
	}
	if first != "ok" {
		return fmt.Errorf("check the ledger: %w: %s", ErrDamaged, first)
	}
	return nil
}

// Check reads the ledger through if it was found with a log beside it (a crash,
// or another program that has it open) and nobody did so within a day.
func (s *Store) Check(now time.Time) error {
	if !s.unclean || s.reader {
		return nil
	}
	var at int64
	if err := s.QueryRow("SELECT coalesce(max(value), 0) FROM meta WHERE key='checked'").Scan(&at); err != nil {
		return wrap("check the ledger", err)
	}
	if since := now.Sub(time.UnixMilli(at)); since >= 0 && since < checkEvery {
		return nil
	}
	if err := s.whole(); err != nil {
		return err
	}
	s.unclean = false
	_, err := s.change("INSERT INTO meta(key,value) VALUES('checked',?) ON CONFLICT(key) DO UPDATE SET value=excluded.value", now.UnixMilli())
	return wrap("check the ledger", err)
}

// identify remembers which file was opened.
func (s *Store) identify() error {
	st, err := fsys.Lstat(s.path)
	s.id = st.ID
	return wrap("open the ledger", err)
}

// follow opens the file again if another program has put it aside meanwhile.
func (s *Store) follow() error {
	s.following.Lock()
	defer s.following.Unlock()
	st, err := fsys.Lstat(s.path)
	if err != nil || st.ID.Same(s.id) {
		return nil // gone for a moment, or the same
	}
	if s.reader {
		err = s.look("rw")
	} else {
		err = s.connect()
	}
	if err != nil {
		return err
	}
	s.exchanged.Add(1)
	return s.identify()
}
