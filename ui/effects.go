package ui

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// The effects are every command of the program: all that waits, reads a clock,
// asks the engine or touches the world. Update calls these and nothing else;
// what they bring comes back as a message. Long waits (the engine's news, an
// output's growth) put what they learn into the mailbox, which passes on one
// message a frame. This file has the engine's news and the clock; those of an
// open output are in effects_output.go, what is asked of the engine for a person
// in effects_act.go, what is handed to other programs in outside.go, what stands
// before the program's input in input.go.

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
	}
	openedMsg struct {
		gen int
		out task.Output
		// place is what was kept of an earlier run of the program (B14).
		place []byte
		err   error
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
		return tickMsg{now: fx.o.Now()}
	})
}
