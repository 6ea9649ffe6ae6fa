package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// This file holds every command of the program: all that waits, reads a clock,
// asks the engine or touches the world. Update calls these and nothing else;
// what they bring comes back as a message. Long waits (the engine's news, an
// output's growth) put what they learn into the mailbox, which passes on one
// message a frame.

// effects carries out the commands of one program.
type effects struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc
	mail   *mailbox
	// wish is what is to be listed, scope keeps two quick presses in order.
	wish  atomic.Uint32
	scope sync.Mutex
}

func newEffects(o Options) *effects {
	ctx, cancel := context.WithCancel(context.Background())
	return &effects{o: o, ctx: ctx, cancel: cancel, mail: newMailbox()}
}

type (
	wholeMsg struct {
		gen  int
		line task.Line
		err  error
	}
	tickMsg struct {
		now time.Time
		// quiet is the present setting of D2; 0 leaves it as it is.
		quiet time.Duration
	}
	openedMsg struct {
		gen int
		out task.Output
		err error
	}
	planMsg struct {
		seq  int
		id   string
		plan task.StopPlan
		err  error
	}
	reportMsg struct {
		seq    int
		id     string
		report task.StopReport
		err    error
	}
	doneMsg  struct{ words string }
	clickMsg struct {
		mouse tea.Mouse
		at    time.Time
	}
)

// watch follows the engine until the program ends. After an error it says so and
// asks again, waiting longer each time up to half a minute.
func (fx *effects) watch() tea.Cmd {
	return func() tea.Msg {
		var rev uint64
		wait := time.Second
		for {
			s, err := fx.o.Engine.Next(fx.ctx, rev)
			if fx.ctx.Err() != nil {
				return nil
			}
			if err != nil {
				words := "The list of tasks could not be read: " + err.Error() + ". Trying again."
				fx.mail.put(func(f *frameMsg) { f.trouble = &words })
				if !sleep(fx.ctx, wait) {
					return nil
				}
				wait = min(2*wait, 30*time.Second)
				continue
			}
			rev, wait = s.Rev, time.Second
			none := ""
			fx.mail.put(func(f *frameMsg) { f.snap, f.trouble = &s, &none })
			if !sleep(fx.ctx, frameTime) {
				return nil
			}
		}
	}
}

// sleep waits for d; false when ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// nextFrame waits for the next frame's news.
func (fx *effects) nextFrame() tea.Cmd {
	return func() tea.Msg {
		f, ok := fx.mail.next(fx.ctx)
		if !ok {
			return nil
		}
		f.now = fx.o.Now()
		return f
	}
}

// tick brings the time once, a second from now.
func (fx *effects) tick() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg {
		msg := tickMsg{now: fx.o.Now()}
		if fx.o.QuietNow != nil {
			msg.quiet = fx.o.QuietNow()
		}
		return msg
	})
}

// openOutput asks the engine for a task's output and tells it that a person
// looks at the task.
func (fx *effects) openOutput(ctx context.Context, gen int, id string) tea.Cmd {
	return func() tea.Msg {
		fx.o.Engine.Seen(id)
		out, err := fx.o.Engine.Open(ctx, id)
		return openedMsg{gen: gen, out: out, err: err}
	}
}

// seen tells the engine that a person saw a task's end.
func (fx *effects) seen(id string) tea.Cmd {
	return func() tea.Msg {
		fx.o.Engine.Seen(id)
		return nil
	}
}

func (fx *effects) closeOutput(out task.Output) tea.Cmd {
	if out == nil {
		return nil
	}
	return func() tea.Msg {
		_ = out.Close() // nothing was written; there is nothing to lose
		return nil
	}
}

// A flood of more bytes a second than anybody reads is shown in every other frame.
const (
	floodRate  = 20e6
	floodFrame = 2 * frameTime
)

// follow passes on the facts of an output at each change until ctx ends.
func (fx *effects) follow(ctx context.Context, gen int, out task.Output) tea.Cmd {
	return func() tea.Msg {
		for {
			f := out.Facts()
			fx.mail.facts(factsNews{gen, f})
			pause := frameTime
			if f.Rate > floodRate {
				pause = floodFrame
			}
			if !sleep(ctx, pause) || out.Changed(ctx, f.Rev) != nil {
				return nil
			}
		}
	}
}

