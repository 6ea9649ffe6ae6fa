package output

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"offstage/task"
)

// Random growth, cuts, replacements and removals while a reader pages about: no
// row is lost or doubled, counts are those of the file, nothing hangs.
func TestDifferential(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 11))
		path := file(t, fmt.Sprintf("first line of %d\n", seed))
		l := open(t, path, Options{Running: true})
		there := true
		for op := range 25 {
			switch k := r.IntN(20); {
			case !there || k == 0:
				_ = os.Remove(path)
				add(t, path, fmt.Sprintf("new file %d.%d\n", seed, op))
				there = true
			case k < 14:
				add(t, path, madeLog(seed*100+uint64(op), r.IntN(40_000)))
			case k < 16:
				st, err := os.Stat(path)
				must(t, err)
				must(t, os.Truncate(path, r.Int64N(st.Size()+1)))
			case k < 17: // copytruncate that grows on at once
				must(t, os.Truncate(path, 0))
				add(t, path, fmt.Sprintf("cut %d.%d\n", seed, op)+madeLog(uint64(op), r.IntN(60_000)))
			case k < 18:
				must(t, os.Rename(path, path+".1"))
				there = false
			default:
				page(t, l, task.PageRequest{AtPercent: true, Percent: r.Float64(), Before: 50, After: 50})
			}
			if !there || r.IntN(3) > 0 {
				continue
			}
			agree(t, fmt.Sprintf("seed %d op %d", seed, op), l, path)
		}
	}
}

// agree waits until the log has seen the file as it is and compares everything.
func agree(t *testing.T, at string, l *Log, path string) {
	t.Helper()
	want, err := os.ReadFile(path)
	must(t, err)
	f := until(t, l, at+": the file", func(f task.Facts) bool {
		return f.Size == int64(len(want)) && f.LinesKnown && !f.Gone && f.OpenLine == (len(want) > 0 && want[len(want)-1] != '\n')
	})
	lines := int64(strings.Count(string(want), "\n"))
	if f.OpenLine {
		lines++
	}
	if f.Lines != lines {
		t.Fatalf("%s: %d lines, file has %d", at, f.Lines, lines)
	}
	var all []task.Line
	must(t, ReadAll(context.Background(), here(t), path, ReadOptions{NoFold: true, Redact: true}, func(r task.Line) error {
		all = append(all, r)
		return nil
	}))
	tail := page(t, l, task.PageRequest{Tail: true, Before: 300, NoFold: true}).Lines
	forth := forward(t, l, 5000, true)
	if len(forth) > 0 && forth[0].Mark == task.MarkRestarted {
		forth = forth[1:]
	}
	if len(tail) > 0 && tail[0].Mark == task.MarkRestarted {
		tail = tail[1:]
	}
	if show(forth) != show(all) {
		t.Fatalf("%s: forward differs at %s", at, firstDiff(show(forth), show(all)))
	}
	if want := all[max(len(all)-len(tail), 0):]; show(tail) != show(want) {
		t.Fatalf("%s: tail differs at %s", at, firstDiff(show(tail), show(want)))
	}
}

// tokens that redraw, recode, move, mark and end.
var tokens = []string{"\n", "a", "b\r", "\x1b[31m", "\x1b[2A", "\x1b[0m", "\x00", "\xff\xfe", "\xfe\xff", "a\x00", "\n\x00", "\x00\n",
	"\x1b[2J", "\x1b[H", "\x1b[?1049h", "\x1b[?1049l", "[killed]\n", "same\n", "\x1b]0;x\x07", "\xef\xbb\xbf", "é", "\xff", "\x1bM", "\x1b[L", "\x1b[3B"}

func TestRandomTokens(t *testing.T) {
	for seed := range uint64(250) {
		r := rand.New(rand.NewPCG(seed, 99))
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(tokens[r.IntN(len(tokens))])
		}
		anyWay(t, b.String())
	}
}

// Files with holes of many sizes at many places, some of them at the borders of
// segments.
func TestRandomHoles(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		path := file(t, "")
		f, err := os.OpenFile(path, os.O_RDWR, 0o600)
		must(t, err)
		at := int64(r.IntN(3)) * segment
		for range 1 + r.IntN(6) {
			text := madeLog(seed, r.IntN(90_000))
			if r.IntN(2) == 0 {
				text = strings.TrimSuffix(text, "\n")
			}
			_, err := f.WriteAt([]byte(text), at)
			must(t, err)
			at += int64(len(text)) + r.Int64N(5*segment)
			if r.IntN(2) == 0 {
				at = (at + segment) / segment * segment
			} else if r.IntN(3) == 0 {
				at += 1 << 33
			}
		}
		if r.IntN(2) == 0 {
			must(t, f.Truncate(at))
		}
		must(t, f.Close())
		anyWayOf(t, path, fmt.Sprint("seed ", seed), 2000)
	}
}

// FuzzPages: any bytes give the same rows as pages and as one stream, without a
// control byte in them.
func FuzzPages(f *testing.F) {
	for _, s := range append(tokens, "", "a\r\nb\rc\n", strings.Repeat("same\n", 300), "\x1b]52;c;aGk=\x07x\n") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { anyWay(t, string(b)) })
}

// TestLong is FuzzPages on long logs: OFFSTAGE_FUZZ_BYTES=100000000 reads so many
// bytes of random logs as a stream and in pages, both ways.
func TestLong(t *testing.T) {
	total := 300_000
	if n, err := strconv.Atoi(os.Getenv("OFFSTAGE_FUZZ_BYTES")); err == nil {
		total = n
	}
	done := 0
	for seed := uint64(500); done < total; seed++ {
		r := rand.New(rand.NewPCG(seed, 21))
		var b strings.Builder
		for b.Len() < 150_000 {
			switch r.IntN(6) {
			case 0:
				b.WriteString(strings.Repeat(madeLog(seed, 10+r.IntN(60))+"\n", 1+r.IntN(300)))
			case 1:
				b.WriteString(strings.Repeat("again "+strconv.Itoa(r.IntN(99))+"\n", r.IntN(30_000)))
			default:
				b.WriteString(madeLog(seed*1000+uint64(b.Len()), 1+r.IntN(60_000)))
			}
		}
		anyWayOf(t, file(t, b.String()), fmt.Sprint("seed ", seed), 1000+r.IntN(4000))
		if done += b.Len(); seed%20 == 0 {
			t.Logf("%d bytes", done)
		}
	}
}

// anyWay reads a log of the given bytes as a stream and in pages, both ways.
func anyWay(t *testing.T, text string) {
	t.Helper()
	anyWayOf(t, file(t, text), fmt.Sprintf("%q", text), 7)
}

func anyWayOf(t *testing.T, path, text string, n int) {
	t.Helper()
	l := open(t, path, Options{})
	counted(t, l)
	var all []task.Line
	must(t, ReadAll(context.Background(), here(t), path, ReadOptions{NoFold: true, Redact: true}, func(r task.Line) error {
		for _, c := range r.Text {
			if c < 0x20 || c >= 0x7f && c < 0xa0 {
				t.Fatalf("control byte in %q", r.Text)
			}
		}
		all = append(all, r)
		return nil
	}))
	if l.Facts().EndMark == "" { // else its row is ours
		if got := show(forward(t, l, n, true)); got != show(all) {
			t.Fatalf("%s: forward differs at %s", text, firstDiff(got, show(all)))
		}
		if got := show(backward(t, l, n, true)); got != show(all) {
			t.Fatalf("%s: backward differs at %s", text, firstDiff(got, show(all)))
		}
	}
	must(t, l.Close())
}
