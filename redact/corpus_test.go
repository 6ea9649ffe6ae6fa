package redact

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// fakeMark stands inside every secret of the test data, so that scanners for
// leaked secrets see none; it is taken out before use.
const fakeMark = "⟂"

type sample struct {
	ID, In, Out, Why, Kind string
}

// samples reads a file of cases, one JSON object a line.
func samples(t testing.TB, file string) (all []sample) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var s sample
		if err := json.Unmarshal(sc.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		s.In, s.Out = strings.ReplaceAll(s.In, fakeMark, ""), strings.ReplaceAll(s.Out, fakeMark, "")
		all = append(all, s)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// filter runs a text through Write in pieces of n bytes.
func filter(s string, n int) string {
	r := New(Options{})
	var b strings.Builder
	for at := 0; at < len(s); at += n {
		b.Write(r.Write([]byte(s[at:min(len(s), at+n)])))
	}
	b.Write(r.Flush())
	return b.String()
}

// byLine runs a text through Line.
func byLine(s string) string {
	r := New(Options{})
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = r.Line(lines[i])
	}
	return strings.Join(lines, "\n")
}

func files() []string { return []string{"corpus.jsonl", "kinds.jsonl"} }

// TestCorpus holds C1 to C8 to recorded kinds of output.
func TestCorpus(t *testing.T) {
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if got := String(c.In); got != c.Out {
				t.Errorf("%s %s (%s)\n in   %.300q\n want %.300q\n got  %.300q", c.ID, c.Kind, c.Why, c.In, c.Out, got)
			}
		}
	}
}

// TestCuts: however the bytes are cut, the same comes out (C8).
func TestCuts(t *testing.T) {
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if len(c.In) > 2000 {
				continue
			}
			for n := 1; n < len(c.In) && n < 80; n++ {
				if got := filter(c.In, n); got != c.Out {
					t.Errorf("%s in pieces of %d: %.300q", c.ID, n, got)
					break
				}
			}
			for at := 1; at < len(c.In); at++ {
				r := New(Options{})
				got := string(r.Write([]byte(c.In[:at])))
				got += string(r.Write([]byte(c.In[at:])))
				got += string(r.Flush())
				if got != c.Out {
					t.Errorf("%s cut at %d: %.300q", c.ID, at, got)
					break
				}
			}
		}
	}
}

// TestTwice: masking twice is masking once.
func TestTwice(t *testing.T) {
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if got := String(c.Out); got != c.Out {
				t.Errorf("%s %s: second pass %.300q gave %.300q", c.ID, c.Kind, c.Out, got)
			}
		}
	}
}

// TestLines: Line says the same as the filter where no escape and no later line
// is part of the matter, and Ranges says the same as Line.
func TestLines(t *testing.T) {
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if strings.ContainsAny(c.In, "\x1b\r\b") || c.Kind == "tail" {
				continue
			}
			if got := byLine(c.In); got != c.Out {
				t.Errorf("%s %s: by line %.300q", c.ID, c.Kind, got)
			}
			a, b := New(Options{}), New(Options{})
			for _, l := range strings.Split(c.In, "\n") {
				rs := a.Ranges(l)
				if got, want := Apply(l, rs), b.Line(l); got != want {
					t.Errorf("%s: ranges %v give %q, line gives %q", c.ID, rs, got, want)
				}
				if a.Save() != b.Save() {
					t.Errorf("%s: states differ behind %q", c.ID, l)
				}
			}
		}
	}
}
