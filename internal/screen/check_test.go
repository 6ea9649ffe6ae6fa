package screen

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path"
	"testing"
	"unicode"
	"unicode/utf8"

	"offstage/task"
)

// capture is one recording of testdata/redraw.tar.gz or own.tar.gz: the bytes that a
// program wrote and what a terminal held in the end (see the README in the first).
type capture struct {
	name                  string
	log                   []byte
	expect, alt           string
	Columns, Rows         int
	Redraws, Agree        bool
	How                   string
	Tolerance             struct{ Blank, Fffd, Unseen bool }
	hasAlt, hasExpectFile bool
}

// captures reads the recordings, in the order of their names.
func captures(t testing.TB) []*capture {
	t.Helper()
	all := unpack(t, "testdata/redraw.tar.gz")
	if len(all) < 180 {
		t.Fatalf("only %d recordings", len(all))
	}
	return append(all, unpack(t, "testdata/own.tar.gz")...)
}

func unpack(t testing.TB, archive string) []*capture {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []*capture
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		dir, file := path.Split(path.Clean(h.Name))
		if dir == "" {
			continue
		}
		dir = path.Clean(dir)
		if len(all) == 0 || all[len(all)-1].name != dir {
			all = append(all, &capture{name: dir})
		}
		c := all[len(all)-1]
		switch file {
		case "output.log":
			c.log = b
		case "expect.txt":
			c.expect, c.hasExpectFile = string(b), true
		case "expect.alt.txt":
			c.alt, c.hasAlt = string(b), true
		case "meta.json":
			if err := json.Unmarshal(b, c); err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
		}
	}
	return all
}

// play gives all rows of a log that is written in one piece.
func play(o Options, log []byte) []task.Line {
	s := New(o)
	s.Write(log, 0)
	return s.Flush()
}

// playCut gives all rows of a log that is written in pieces of n bytes, taking
// the settled rows between them.
func playCut(o Options, log []byte, n int) []task.Line {
	s := New(o)
	var out []task.Line
	for i := 0; i < len(log); i += n {
		s.Write(log[i:min(i+n, len(log))], int64(i))
		out = append(out, s.Settled()...)
		if i%(61*n) == 0 {
			_ = s.Live()
		}
	}
	return append(out, s.Flush()...)
}

// texts are the rows' texts, marks in ⟦⟧.
func texts(lines []task.Line) []string {
	var out []string
	for _, l := range lines {
		if l.Mark != task.NoMark {
			out = append(out, "⟦"+l.Text+"⟧")
			continue
		}
		out = append(out, l.Text)
	}
	return out
}

// sound checks what holds for every row, whatever the input was: no control and
// no invisible character, valid text, spans in order on rune borders, offsets
// that never go back, nothing beyond the display limit.
func sound(t testing.TB, o Options, lines []task.Line) {
	t.Helper()
	limit := o.MaxText
	if limit == 0 {
		limit = defaultText
	}
	var last int64
	for i, l := range lines {
		if !utf8.ValidString(l.Text) {
			t.Fatalf("row %d is not UTF-8: %q", i, l.Text)
		}
		if n := utf8.RuneCountInString(l.Text); n > limit {
			t.Fatalf("row %d has %d characters", i, n)
		}
		runes := []rune(l.Text)
		for k, r := range runes {
			if unicode.IsControl(r) {
				t.Fatalf("row %d has a control character: %q", i, l.Text)
			}
			if isUnseen(r) && (r != 0x200d || k == 0 || k == len(runes)-1) {
				t.Fatalf("row %d has an invisible character: %+q", i, l.Text)
			}
		}
		if l.Offset < last || l.End < l.Offset {
			t.Fatalf("row %d: offset %d after %d, end %d", i, l.Offset, last, l.End)
		}
		last = l.Offset
		soundSpans(t, i, l)
	}
}

func soundSpans(t testing.TB, i int, l task.Line) {
	t.Helper()
	at := 0
	for _, sp := range l.Spans {
		if sp.Start < at || sp.End <= sp.Start || sp.End > len(l.Text) || sp.Style == (task.Style{}) {
			t.Fatalf("row %d: span %+v after %d of %d", i, sp, at, len(l.Text))
		}
		if !utf8.RuneStart(l.Text[sp.Start]) || sp.End < len(l.Text) && !utf8.RuneStart(l.Text[sp.End]) {
			t.Fatalf("row %d: span %+v cuts a character", i, sp)
		}
		at = sp.End
	}
}

// same compares two runs of rows in everything.
func same(t testing.TB, what string, a, b []task.Line) {
	t.Helper()
	ja, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	jb, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(ja, jb) {
		return
	}
	for i := range max(len(a), len(b)) {
		var la, lb task.Line
		if i < len(a) {
			la = a[i]
		}
		if i < len(b) {
			lb = b[i]
		}
		x, _ := json.Marshal(la)
		y, _ := json.Marshal(lb)
		if !bytes.Equal(x, y) {
			t.Fatalf("%s: row %d of %d and %d:\n%s\n%s", what, i, len(a), len(b), x, y)
		}
	}
}
