package console

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Blind check 7: where a terminal measures rune by rune, nothing is drawn that some
// of them join (tmux 3.3 makes two cells of a family that counts eight), the measured
// width is that of what is drawn, letters keep their joiners, and a copy is exact.
func TestNothingIsJoinedWhereRunesAreMeasured(t *testing.T) {
	for in, want := range map[string]string{
		"👩\u200d👩\u200d👧 family": "👩👩👧 family",
		"❤\ufe0f heart":          "❤ heart",
		"🏳\ufe0f\u200d🌈":         "🏳🌈",
		"ක\u0dca\u200dෂ":         "ක\u0dca\u200dෂ",
		"日本語 👍🏽 🇩🇪":              "日本語 👍🏽 🇩🇪",
		"end\u200d":              "end",
	} {
		got := unjoined(in)
		if got != want {
			t.Errorf("%q is drawn as %q, want %q", in, got, want)
		}
		if a, b := cells(in, ansi.WcWidth), cells(got, ansi.WcWidth); a != b {
			t.Errorf("%q is measured as %d cells and drawn in %d", in, a, b)
		}
	}
	const line = "👩\u200d👩\u200d👧 and ❤\ufe0f"
	f := &fakeLog{}
	f.text(line)
	m := open(t, Options{}, 80, 12, shellTask(), f)
	if !strings.Contains(m.View(), line) {
		t.Errorf("a terminal that measures by grapheme gets it as it is:\n%q", m.View())
	}
	m.SetWidths(ansi.WcWidth)
	if v := m.View(); strings.Contains(v, "\u200d") || strings.Contains(v, "\ufe0f") || !strings.Contains(v, "👩👩👧 and ❤") {
		t.Errorf("drawn:\n%q", v)
	}
	m.cursor = m.win.rows[0].key()
	act, _ := m.Key("y")
	if a, ok := act.(Copy); !ok || strings.TrimSuffix(a.Text, "\n") != line {
		t.Errorf("copied %+v", a)
	}
}
