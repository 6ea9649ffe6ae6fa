package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"offstage/task"
)

// framesPerSecond is the most that is drawn.
const framesPerSecond = 30

// Run opens the window and returns when the person leaves it or ctx ends. Then
// one line is printed where the window was: what still runs.
func Run(ctx context.Context, o Options) error {
	return newWindow(ctx, o).run(ctx)
}

// window is a model in its program.
type window struct {
	m     *Model
	p     *tea.Program
	out   io.Writer
	fault *atomic.Pointer[error]
}

func newWindow(ctx context.Context, o Options) window {
	m := New(o)
	m.setWidths(ansi.WcWidth)
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithFPS(framesPerSecond), tea.WithFilter(m.fx.filter)}
	opts = append(opts, inputOptions(m.o)...)
	out := o.Out
	if out == nil {
		out = os.Stdout
	} else {
		opts = append(opts, tea.WithOutput(out))
	}
	w := window{m: m, out: out, fault: new(atomic.Pointer[error])}
	w.p = tea.NewProgram(guarded{Model: m, fault: w.fault, quit: func() { w.p.Quit() }}, opts...)
	return w
}

func (w window) run(ctx context.Context) error {
	_, err := w.p.Run()
	w.m.fx.cancel()
	w.m.close()
	if fault := w.fault.Load(); fault != nil {
		return *fault
	}
	if err != nil && !errors.Is(err, tea.ErrInterrupted) && ctx.Err() == nil {
		return fmt.Errorf("run the window: %w", err)
	}
	return w.m.farewell(w.out)
}

// close frees the output that was open when the program ended.
func (m *Model) close() {
	m.lastPlace()
	if m.out != nil {
		_ = m.out.Close() // nothing was written; there is nothing to lose
		m.out = nil
	}
}

// farewell says what runs on, and after ^C that nothing was touched.
func (m *Model) farewell(w io.Writer) error {
	n := task.Count(m.snap.Tasks).Running
	words := ""
	switch {
	case m.o.Demo:
		words = "The demo has ended, and its commands with it."
		m.byCtrlC = false
	case n > 0:
		words = count(n, "task", "tasks") + " still running · reopen with offstage"
	}
	if m.byCtrlC {
		words = joined(" · ", "Quitting touched no task", words)
	}
	if words == "" {
		return nil
	}
	if _, err := fmt.Fprintln(w, m.ascii(words)); err != nil {
		return fmt.Errorf("say what still runs: %w", err)
	}
	return nil
}