// page reads one page of rows.
func (fx *effects) page(ctx context.Context, gen int, out task.Output, req task.PageRequest) tea.Cmd {
	return func() tea.Msg {
		p, err := out.Page(ctx, req)
		fx.mail.page(pageNews{gen, p, err})
		return nil
	}
}

// whole reads one row without the display limit.
func (fx *effects) whole(ctx context.Context, gen int, out task.Output, at int64) tea.Cmd {
	return func() tea.Msg {
		l, err := out.Whole(ctx, at)
		return wholeMsg{gen: gen, line: l, err: err}
	}
}

// search looks through an output and what is added to it, until ctx ends.
func (fx *effects) search(ctx context.Context, gen, seq int, out task.Output, req task.SearchRequest) tea.Cmd {
	return func() tea.Msg {
		err := out.Search(ctx, req, func(f task.Found) { fx.mail.found(ctx, foundNews{gen: gen, seq: seq, found: f}) })
		if err != nil && ctx.Err() == nil {
			fx.mail.found(ctx, foundNews{gen: gen, seq: seq, err: err})
		}
		return nil
	}
}

func (fx *effects) planStop(seq int, id string) tea.Cmd {
	return func() tea.Msg {
		p, err := fx.o.Engine.PlanStop(fx.ctx, id)
		return planMsg{seq: seq, id: id, plan: p, err: err}
	}
}

func (fx *effects) stop(seq int, plan task.StopPlan, now bool) tea.Cmd {
	return func() tea.Msg {
		r, err := fx.o.Engine.Stop(fx.ctx, plan, now, func(p task.StopProgress) {
			fx.mail.put(func(b *frameMsg) {
				if b.progress == nil {
					b.progress = map[string]progressNews{}
				}
				b.progress[plan.Task] = progressNews{seq, p}
			})
		})
		return reportMsg{seq: seq, id: plan.Task, report: r, err: err}
	}
}

func (fx *effects) hide(ids []string, hidden bool) tea.Cmd {
	return func() tea.Msg {
		for _, id := range ids {
			fx.o.Engine.Hide(id, hidden)
		}
		return nil
	}
}

const (
	wishEverywhere = 1 << iota
	wishEnded
)

// setScope tells the engine what to list. The command reads the wish when its
// turn comes, so that of two quick presses the later one stands.
func (fx *effects) setScope(everywhere, ended bool) tea.Cmd {
	var w uint32
	if everywhere {
		w |= wishEverywhere
	}
	if ended {
		w |= wishEnded
	}
	fx.wish.Store(w)
	return func() tea.Msg {
		fx.scope.Lock()
		defer fx.scope.Unlock()
		w := fx.wish.Load()
		fx.o.Engine.Everywhere(w&wishEverywhere != 0)
		fx.o.Engine.Ended(w&wishEnded != 0)
		return nil
	}
}

// copy puts text on the terminal's clipboard (OSC 52) and on the native one.
func (fx *effects) copy(text, words string) tea.Cmd {
	native := func() tea.Msg {
		if fx.o.Copy == nil {
			return doneMsg{words}
		}
		if _, err := fx.o.Copy(text); err != nil {
			return doneMsg{words + " through the terminal"}
		}
		return doneMsg{words}
	}
	return tea.Batch(tea.SetClipboard(text), native)
}

// launch runs open, which hands something to another program, and says how it
// went.
func (fx *effects) launch(words string, open func() error) tea.Cmd {
	return func() tea.Msg {
		if err := open(); err != nil {
			return doneMsg{"Could not open it: " + err.Error()}
		}
		return doneMsg{words}
	}
}

// filter stands between the terminal and the program. Wheel turns go to the
// mailbox, so that a flick of hundreds of notches is a few frames and stops with
// the finger; a click gets its time.
func (fx *effects) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch e := msg.(type) {
	case tea.MouseClickMsg:
		return clickMsg{e.Mouse(), fx.o.Now()}
	case tea.MouseWheelMsg:
		switch e.Button {
		case tea.MouseWheelUp:
			fx.mail.wheel(e.X, e.Y, -1)
		case tea.MouseWheelDown:
			fx.mail.wheel(e.X, e.Y, 1)
		}
		return nil
	}
	return msg
}
