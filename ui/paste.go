package ui

import (
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// A pasted text comes between two marks of the terminal, so that none of it is
// taken for keys. Where the second mark is lost (a connection that broke, a
// program that printed the first), the library's reader would take every key for
// text until the end of time. pasteGuard stands before it: a key that is pressed
// after a silence ends such a paste, and no paste grows without bound.

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// pasteSilence is how long nothing came before a paste counts as broken off.
	pasteSilence = time.Second
	// longestKey is what one key press sends at most. More bytes at once are the
	// rest of a paste that was held up on its way, and no keys.
	longestKey = 12
	// longestPaste bounds a paste; what is behind it is dropped up to its end.
	longestPaste = 1 << 20
)

// pasteGuard passes on what it reads. It is used by one goroutine at a time.
type pasteGuard struct {
	from io.Reader
	now  func() time.Time
	// inside a paste of size bytes so far; last is when something came.
	inside bool
	size   int
	last   time.Time
	// seen is how much of a mark stands at the end of what came.
	seen int
	// ready waits to be read, done is what there is to say behind it.
	ready []byte
	done  error
}

// Read is io.Reader's.
func (g *pasteGuard) Read(p []byte) (int, error) {
	for len(g.ready) == 0 {
		if g.done != nil {
			return 0, g.done
		}
		if len(p) == 0 {
			return 0, nil
		}
		var buf [4096]byte
		n, err := g.from.Read(buf[:min(len(p), len(buf))])
		g.take(buf[:n])
		g.done = err
		if err == nil && n == 0 {
			return 0, nil
		}
	}
	n := copy(p, g.ready)
	g.ready = g.ready[n:]
	return n, nil
}

// take takes in what came with one read.
func (g *pasteGuard) take(b []byte) {
	now := g.now()
	if g.inside && (string(b) == "\x03" || g.seen == 0 && now.Sub(g.last) >= pasteSilence && isKey(b)) {
		g.ready = append(g.ready, pasteEnd...)
		g.inside = false
	}
	g.last = now
	for _, c := range b {
		g.put(c)
	}
}

// isKey: so few bytes are a key press, if they are not the end of the paste.
func isKey(b []byte) bool {
	n := min(len(b), len(pasteEnd))
	ends := n > 1 && string(b[:n]) == pasteEnd[:n] // a lone Esc is a key
	return n > 0 && len(b) <= longestKey && !ends
}

// put passes one byte on and notes where marks begin and end.
func (g *pasteGuard) put(c byte) {
	mark := pasteBegin
	if g.inside {
		mark = pasteEnd
	}
	switch c {
	case mark[g.seen]:
		g.seen++
	case mark[0]:
		g.seen = 1
	default:
		g.seen = 0
	}
	over := g.inside && g.size >= longestPaste
	if g.seen == len(mark) {
		if over {
			g.ready = append(g.ready, pasteEnd...)
		}
		g.inside, g.seen, g.size = !g.inside, 0, 0
	} else if g.inside {
		g.size++
	}
	if !over {
		g.ready = append(g.ready, c)
	}
}

// guardedFile is the terminal's own file behind a guard: the library waits on its
// descriptor and reads by Read.
type guardedFile struct {
	*os.File
	guard *pasteGuard
}

// Read is io.Reader's.
func (f guardedFile) Read(p []byte) (int, error) { return f.guard.Read(p) }

// inputOptions put the guard before what the program reads. Where standard input
// is no terminal the library opens one of its own.
func inputOptions(o Options) []tea.ProgramOption {
	if o.In != nil {
		return []tea.ProgramOption{tea.WithInput(&pasteGuard{from: o.In, now: o.Now})}
	}
	if !term.IsTerminal(os.Stdin.Fd()) {
		return nil
	}
	return []tea.ProgramOption{tea.WithInput(guardedFile{os.Stdin, &pasteGuard{from: os.Stdin, now: o.Now}})}
}
