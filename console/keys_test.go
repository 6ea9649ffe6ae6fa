package console

import (
	"slices"
	"strings"
	"testing"

	"offstage/task"
)

// B16: one table; every key has words, no two bindings share a key unless a
// gate tells them apart, and no bare letter destroys.
func TestKeyTable(t *testing.T) {
	ids := map[string]bool{}
	seen := map[string]binding{}
	for _, b := range table() {
		if b.ID == "" || b.Words == "" || b.Group == "" || len(b.Keys) == 0 || ids[b.ID] {
			t.Errorf("binding %+v is not whole or not unique", b.Binding)
		}
		ids[b.ID] = true
		for _, k := range b.Keys {
			if first, ok := seen[k]; ok && first.gate == nil {
				t.Errorf("%s: %q belongs to %s always", b.ID, k, first.ID)
			}
			seen[k] = b
		}
	}
	m := open(t, Options{}, 80, 24, devTask(), devLog())
	for k := range seen {
		a, _ := m.Key(k)
		switch a.(type) {
		case ConfirmStop, StopNow:
			t.Errorf("%q stops without a question", k)
		}
	}
	if got := New(Options{}).Keys(); len(got) != len(table()) {
		t.Errorf("%d keys in the table, %d shown", len(table()), len(got))
	}
}

// B16: less, vim and arrow keys all move.
func TestFamiliesOfKeys(t *testing.T) {
	for _, family := range [][4]string{{"j", "k", "g", "G"}, {"down", "up", "home", "end"}, {"space", "b", "g", "G"}, {"ctrl+d", "ctrl+u", "g", "G"}, {"d", "u", "home", "end"}, {"pgdown", "pgup", "home", "end"}} {
		f := longLog(500)
		m := open(t, Options{}, 80, 24, shellTask(), f)
		end := firstRow(m)
		f.keys(t, m, family[1], family[1])
		if firstRow(m) == end || m.follow {
			t.Errorf("%q does not go up", family[1])
		}
		f.keys(t, m, family[0], family[0])
		if firstRow(m) != end {
			t.Errorf("%q does not go back down", family[0])
		}
		f.keys(t, m, family[2])
		if firstRow(m) != f.lines[0].Text {
			t.Errorf("%q does not go to the start", family[2])
		}
		f.keys(t, m, family[3])
		if !m.follow {
			t.Errorf("%q does not follow", family[3])
		}
	}
}

// B16: all can be remapped, and the words on the screen follow.
func TestRemap(t *testing.T) {
	m := open(t, Options{Remap: map[string][]string{"console.stop": {"ctrl+k", "S"}}}, 80, 24, devTask(), devLog())
	if _, ok := m.Key("x"); ok {
		t.Error("the old key still acts")
	}
	if a, _ := m.Key("S"); a != (Stop{}) {
		t.Errorf("S gives %#v", a)
	}
	if !strings.Contains(plain(m), "ctrl+k stop") {
		t.Errorf("button shows the old key:\n%s", plain(m))
	}
}

// B16: hints are those that act on what is there.
func TestHints(t *testing.T) {
	ids := func(m *Model) (out []string) {
		for _, h := range m.Hints() {
			out = append(out, h.ID)
		}
		return out
	}
	f := failingLog(3000, 100)
	m := open(t, Options{}, 80, 24, shellTask(), f)
	h := ids(m)
	for _, want := range []string{"console.first", "console.stop", "console.top", "console.copy", "console.earlier"} {
		if !slices.Contains(h, want) {
			t.Errorf("following: no %s in %v", want, h)
		}
	}
	if slices.Contains(h, "console.end") || slices.Contains(h, "console.confirm") || slices.Contains(h, "console.time") {
		t.Errorf("following: %v", h)
	}
	f.keys(t, m, "k")
	if !slices.Contains(ids(m), "console.end") {
		t.Errorf("scrolled up: %v", ids(m))
	}
	m.SetStop(StopView{Phase: StopAsking, Plan: task.StopPlan{Processes: stopPlan().Processes}})
	if h := ids(m); h[0] != "console.confirm" || h[1] != "console.keep" {
		t.Errorf("asked: %v", h)
	}
	if New(Options{}).Hints() != nil {
		t.Error("hints without a task")
	}
}

// o opens the address or the file:line in the row the reader clicked.
func TestOpenHere(t *testing.T) {
	for text, want := range map[string]Action{
		"  ➜ Local: http://localhost:5173/?a=1.": OpenURL{"http://localhost:5173/?a=1"},
		"   ❯ src/cart.test.ts:88:21":            OpenEditor{Path: "src/cart.test.ts", Line: 88},
		"at Object.<anonymous> (/a/b-c/d.js:12)": OpenEditor{Path: "/a/b-c/d.js", Line: 12},
		"nothing here 12:30:01":                  Toast{"No address and no file:line in this row"},
	} {
		f := &fakeLog{}
		f.text(text)
		m := open(t, Options{}, 80, 24, shellTask(), f)
		if got, _ := m.Key("o"); got != want {
			t.Errorf("%q gives %#v", text, got)
		}
	}
	m := open(t, Options{}, 80, 24, devTask(), &fakeLog{})
	if got, _ := m.Key("o"); got != (OpenURL{"http://localhost:5173/"}) {
		t.Errorf("the task's own address: %#v", got)
	}
}
