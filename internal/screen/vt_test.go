package screen

import (
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
