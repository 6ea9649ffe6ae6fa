package watch

import (
	"errors"
	"sync"

	"github.com/fsnotify/fsnotify"
)

const haveEvents = true

// inotify is fsnotify with both of its channels made one.
type inotify struct {
	w     *fsnotify.Watcher
	notes chan note
	quit  chan struct{}
	once  sync.Once
}

func openEvents() (events, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	in := &inotify{w: w, notes: make(chan note), quit: make(chan struct{})}
	go in.pump()
	return in, nil
}

func (in *inotify) Add(dir string) error    { return in.w.Add(dir) }
func (in *inotify) Remove(dir string) error { return in.w.Remove(dir) }
func (in *inotify) Notes() <-chan note      { return in.notes }

func (in *inotify) Close() error {
	in.once.Do(func() { close(in.quit) })
	return in.w.Close()
}

// pump passes events on one by one; nothing is buffered here, so that under a
// flood they wait, and are merged, in the kernel.
func (in *inotify) pump() {
	defer close(in.notes)
	for {
		var n note
		select {
		case e, ok := <-in.w.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			n = note{path: e.Name, gone: e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)}
		case err, ok := <-in.w.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				continue
			}
			n = note{overflow: true}
		case <-in.quit:
			return
		}
		select {
		case in.notes <- n:
		case <-in.quit:
			return
		}
	}
}
