package ui

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"offstage/internal/registry"
)

// A fault in the program itself ends it in order: the terminal is given back and
// one masked sentence says what happened. The library would print the text of the
// panic as it is, with whatever a task said in it (C9).

// maxFault is how much is said of a fault, in bytes.
const maxFault = 200

// Fault is what a recovered panic is for a person: short, masked, with the place
// in the source. Call it where recover was called.
func Fault(r any) error {
	text := registry.Mask(strings.Join(strings.Fields(fmt.Sprint(r)), " "))
	if len(text) > maxFault {
		text = strings.ToValidUTF8(text[:maxFault], "") + "…"
	}
	return fmt.Errorf("a fault in the program (%s%s): nothing was done to any task; please report it", text, faultPlace())
}

// faultPlace is where the panic came from: the first frame of ours above it.
func faultPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			panicked = panicked || f.Function == "runtime.gopanic"
		case panicked && strings.HasPrefix(f.Function, "offstage/"):
			return fmt.Sprintf(", at %s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// guarded is the model under a guard: what faults in it, or in a command of it,
// ends the program with the first fault as its error.
type guarded struct {
	*Model
	fault *atomic.Pointer[error]
	quit  func()
}

// catch takes a panic up; defer it.
func (g guarded) catch() {
	if r := recover(); r != nil {
		err := Fault(r)
		g.fault.CompareAndSwap(nil, &err)
		go g.quit()
	}
}

// Init is tea.Model's.
func (g guarded) Init() (cmd tea.Cmd) {
	defer g.catch()
	return g.cmd(g.Model.Init())
}

// Update is tea.Model's.
func (g guarded) Update(msg tea.Msg) (out tea.Model, cmd tea.Cmd) {
	out = g
	defer g.catch()
	_, cmd = g.Model.Update(msg)
	return g, g.cmd(cmd)
}

// View is tea.Model's.
func (g guarded) View() (v tea.View) {
	defer g.catch()
	return g.Model.View()
}

// cmd puts a command under the guard, and those that it brings.
func (g guarded) cmd(c tea.Cmd) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer g.catch()
		msg = c()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.cmd(batch[i])
			}
		}
		return msg
	}
}
