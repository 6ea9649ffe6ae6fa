package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"offstage/internal/fsys"
)

// findCwd makes the folder absolute and looks whether it is there.
func (s *Spec) findCwd() error {
	if s.Cwd == "" {
		at, err := os.Getwd()
		if err != nil {
			return &startError{"the present folder is gone: change to one that exists, or give --cwd DIR", ErrNoFolder}
		}
		s.Cwd = at
	}
	abs, err := filepath.Abs(s.Cwd)
	if err != nil {
		return &startError{"the present folder is gone: change to one that exists, or give --cwd DIR", ErrNoFolder}
	}
	s.Cwd = abs
	st, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &startError{"the folder " + abs + " is gone: give one that exists", ErrNoFolder}
	case err != nil:
		return &startError{"the folder " + abs + " cannot be entered (" + cause(err) + "): give another", ErrNoFolder}
	case !st.IsDir():
		return &startError{abs + " is no folder: give one to run in", ErrNoFolder}
	}
	return nil
}

// findProgram is the path of a command: as a path from cwd where it holds a
// slash, else through PATH of env.
func findProgram(name, cwd string, env []string) (string, error) {
	if name == "" {
		return "", &startError{"the command is empty: give one behind --", ErrNoCommand}
	}
	if strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		return path, executable(name, path)
	}
	var blocked error
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cwd, dir)
		}
		path := filepath.Join(dir, name)
		err := executable(name, path)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, ErrNoCommand) && blocked == nil && isFile(path) {
			blocked = err
		}
	}
	if blocked != nil {
		return "", blocked
	}
	return "", &startError{fmt.Sprintf("there is no command %q in PATH: check its name, or give its path", name), ErrNoCommand}
}

// executable is nil for a file that may be executed.
func executable(name, path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &startError{fmt.Sprintf("there is no file %s: check its name", name), ErrNoCommand}
	case err != nil:
		return &startError{fmt.Sprintf("%s cannot be executed: %s", name, cause(err)), ErrNotExecutable}
	case st.IsDir():
		return &startError{fmt.Sprintf("%s is a folder: give a command, or --cwd %s to run one in it", name, name), ErrNotExecutable}
	case runtime.GOOS != "windows" && st.Mode()&0o111 == 0:
		return &startError{fmt.Sprintf("%s is not executable: chmod +x it, or name the program that runs it", name), ErrNotExecutable}
	}
	return nil
}

// isFile is false also of what a folder of PATH that may not be entered hides.
func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.IsDir()
}

// variable is the value of an entry of an environment, "" if there is none.
func variable(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}

// cause is the innermost reason of a file error, without its path.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err.Error()
}

// stateError says why no folder for a task could be made.
func stateError(state string, err error) error {
	switch {
	case fsys.NoSpace(err):
		return &startError{"the disk that holds " + state + " is full: free some space, or give --state DIR on another disk", ErrDiskFull}
	case errors.Is(err, fs.ErrPermission):
		return &startError{"the state folder " + state + " may not be written: give --state DIR, or set XDG_STATE_HOME to a folder that may", ErrState}
	}
	return &startError{"the state folder " + state + " cannot be used (" + cause(err) + "): give --state DIR", ErrState}
}
