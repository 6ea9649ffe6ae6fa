package screen

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
)

// TestAgainstEmulator: on ordinary programs the text is that of a whole terminal
// emulator. It is left out where the recording says that emulators differ, where
// the screen is cleared or switched (a log keeps what was there), and where rows
// wrapped, for the emulator gives its rows one by one.
func TestAgainstEmulator(t *testing.T) {
	compared := 0
	for _, c := range captures(t) {
		if !c.Agree || c.hasAlt || c.Columns == 0 || strings.Contains(c.expect, "⟦") || len(c.log) > 64<<10 {
			continue
		}
		got := tidy(c, texts(play(Options{Width: c.Columns, Height: c.Rows}, c.log)))
		if slices.ContainsFunc(got, func(s string) bool { return len([]rune(s)) > c.Columns }) || strings.HasPrefix(c.name, "hand-") {
			continue
		}
		compared++
		if want := tidy(c, emulate(c)); !slices.Equal(got, want) {
			t.Errorf("%s:\nours %q\nvt   %q", c.name, got, want)
		}
	}
	if compared < 60 {
		t.Errorf("only %d recordings compared", compared)
	}
}

// emulate plays a recording in x/vt and gives scrollback and screen. The
// recordings hold no queries, so nobody needs to read the emulator's replies.
func emulate(c *capture) []string {
	e := vt.NewEmulator(c.Columns, c.Rows)
	defer func() { _ = e.Close() }()
	_, _ = e.Write(c.log)
	var out []string
	for _, line := range e.Scrollback().Lines() {
		out = append(out, line.String())
	}
	return append(out, strings.Split(e.String(), "\n")...)
}

// randomOps are moves and edits on which emulators agree: the right margin is
// never met, and no row is deleted (x/vt puts deleted rows into its scrollback).
func randomOps(r *rand.Rand) string {
	pick := func(s string) string { i := r.Intn(len(s)); return s[i : i+1] }
	var b strings.Builder
	b.WriteString("\x1b7")
	for range 3 + r.Intn(25) {
		switch r.Intn(9) {
		case 0, 1:
			b.WriteString(strings.Repeat(pick("abcdefgh"), 1+r.Intn(8)))
		case 2:
			b.WriteString("\r\n")
		case 3:
			b.WriteString(pick("\r\b\t"))
		case 4:
			fmt.Fprintf(&b, "\x1b[%d%s", 1+r.Intn(4), pick("ABCDEFGX"))
		case 5:
			fmt.Fprintf(&b, "\x1b[%d%s", 1+r.Intn(3), pick("@PL"))
		case 6:
			fmt.Fprintf(&b, "\x1b[%dK", r.Intn(3))
		case 7:
			fmt.Fprintf(&b, "\x1b[%d;%dH", 2+r.Intn(4), 1+r.Intn(15))
		case 8:
			b.WriteString("\x1b" + pick("M78"))
		}
	}
	return b.String()
}

// TestMovesAgainstEmulator: whatever a program moves and edits, the rows are
// those of a terminal of the same size (B5).
func TestMovesAgainstEmulator(t *testing.T) {
	for seed := range 400 {
		c := &capture{log: []byte(randomOps(rand.New(rand.NewSource(int64(seed))))), Columns: 260, Rows: 6}
		o := Options{Width: c.Columns, Height: c.Rows}
		got, want := tidy(c, texts(play(o, c.log))), tidy(c, emulate(c))
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q\nours %q\nvt   %q", seed, c.log, got, want)
		}
	}
}
