// Package world is the machine as the program sees it: root, home, the process
// folder and the clock. Under a root (a container's file system, a backup, a
// recording) every recorded path is resolved below it, links included, and
// nothing may be written, signalled or compared by owner.
//
// It is the only room that names "/proc", "HOME" and the wall clock for ages.
// It never writes and never starts anything. Everybody may call it.
package world

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"
)

// World is one machine, real or recorded. Use New; copies share nothing that
// changes.
type World struct {
	root string
	home string
	now  func() time.Time
	env  func(string) string
}

// Options choose another machine than this one.
type Options struct {
	// Root reads every path as if this folder were "/"; "" is the real machine.
	Root string
	// Now fixes the clock; zero is the real one.
	Now time.Time
	// Getenv replaces the environment; nil is the real one.
	Getenv func(string) string
}

// ErrNoHome: neither HOME nor the user database names a home folder.
var ErrNoHome = errors.New("no home folder: set HOME to the folder of the person whose agents are shown")

// New is the machine that o describes. A root that is not a folder, or a home
// that cannot be found, is an error in one sentence.
func New(o Options) (*World, error) {
	w := &World{now: time.Now, env: o.Getenv}
	if w.env == nil {
		w.env = os.Getenv
	}
	if !o.Now.IsZero() {
		at := o.Now
		w.now = func() time.Time { return at }
	}
	if o.Root != "" {
		abs, err := filepath.Abs(o.Root)
		if err != nil {
			return nil, err
		}
		st, err := os.Stat(abs)
		if err != nil {
			return nil, errors.New("--root " + o.Root + " cannot be read: give a folder that holds a file system")
		}
		if !st.IsDir() {
			return nil, errors.New("--root " + o.Root + " is no folder: give a folder that holds a file system")
		}
		w.root = abs
	}
	w.home = w.env("HOME")
	if w.home == "" && w.root == "" {
		if u, err := user.Current(); err == nil {
			w.home = u.HomeDir
		}
	}
	if w.home == "" {
		return nil, ErrNoHome
	}
	return w, nil
}

// Recorded says whether this is a root other than the real machine: then
// nothing is written to the ledger, owners are not compared, nothing is stopped.
func (w *World) Recorded() bool { return w.root != "" }

// Root is the folder that stands for "/", "" on the real machine.
func (w *World) Root() string { return w.root }

// Now is the wall clock, or the fixed time of a recording.
func (w *World) Now() time.Time { return w.now() }

// Since is the age of t, never less than zero: a clock that was set back shows 0.
func (w *World) Since(t time.Time) time.Duration {
	if d := w.now().Sub(t); d > 0 && !t.IsZero() {
		return d
	}
	return 0
}

// Home is the home folder as its owner's programs name it (below the root, if
// there is one); open it through Path.
func (w *World) Home() string { return w.home }

// Getenv is the environment; under a root only what the caller set for it.
func (w *World) Getenv(key string) string { return w.env(key) }

// Proc is the process folder to read, "" where there is none (a root without a
// recorded one, a system without /proc).
func (w *World) Proc() string {
	p := w.root + "/proc"
	if st, err := os.Stat(p); err == nil && st.IsDir() {
		return p
	}
	return ""
}

// maxLinks bounds the symbolic links that one Path may pass, as Linux does.
const maxLinks = 40

// Path is where a recorded absolute path is on this machine. Without a root it
// is the path itself. Under a root every component is resolved below it, and a
// link's absolute target too, so nothing outside the root is ever named.
// Components that do not exist are kept as they are.
func (w *World) Path(recorded string) string {
	if w.root == "" {
		return recorded
	}
	return w.resolve(recorded, true)
}

// LinkPath is Path, but the last component is not followed when it is a link.
func (w *World) LinkPath(recorded string) string {
	if w.root == "" {
		return recorded
	}
	return w.resolve(recorded, false)
}

func (w *World) resolve(recorded string, last bool) string {
	todo := strings.Split(filepath.Clean("/"+recorded), "/")
	at := ""
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			at = strings.TrimSuffix(filepath.Dir("/"+at), "/")
			continue
		}
		next := at + "/" + part
		target, err := os.Readlink(w.root + next)
		if err != nil || (len(todo) == 0 && !last) {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return w.root + next
		}
		if filepath.IsAbs(target) {
			at = ""
		}
		todo = append(strings.Split(filepath.Clean(target), "/"), todo...)
	}
	return w.root + at
}

// Recover is the recorded name of a path on this machine: Path's inverse for
// paths without links.
func (w *World) Recover(path string) string {
	if w.root == "" {
		return path
	}
	if rest, ok := strings.CutPrefix(path, w.root); ok {
		if rest == "" {
			return "/"
		}
		return rest
	}
	return path
}
