package registry

import (
	"strings"
	"testing"
	"unicode/utf8"

	"offstage/task"
)

// madeToken is a token of a known form that stands in no file.
func madeToken() string {
	return strings.ReplaceAll("gh⟂p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "⟂", "")
}

// TestMaskHostile: no control character that stands inside a secret lets it out,
// and none of them leaves the registry (C8, C9, B7).
func TestMaskHostile(t *testing.T) {
	tok := madeToken()
	for name, glue := range map[string]string{
		"zero": "\x00", "colour": "\x1b[31m", "bidi": "\u202e", "invisible": "\u200b", "byte order mark": "\ufeff",
		"C1": "\u009b1m", "title": "\x1b]0;x\x07", "bell": "\x07", "broken": "\xff", "tag": "\U000e0041",
	} {
		dirty := "curl " + tok[:12] + glue + tok[12:] + " ok"
		var m masker
		got := m.task(task.Task{Title: dirty, Command: dirty, Activity: dirty, Summary: dirty, Trouble: dirty, URLs: []string{dirty}}, nil)
		for _, s := range []string{got.Title, got.Command, got.Activity, got.Summary, got.Trouble, got.URLs[0]} {
			if strings.Contains(s, tok[14:30]) || !strings.Contains(s, "[redacted]") {
				t.Errorf("%s: %q", name, s)
			}
			if strings.IndexFunc(s, unsafeRune) >= 0 {
				t.Errorf("%s: %q may act on a terminal", name, s)
			}
		}
	}
}

// TestMaskBounds: an essay for a title is cut after it was masked, and what is
// remembered has an end.
func TestMaskBounds(t *testing.T) {
	var m masker
	long := strings.Repeat("word ", 200_000)
	for i := range 60 {
		got := m.task(task.Task{Title: long + string(rune('a'+i)), Result: long + string(rune('a'+i))}, nil)
		if len(got.Title) > maxTitle+len("…") || len(got.Result) < len(long) {
			t.Fatalf("title of %d bytes, result of %d", len(got.Title), len(got.Result))
		}
	}
	if m.bytes > maxKnownBytes+8<<20 || m.bytes == 0 {
		t.Errorf("%d bytes are remembered", m.bytes)
	}
	edge := strings.Repeat("x ", (maxTitle-20)/2) + madeToken()
	if got := m.task(task.Task{Title: edge}, nil).Title; strings.Contains(got, "gh"+"p_A1") {
		t.Errorf("a secret at the cut: %q", got)
	}
}

// TestMaskOneLine: a name and its value that meet only on the row (C4, C9).
func TestMaskOneLine(t *testing.T) {
	var m masker
	if got := m.task(task.Task{Title: "login with password:\n  q8Zr2Lm5Xw9Kd3Tb"}, nil).Title; strings.Contains(got, "q8Zr2Lm5") {
		t.Errorf("%q", got)
	}
}

// TestIDNames: an id is a file's name where the source is a folder, so a name
// may try to act on a terminal or show a secret (C9).
func TestIDNames(t *testing.T) {
	var n idNames
	tok := madeToken()
	native := []string{"plain.log", "esc\x1b]0;x\x07.log", "new\nline.log", "rtl\u202egol.log", "bad\xff.log", "a-" + tok + ".log", "a-" + tok + ".err", "deep/a.log"}
	snap := task.Snapshot{Sessions: []task.Session{{ID: "files:s\x1bx", Native: "s\x1bx"}}}
	for _, s := range native {
		snap.Tasks = append(snap.Tasks, task.Task{ID: "files:" + s, Native: s, Session: "files:s\x1bx", Parent: "files:" + s})
	}
	got := n.safe(snap)
	seen := map[string]bool{}
	for i, x := range got.Tasks {
		if strings.IndexFunc(x.ID, unsafeRune) >= 0 || strings.ContainsAny(x.ID, "\n\t") || strings.Contains(x.ID, tok) {
			t.Errorf("%q", x.ID)
		}
		if x.ID != "files:"+x.Native || x.Parent != x.ID || x.Session != got.Sessions[0].ID || seen[x.ID] {
			t.Errorf("%q does not hold together: %+v", native[i], x)
		}
		seen[x.ID] = true
	}
	if got.Tasks[0].Native != "plain.log" || got.Tasks[7].Native != "deep/a.log" {
		t.Error("a plain id stays as it is")
	}
	if snap.Tasks[1].Native != native[1] {
		t.Error("the source's own snapshot is not changed")
	}
}

// TestCommandIsCut is L2: the first 2,000 characters, cut after it was masked.
func TestCommandIsCut(t *testing.T) {
	var m masker
	got := m.task(task.Task{Command: strings.Repeat("é", 3000)}, nil).Command
	if n := utf8.RuneCountInString(got); n != 2001 || !strings.HasSuffix(got, "é…") {
		t.Errorf("%d characters, ending %q", n, got[len(got)-6:])
	}
	if got := m.task(task.Task{Command: strings.Repeat("é", 2000)}, nil).Command; strings.Contains(got, "…") {
		t.Error("what fits is cut")
	}
}
