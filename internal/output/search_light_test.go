package output

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"offstage/task"
)

// usualLog has lines that need no screen: text, colours, tabs, other scripts,
// secrets and keys over many lines.
func usualLog(seed uint64, size int) string {
	r := rand.New(rand.NewPCG(seed, 8))
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		switch r.IntN(12) {
		case 0:
			fmt.Fprintf(&b, "\x1b[32m%d ok\x1b[0m then to\x1b[1;31mken %d\x1b[m\r\n", n, r.IntN(9))
		case 1:
			fmt.Fprintf(&b, "a\tb\t\tcolumn %d\t\t\n", n)
		case 2:
			fmt.Fprintf(&b, "✓ ünïcode → %d …\n", n)
		case 3:
			b.WriteString(strings.ReplaceAll("token=ghp_⟂16C7e42F292c6912E7710c838347Ae178B4a ok\n", "⟂", ""))
		case 4:
			if r.IntN(20) == 0 {
				b.WriteString(keyBlock(r, 1+r.IntN(60)))
			}
		case 5:
			b.WriteString("Authorization:\nBearer abcdefghijklmnop\n\n")
		default:
			fmt.Fprintf(&b, "%d plain line with some words %x\n", n, r.Uint64())
		}
	}
	return b.String()
}

// The short way gives the rows of the long one (B12, C8).
func TestLightIsTheLongWay(t *testing.T) {
	for seed := range uint64(6) {
		text := usualLog(seed, 300_000)
		l := open(t, file(t, text), Options{})
		b := l.book(context.Background(), l.file())
		b.look.text = wholeText
		for _, q := range []task.Query{{Text: `.`, Regexp: true}, {Text: "ken"}, {Text: `^a +b +column \d+$`, Regexp: true}, {Text: "→"}, {Text: "[redacted]"}, {Text: "ok"}} {
			m, err := task.NewMatcher(q)
			must(t, err)
			s := &searcher{l: l, b: b, match: m}
			done, err := s.short(context.Background(), segment, 4*segment)
			must(t, err)
			if !done {
				t.Fatalf("seed %d: the short way was not taken", seed)
			}
			sg, err := b.span(context.Background(), 1, segment, 4*segment, b.look, false, unnumbered)
			must(t, err)
			want := matching(t, sg.rows, q)
			if len(want) == 0 || !slices.Equal(s.hits, want) {
				t.Errorf("seed %d %q: %d rows the short way, %d the long one", seed, q.Text, len(s.hits), len(want))
			}
		}
	}
}

// What only a screen can tell goes the long way.
func TestLightKnowsItsLimits(t *testing.T) {
	for _, line := range []string{"a\rb", "a\bb", "a\x1b[2Kb", "a\x1b[Ab", "a\x1b]0;t\ab", "a\x00b", "a\u200bb", "e\u0301", "\xff", "é\tx", "🧩", "a\x1b[31"} {
		if row, ok := (&light{}).plainRow(line); ok {
			t.Errorf("%q is taken as %q", line, row)
		}
	}
}
