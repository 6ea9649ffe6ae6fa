package taskdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"offstage/internal/fsys"
)

// maxSocketPath is what fits into an address on every system: 104 bytes with the
// ending NUL on macOS and BSD, 108 on Linux.
const maxSocketPath = 103

// ControlPath is where the supervisor of d listens: in the task's folder, or,
// where that path is too long for an address, in a private folder of the user
// below runtime (XDG_RUNTIME_DIR; "" if there is none) or below temp. The folder
// is made. ErrSocketPath where no place will do.
func ControlPath(d Dir, runtime, temp string) (string, error) {
	if p := d.file(controlFile); len(p) <= maxSocketPath {
		return p, nil
	}
	name := "offstage-" + strconv.Itoa(os.Getuid())
	for _, base := range []string{runtime, temp, "/tmp"} {
		if base == "" {
			continue
		}
		dir := filepath.Join(base, name)
		p := filepath.Join(dir, d.ID()+".sock")
		if len(p) > maxSocketPath {
			continue
		}
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			continue
		}
		if fsys.OwnedPrivate(dir) {
			return p, nil
		}
	}
	return "", fmt.Errorf("place the control socket of task %s: %w", d.ID(), ErrSocketPath)
}

// ErrSocketPath: every place for a socket has too long a path or belongs to
// somebody else.
var ErrSocketPath = errors.New("no private folder with a short enough path")
