package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"offstage/internal/fsys"
)

// catchUpLimit is how long one catching up may take; a lock that is older was left
// by one that died.
const catchUpLimit = 20 * time.Second

// LockCatchUp makes this process the only one that catches up; false where another
// does. free ends that.
func LockCatchUp(state string) (free func(), ok bool) {
	if fsys.MkdirPrivate(state) != nil {
		return nil, false
	}
	path := filepath.Join(state, "glance.lock")
	for range 2 {
		f, err := fsys.CreatePrivate(path)
		if err == nil {
			_ = f.Close()
			return func() { _ = os.Remove(path) }, true
		}
		st, serr := os.Lstat(path)
		if !errors.Is(err, fs.ErrExist) || serr != nil || time.Since(st.ModTime()) < catchUpLimit {
			return nil, false
		}
		_ = os.Remove(path)
	}
	return nil, false
}

// CatchingUp says that somebody does.
func CatchingUp(state string) bool {
	st, err := os.Lstat(filepath.Join(state, "glance.lock"))
	return err == nil && time.Since(st.ModTime()) < catchUpLimit
}

// CatchUpLimit bounds a catching up.
const CatchUpLimit = catchUpLimit - 5*time.Second
