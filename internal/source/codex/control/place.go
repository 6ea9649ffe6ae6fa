package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"offstage/internal/fsys"
)

// Name is where the socket is, below the folder of Codex. It is a link into a
// short path, for the path of a socket has some hundred bytes at most.
const Name = "app-server-control/app-server-control.sock"

// ErrNone: no daemon listens. That is how it mostly is, and no trouble.
var ErrNone = errors.New("no daemon of Codex listens")

// ErrUnsafe: what lies in the socket's place is not used.
var ErrUnsafe = errors.New("it is not safe to use")

// Find is the path of the socket of the daemon whose folder is home: the target of
// the one link that may lead to it. It looks and opens nothing.
func Find(home string) (string, error) {
	path := filepath.Join(home, filepath.FromSlash(Name))
	st, err := os.Lstat(path)
	if err == nil && st.Mode()&fs.ModeSymlink != 0 {
		target, rerr := os.Readlink(path)
		if rerr != nil {
			return "", fmt.Errorf("follow the link to the control socket: %w", rerr)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = filepath.Clean(target)
		st, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", ErrNone
	case err != nil:
		return "", fmt.Errorf("look at the control socket: %w", err)
	case st.Mode()&fs.ModeSymlink != 0:
		return "", fmt.Errorf("%w: it is a link to a link", ErrUnsafe)
	case st.Mode()&fs.ModeSocket == 0:
		return "", fmt.Errorf("%w: it is no socket", ErrUnsafe)
	case !fsys.OwnedPrivate(filepath.Dir(path)):
		return "", fmt.Errorf("%w: others may enter its folder", ErrUnsafe)
	}
	return path, nil
}
