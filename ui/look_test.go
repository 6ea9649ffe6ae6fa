package ui

import (
	"strings"
	"testing"

	"offstage/internal/config"
	"offstage/ui/uitest"
)

// TestLookChanges: a running window takes every setting of its look up, in the
// list and in an open console, and what is wrong is said once (spec 5).
func TestLookChanges(t *testing.T) {
	d := drive(t, 160, 45, uitest.Sample(uitest.Start))
	d.press("enter")
	d.press("tab")
	l := d.m.o.Look
	l.ASCII, l.Mouse, l.Still, l.NoCopyOnSelect = true, false, true, true
	l.Keys = map[string][]string{"list.stop": {"ctrl+x"}}
	l.Colours = map[string]string{"good": "#010203"}
	l.Wrong = "config.toml:3: there is no setting nonsense"
	d.send(lookMsg{l})
	text := d.text()
	if strings.ContainsAny(text, "●✘✓⠋│─") {
		t.Errorf("marks that are not ASCII:\n%s", text)
	}
	if !strings.Contains(text, l.Wrong) {
		t.Errorf("what is wrong is not said:\n%s", text)
	}
	if d.m.mouse {
		t.Error("the mouse is still taken")
	}
	if !strings.Contains(string(d.m.theme.panel.Good), "38;2;1;2;3") {
		t.Errorf("the colour is %q", d.m.theme.panel.Good)
	}
	found := false
	for _, k := range keyTable(d.m.o.Keys) {
		found = found || k.ID == "list.stop" && len(k.Keys) == 1 && k.Keys[0] == "ctrl+x"
	}
	if !found {
		t.Error("the help shows the old key")
	}
	d.send(lookMsg{Look{Theme: "dark", Mouse: true}})
	if text := d.text(); !strings.Contains(text, "●") || !d.m.mouse {
		t.Errorf("the way back:\n%s", text)
	}
}

// TestStill: with reduced motion the spinner does not step (A1).
func TestStill(t *testing.T) {
	for _, still := range []bool{false, true} {
		d := drive(t, 80, 24, uitest.Sample(uitest.Start))
		l := d.m.o.Look
		l.Still = still
		d.send(lookMsg{l})
		first := spinnerOf(t, d.text())
		d.now = d.now.Add(1e9)
		d.send(tickMsg{now: d.now})
		if moved := spinnerOf(t, d.text()) != first; moved == still {
			t.Errorf("still %v: the spinner moved %v", still, moved)
		}
	}
}

func spinnerOf(t *testing.T, text string) string {
	t.Helper()
	i := strings.IndexAny(text, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	if i < 0 {
		t.Fatalf("no spinner in\n%s", text)
	}
	return text[i : i+3]
}

// TestColourNames: the settings know the colours that the window has.
func TestColourNames(t *testing.T) {
	if strings.Join(ColourNames, " ") != strings.Join(config.ThemeColours, " ") {
		t.Errorf("%v and %v", ColourNames, config.ThemeColours)
	}
}
