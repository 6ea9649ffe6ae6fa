package tracetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// Secret stands in what no source may read.
const Secret = "what-stands-outside"

// Spoil puts something bad beside what is good; h.Dir/outside holds Secret.
type Spoil map[string]func(t *testing.T, h Home)

// Hostile runs a source over a home that is spoilt in one way after another: what
// lies there may cost its own row and never what good looks at (issue 9). outside
// is a text in the agent's own format that holds Secret.
func Hostile(t *testing.T, stage func(t *testing.T) Home, open func(h Home) Scanner, outside string, cases Spoil, good func(t *testing.T, snap task.Snapshot)) {
	t.Helper()
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			h := stage(t)
			h.Put(t, "outside", outside)
			spoil(t, h)
			snap := All(t, open(h))
			NoLeak(t, snap, Secret)
			good(t, snap)
		})
	}
}

// Outside is where the text lies that no source may read.
func (h Home) Outside() string { return filepath.Join(h.Dir, "outside") }

// Printed is what a console shows of a decoded task, a row a line.
func Printed(t *testing.T, x task.Task) string {
	t.Helper()
	b, err := os.ReadFile(x.Output.Path)
	Must(t, err)
	var out []string
	for l := range strings.Lines(string(b)) {
		for _, row := range x.Decoder.Decode([]byte(strings.TrimRight(l, "\n")), 0) {
			out = append(out, row.Text)
		}
	}
	return strings.Join(out, "\n")
}

// Age makes a file, or a folder, as old as d.
func Age(t testing.TB, path string, d time.Duration) {
	t.Helper()
	at := time.Now().Add(-d)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// Recent checks that only what is recent is told of, and all where all is asked
// for: one session today, many old ones.
func Recent(t *testing.T, s interface {
	Scanner
	SetDeep(bool)
}, many int) {
	t.Helper()
	if n := len(All(t, s).Sessions); n != 1 {
		t.Errorf("%d sessions, want the one of today", n)
	}
	s.SetDeep(true)
	if n := len(All(t, s).Sessions); n != many+1 {
		t.Errorf("%d sessions with all asked for, want %d", n, many+1)
	}
	s.SetDeep(false)
	if n := len(All(t, s).Sessions); n != 1 {
		t.Errorf("%d sessions afterwards", n)
	}
}
