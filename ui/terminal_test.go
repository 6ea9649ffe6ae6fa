//go:build unix

package ui

import (
	"context"
	"image/color"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"offstage/task"
	"offstage/ui/uitest"
)

// terminal is the real program in a real pseudo-terminal, seen through a
// terminal emulator: what the tests read are cells.
type terminal struct {
	t           testing.TB
	e           *uitest.Engine
	master, tty *os.File
	done        chan error
	send        func(tea.Msg)

	mu  sync.Mutex
	emu *vt.Emulator
	raw strings.Builder
}

// open starts Run in a terminal of w×h cells on a snapshot.
func open(t testing.TB, w, h int, snap task.Snapshot, change ...func(*Options)) *terminal {
	t.Helper()
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("NO_COLOR", "")
	t.Setenv("TMUX", "")
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	// The input is handed in as a plain reader, in raw mode already: the library's
	// reader of terminal files races with its own Close when a program ends.
	if err := rawInput(tty); err != nil {
		t.Fatalf("set the terminal to raw: %v", err)
	}
	x := &terminal{t: t, master: master, tty: tty, done: make(chan error, 1), emu: vt.NewEmulator(w, h)}
	x.resize(w, h)
	go x.answers()
	go x.paint()
	x.e = uitest.New(snap, time.Now)
	o := Options{Engine: x.e, Look: Look{Theme: "dark", Mouse: true}, Where: "/home/ada/shop-api", Home: "/home/ada", In: struct{ io.Reader }{tty}, Out: tty}
	for _, c := range change {
		c(&o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	win := newWindow(ctx, o)
	x.send = win.p.Send
	go func() { x.done <- win.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-x.done:
		case <-time.After(5 * time.Second):
			t.Error("the program did not end")
		}
		// tty is left to the collector: the program's input reader may still be on
		// its way out of it when Run has returned.
		_ = master.Close()
	})
	return x
}

// rawInput turns echo and line editing off and leaves the output's newlines as a
// program without a terminal for input expects them.
func rawInput(tty *os.File) error {
	fd := tty.Fd()
	if _, err := term.MakeRaw(fd); err != nil {
		return err
	}
	st, err := term.GetState(fd)
	if err != nil {
		return err
	}
	st.Oflag |= unix.OPOST | unix.ONLCR
	return term.SetState(fd, st)
}

// resize gives the terminal another size and tells the program, as the signal
// would that reaches only a program whose terminal this is.
func (x *terminal) resize(w, h int) {
	x.mu.Lock()
	x.emu.Resize(w, h)
	x.mu.Unlock()
	if err := pty.Setsize(x.tty, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		x.t.Fatalf("set the size: %v", err)
	}
	if x.send != nil {
		x.send(tea.WindowSizeMsg{Width: w, Height: h})
	}
}

// answers passes on what the terminal itself says (replies to queries).
func (x *terminal) answers() {
	buf := make([]byte, 1024)
	for {
		n, err := x.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := x.master.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (x *terminal) paint() {
	buf := make([]byte, 32<<10)
	for {
		n, err := x.master.Read(buf)
		if n > 0 {
			x.mu.Lock()
			_, _ = x.emu.Write(buf[:n])
			x.raw.Write(buf[:n])
			x.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (x *terminal) keys(keys string) {
	x.t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatalf("type: %v", err)
	}
}

// click presses and lets go of the left button at a cell (0,0 is upper left).
func (x *terminal) click(cx, cy int) {
	x.mouse(0, cx, cy, 'M')
	x.mouse(0, cx, cy, 'm')
}

func (x *terminal) wheel(cx, cy, n int) {
	for range max(n, -n) {
		if n < 0 {
			x.mouse(64, cx, cy, 'M')
		} else {
			x.mouse(65, cx, cy, 'M')
		}
	}
}

func (x *terminal) mouse(button, cx, cy int, end byte) {
	x.keys("\x1b[<" + itoa(button) + ";" + itoa(cx+1) + ";" + itoa(cy+1) + string(end))
}

func itoa(n int) string { return strings.TrimSpace(numbers([]int{n})) }

// screen is what a person sees, row by row.
func (x *terminal) screen() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	rows := make([]string, x.emu.Height())
	for y := range rows {
		var b strings.Builder
		for c := 0; c < x.emu.Width(); c++ {
			cell := x.emu.CellAt(c, y)
			switch {
			case cell == nil || (cell.Content == "" && cell.Width > 0):
				b.WriteByte(' ')
			default:
				b.WriteString(cell.Content)
			}
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

func (x *terminal) text() string { return strings.Join(x.screen(), "\n") }

// until waits for a screen on which ok holds.
func (x *terminal) until(what string, ok func(text string) bool) {
	x.t.Helper()
	for range 500 {
		if ok(x.text()) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.t.Fatalf("never: %s. The screen:\n%s", what, x.text())
}

func (x *terminal) shows(texts ...string) {
	x.t.Helper()
	for _, s := range texts {
		x.until("shows "+s, func(text string) bool { return strings.Contains(text, s) })
	}
}

func (x *terminal) hides(texts ...string) {
	x.t.Helper()
	for _, s := range texts {
		x.until("hides "+s, func(text string) bool { return !strings.Contains(text, s) })
	}
}

// at is the cell where text stands.
func (x *terminal) at(text string) (cx, cy int) {
	x.t.Helper()
	for y, row := range x.screen() {
		if c, ok := cellOf(row, text); ok {
			return c, y
		}
	}
	x.t.Fatalf("%q is not on the screen:\n%s", text, x.text())
	return 0, 0
}

// colour is the foreground of the cell where text starts.
func (x *terminal) colour(text string) color.Color {
	cx, cy := x.at(text)
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.emu.CellAt(cx, cy).Style.Fg
}

func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.raw.String()
}

// ends waits until Run has returned.
func (x *terminal) ends() {
	x.t.Helper()
	select {
	case err := <-x.done:
		if err != nil {
			x.t.Fatal(err)
		}
		x.done <- nil
	case <-time.After(5 * time.Second):
		x.t.Fatalf("the program runs on:\n%s", x.text())
	}
}
