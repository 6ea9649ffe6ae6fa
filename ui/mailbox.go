package ui

import (
	"context"
	"sync"
	"time"

	"offstage/task"
)

// frameTime is the least time between two messages of news (30 a second).
const frameTime = 33 * time.Millisecond

// mailbox gathers news between frames, the newest of each kind, so that at most
// one message of news a frame reaches the program however fast things change.
// The first news after a quiet time passes at once, and so do the first of an
// output after a quiet time and a page of rows: it answers a question of the
// program itself, of which one is out at a time.
type mailbox struct {
	mu  sync.Mutex
	box frameMsg
	any bool
	// prompt: the box holds what must not wait for the next frame.
	prompt bool
	wake   chan struct{}
	last   time.Time
}

// frameMsg is all the news of one frame. Nil and zero parts hold no news.
type frameMsg struct {
	now      time.Time
	snap     *task.Snapshot
	trouble  *string
	facts    *factsNews
	pages    []pageNews
	found    []foundNews
	progress map[string]progressNews
	wheel    *wheelNews
}

type factsNews struct {
	gen   int
	facts task.Facts
}

type pageNews struct {
	gen  int
	page task.Page
	err  error
}

// foundNews is a report of the search seq; each adds to those before it.
type foundNews struct {
	gen, seq int
	found    task.Found
	err      error
}

type progressNews struct {
	seq int
	p   task.StopProgress
}

// wheelNews is how many notches the wheel turned at a cell, down positive.
type wheelNews struct{ x, y, n int }

// mostPages bounds the answers of one frame: a jump may be asked for while the
// answer to what was needed before it is on its way.
const mostPages = 8

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// put changes the waiting frame; it never blocks.
func (b *mailbox) put(change func(*frameMsg)) {
	b.mu.Lock()
	change(&b.box)
	b.any = true
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// facts and page keep the newest of the newest opening: what is late of an
// output that was closed never takes the place of news of the one that is open.
func (b *mailbox) facts(n factsNews, prompt bool) {
	b.put(func(f *frameMsg) {
		b.prompt = b.prompt || prompt
		if f.facts == nil || f.facts.gen <= n.gen {
			f.facts = &n
		}
	})
}

func (b *mailbox) page(n pageNews) {
	b.put(func(f *frameMsg) {
		switch {
		case len(f.pages) > 0 && f.pages[0].gen > n.gen:
			return
		case len(f.pages) > 0 && f.pages[0].gen < n.gen || len(f.pages) >= mostPages:
			f.pages = nil
		}
		f.pages, b.prompt = append(f.pages, n), true
	})
}

// found gathers the reports of a search. The search waits while the window is so
// far behind that many of them lie here.
func (b *mailbox) found(ctx context.Context, n foundNews) {
	const most = 64
	for {
		full := false
		b.put(func(f *frameMsg) {
			if full = len(f.found) >= most; !full {
				f.found, b.prompt = append(f.found, n), true
			}
		})
		if !full || !sleep(ctx, frameTime) {
			return
		}
	}
}

// wheel adds notches; turning back cancels what had not been shown yet, and so
// does another pane.
func (b *mailbox) wheel(x, y, n int) {
	b.put(func(f *frameMsg) {
		if f.wheel == nil || (f.wheel.n > 0) != (n > 0) {
			f.wheel = &wheelNews{x: x, y: y}
		}
		f.wheel.x, f.wheel.y = x, y
		f.wheel.n = max(-60, min(60, f.wheel.n+n))
	})
}

// next waits for news and takes all of it; false when ctx ended.
func (b *mailbox) next(ctx context.Context) (frameMsg, bool) {
	for {
		select {
		case <-ctx.Done():
			return frameMsg{}, false
		case <-b.wake:
		}
		if !b.pause(ctx) {
			return frameMsg{}, false
		}
		if f, any := b.take(); any {
			b.last = time.Now()
			return f, true
		}
	}
}

// pause waits out the rest of the frame, unless an answer is there or comes.
func (b *mailbox) pause(ctx context.Context) bool {
	end := time.NewTimer(frameTime - time.Since(b.last))
	defer end.Stop()
	for {
		b.mu.Lock()
		prompt := b.prompt
		b.mu.Unlock()
		if prompt {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-end.C:
			return true
		case <-b.wake:
		}
	}
}

func (b *mailbox) take() (frameMsg, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, any := b.box, b.any
	b.box, b.any, b.prompt = frameMsg{}, false, false
	return f, any
}

// onlyFacts says that the frame holds nothing but facts of the open output.
func (f frameMsg) onlyFacts() bool {
	return f.facts != nil && f.snap == nil && f.trouble == nil && len(f.pages) == 0 && len(f.found) == 0 && len(f.progress) == 0 && f.wheel == nil
}
