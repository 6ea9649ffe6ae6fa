package output

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

func TestProgressReports(t *testing.T) {
	of := func(percent int, state string) *task.Progress { return &task.Progress{Percent: percent, State: state} }
	for text, want := range map[string]*task.Progress{
		"\x1b]9;4;1;42\x07":                        of(42, ""),
		"\x1b]9;4;1;42\x1b\\more":                  of(42, ""),
		"\x1b]9;4;1;7\x07 \x1b]9;4;1;300\x07x":     of(100, ""),
		"\x1b]9;4;2;50\x07":                        of(50, "error"),
		"\x1b]9;4;2\x07":                           of(-1, "error"),
		"\x1b]9;4;3\x07":                           of(-1, ""),
		"\x1b]9;4;4;10\x07":                        of(10, "paused"),
		"\x1b]9;4;1;5\x07\x1b]9;4;0\x07":           nil,
		"\x1b]9;4;1;5\x07\x1b]9;4;9;1\x07":         of(5, ""),
		"\x1b]9;4;1;5\x07\x1b]9;4;1;x\x07":         of(5, ""),
		"\x1b]9;4;1;5\x07\x1b]9;4;1;8":             of(5, ""), // not whole
		"\x1b]7501;state=working:progress=40\x07":  of(40, ""),
		"\x1b]7501;state=error:msg=QQ==\x07":       of(-1, "error"),
		"\x1b]7501;state=working:id=part\x07":      nil,
		"\x1b]9;4;1;5\x07\x1b]7501;state=done\x07": nil,
		"9;4;1;42 \x1b]9;5;1;42\x07":               nil,
	} {
		for cut := range len(text) + 1 {
			var p progress
			p.take([]byte(text[:cut]))
			p.take([]byte(text[cut:]))
			if !sameProgress(p.now, want) {
				t.Errorf("%q cut at %d: %+v, want %+v", text, cut, p.now, want)
			}
		}
	}
}

// What a program reports is told in the facts, and is in no row (issue: the gate).
func TestProgressOfALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("building\n\x1b]9;4;1;42\x07\x1b]7501;state=working:msg=c2VjcmV0:progress=43\x07half\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, path, Options{Running: true})
	for end := time.Now().Add(10 * time.Second); l.Facts().Progress == nil && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if p := l.Facts().Progress; p == nil || p.Percent != 43 {
		t.Fatalf("%+v", p)
	}
	page, err := l.Page(context.Background(), task.PageRequest{Tail: true, Before: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Lines {
		if strings.ContainsAny(row.Text, "\x1b;") || strings.Contains(row.Text, "9;4") || strings.Contains(row.Text, "c2Vj") {
			t.Errorf("a row shows the report: %q", row.Text)
		}
	}
}

func FuzzProgress(f *testing.F) {
	f.Add([]byte("\x1b]9;4;1;42\x07"), 3)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		var whole, parts progress
		whole.take(b)
		at := max(0, min(cut, len(b)))
		parts.take(b[:at])
		parts.take(b[at:])
		if p := whole.now; p != nil && (p.Percent < -1 || p.Percent > 100) {
			t.Fatalf("%+v", p)
		}
		if len(b) < maxReport && bytes.Count(b, []byte{0x1b}) == 1 && !sameProgress(whole.now, parts.now) {
			t.Fatalf("whole %+v, cut at %d %+v", whole.now, at, parts.now)
		}
	})
}
