// Package output is one task's output for its readers: pages of rows at byte
// offsets, and facts over all bytes. It is where the river of bytes becomes
// rows: tail gives bytes, screen (or a task's Decoder) makes rows, redact masks
// them, equal neighbours are folded. Beside it the cheap lane counts lines,
// tests and addresses over every byte from the first.
//
// Position is a byte offset. What a row looks like follows from the bytes
// around it alone, never from the way on which a reader came there; a log of
// 1 TB opens as fast as one of 1 kB. Nothing leaves unmasked.
//
// It never writes, never signals, and knows no agent. The registry opens logs,
// the command line's filters use ReadAll.
package output

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"offstage/internal/tail"
	"offstage/internal/world"
	"offstage/task"
)

// Options of Open.
type Options struct {
	// Decoder turns records of the file into rows in the place of the terminal
	// reader; nil for plain output.
	Decoder task.Decoder
	// Command is the command line that writes the file: evidence for test counts.
	Command string
	// Facts resumes the count of an earlier program, if it is of the same file.
	Facts *Checkpoint
	// Running: the file may still grow; see SetRunning.
	Running bool
	// Secrets of the task, shared with all that is said of it; nil makes one.
	Secrets *Secrets
	// Within is the folder in which the target of a link must lie (O3).
	Within string
}

// Log is one output. It implements task.Output.
type Log struct {
	w    *world.World
	path string
	o    Options

	running atomic.Bool
	focus   atomic.Bool
	paged   atomic.Int64 // when a page was last asked for, since began
	began   time.Time
	nudge   func()
	closed  context.Context
	close   context.CancelFunc
	done    sync.WaitGroup
	pages   atomic.Int32 // pages being made; the lane gives way

	news  *news
	state state // under news.mu

	// reading is held by the one page that is being made; cache and tip are its.
	reading chan struct{}
	cache   segments
	tip     *tip

	secrets *Secrets
	masked  masked
}

var _ task.Output = (*Log)(nil)

// errNoPath: the task has no output file.
var errNoPath = errors.New("open output: the task has no output file")

// Open begins to follow the output at ref. That the file cannot be read, or is
// not there yet, is no error: it is Facts.Trouble, and is tried again. Close
// must be called.
func Open(w *world.World, ref task.OutputRef, o Options) (*Log, error) {
	if ref.Path == "" && ref.Recorded == "" {
		return nil, errNoPath
	}
	path := w.Recover(ref.Path)
	if path == "" {
		path = ref.Recorded
	}
	l := &Log{w: w, path: path, o: o, news: newNews(), reading: make(chan struct{}, 1), began: time.Now()}
	if l.secrets = o.Secrets; l.secrets == nil {
		l.secrets = NewSecrets(o.Command)
	}
	l.masked.told = l.secrets.Rev()
	l.running.Store(o.Running)
	l.closed, l.close = context.WithCancel(context.Background())
	l.cache.most = 64
	f := &follower{l: l, wake: make(chan struct{}, 1)}
	l.nudge = f.nudge
	f.open()
	l.done.Add(1)
	go func() {
		defer l.done.Done()
		f.run()
	}()
	return l, nil
}

// SetRunning tells whether the task still runs: the last row of an ended one is
// final, and its file is looked at less often.
func (l *Log) SetRunning(running bool) {
	if l.running.Swap(running) != running {
		l.news.publish(func() {})
	}
}

// SetFocused tells whether a person looks at this output now: then the clock
// looks at its file each frame while it grows, and its count is not held up by
// those of others. A log whose pages are read is focused for a while anyway.
func (l *Log) SetFocused(focused bool) {
	if l.focus.Swap(focused) != focused {
		l.nudge()
	}
}

// focusFor is how long a page makes a log a focused one.
const focusFor = 10 * time.Second

func (l *Log) focused() bool {
	if l.focus.Load() {
		return true
	}
	at := l.paged.Load()
	return at > 0 && time.Since(l.began)-time.Duration(at) < focusFor
}

// touch notes that a page was asked for.
func (l *Log) touch() {
	was := l.focused()
	l.paged.Store(int64(max(time.Since(l.began), 1)))
	if !was {
		l.nudge()
	}
}

// Close frees the file and waits for the background work to end.
func (l *Log) Close() error {
	l.close()
	l.done.Wait()
	if f := l.file(); f != nil {
		return f.Close()
	}
	return nil
}

// file that is open now, nil while there is trouble.
func (l *Log) file() *tail.File {
	l.news.mu.Lock()
	defer l.news.mu.Unlock()
	return l.state.file
}
