package output

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/task"
)

// secretKey is a key block as it stands in logs, its body planted.
func keyBlock(r *rand.Rand, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN PRIV⟂ATE KEY-----\n")
	for range lines {
		for range 64 {
			b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[r.IntN(64)])
		}
		b.WriteByte('\n')
	}
	b.WriteString("-----END PRIV⟂ATE KEY-----\n")
	return strings.ReplaceAll(b.String(), "⟂", "")
}

// logs of many kinds, made by a seed.
func madeLog(seed uint64, size int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for n := 0; b.Len() < size; n++ {
		switch k := r.IntN(100); {
		case k < 50:
			fmt.Fprintf(&b, "%d plain line with some words %x\n", n, r.Uint64())
		case k < 65:
			fmt.Fprintf(&b, "\x1b[32m%d ok\x1b[0m then \x1b[1;31mbold %d\x1b[0m\n", n, r.IntN(9))
		case k < 70:
			for i := range r.IntN(20) {
				fmt.Fprintf(&b, "\rprogress %d%%", i)
			}
			b.WriteString("\r\x1b[Kdone\n")
		case k < 75: // a block that is redrawn
			h := 2 + r.IntN(6)
			for f := range 3 {
				if f > 0 {
					fmt.Fprintf(&b, "\x1b[%dA", h)
				}
				for i := range h {
					fmt.Fprintf(&b, "\x1b[2Kblock %d row %d frame %d\n", n, i, f)
				}
			}
		case k < 80:
			b.WriteString(strings.Repeat("same again\n", 1+r.IntN(30)))
		case k < 83:
			b.WriteString(strings.Repeat("wide ünïcode 漢字 ", 1+r.IntN(800)) + "\n")
		case k < 85:
			b.WriteString("crlf line\r\n\r\n")
		case k < 86:
			b.WriteString(strings.Repeat("x", r.IntN(150_000)) + "\n")
		case k < 88:
			b.WriteString(keyBlock(r, 5+r.IntN(40)))
		case k < 90:
			fmt.Fprintf(&b, "Using ghp_%s\rUsing ok\n", strings.Repeat("a1B2", 9))
		default:
			b.WriteString("\n")
		}
	}
	return b.String()
}

// Rows are the same whichever way a reader comes: from the top, from the end, in
// small and large pages, at any offset, and as one stream.
func TestSameRowsOnAnyWay(t *testing.T) {
	for seed := range uint64(6) {
		path := file(t, madeLog(seed, 700_000))
		l := open(t, path, Options{})
		counted(t, l)
		var want []task.Line
		must(t, ReadAll(context.Background(), here(t), path, ReadOptions{NoFold: true, Redact: true}, func(r task.Line) error {
			want = append(want, r)
			return nil
		}))
		all := show(want)
		for _, n := range []int{300, 2000, 9000} {
			if got := show(forward(t, l, n, true)); got != all {
				t.Fatalf("seed %d: forward by %d differs at %s", seed, n, firstDiff(got, all))
			}
			if got := show(backward(t, l, n, true)); got != all {
				t.Fatalf("seed %d: backward by %d differs at %s", seed, n, firstDiff(got, all))
			}
		}
		folded := show(fold(want))
		if got := show(backward(t, l, 2000, false)); got != folded {
			t.Fatalf("seed %d: folded tail and back differs at %s", seed, firstDiff(got, folded))
		}
		r := rand.New(rand.NewPCG(seed, 2))
		for range 60 {
			i := r.IntN(len(want))
			at := want[i].Offset
			if w := want[i].End - at; w > 0 {
				at += r.Int64N(w)
			}
			p := page(t, l, task.PageRequest{At: at, Before: 5, After: 5, NoFold: true})
			lo, hi := max(i-5, 0), min(i+5, len(want))
			if got := show(p.Lines); got != show(want[lo:hi]) {
				t.Fatalf("seed %d: page at %d (row %d) differs at %s", seed, at, i, firstDiff(got, show(want[lo:hi])))
			}
			if p.Lines[min(5, i)].Number != want[i].Number || want[i].Number == 0 {
				t.Fatalf("seed %d: number %d, want %d", seed, p.Lines[min(5, i)].Number, want[i].Number)
			}
		}
	}
}

// An anchor stays on its line while the file grows.
func TestAnchorsStayThroughGrowth(t *testing.T) {
	path := file(t, madeLog(9, 300_000))
	l := open(t, path, Options{Running: true})
	counted(t, l)
	mid := page(t, l, task.PageRequest{AtPercent: true, Percent: 0.5, Before: 20, After: 20})
	for i := range 4 {
		add(t, path, madeLog(uint64(20+i), 90_000))
		sized(t, l, path)
		again := page(t, l, task.PageRequest{At: mid.Lines[20].Offset, Before: 20, After: 20})
		if show(again.Lines) != show(mid.Lines) {
			t.Fatalf("after growth %d: %s", i, firstDiff(show(again.Lines), show(mid.Lines)))
		}
	}
}

// The live end, played on step by step, is what a fresh look at the end gives.
func TestTailGrowsAsAFreshLook(t *testing.T) {
	text := madeLog(3, 400_000)
	path := file(t, text[:1000])
	l := open(t, path, Options{Running: true})
	r := rand.New(rand.NewPCG(5, 5))
	for at := 1000; at < len(text); {
		n := min(r.IntN(30_000), len(text)-at)
		add(t, path, text[at:at+n])
		at += n
		sized(t, l, path)
		got := page(t, l, task.PageRequest{Tail: true, Before: 400})
		fresh := open(t, path, Options{Running: true})
		want := page(t, fresh, task.PageRequest{Tail: true, Before: 400})
		if show(got.Lines) != show(want.Lines) {
			t.Fatalf("at %d: %s", at, firstDiff(show(got.Lines), show(want.Lines)))
		}
		must(t, fresh.Close())
	}
}

// B6: a run of equal lines is one row however long it is and whoever asks.
func TestRunsFoldAcrossPages(t *testing.T) {
	path := file(t, "head\n"+strings.Repeat("tick\n", 60_000)+"foot\n")
	l := open(t, path, Options{})
	for _, r := range []task.PageRequest{
		{Tail: true, Before: 10}, {At: 0, After: 10}, {AtPercent: true, Percent: 1, Before: 10, After: 1},
	} {
		if got := texts(page(t, l, r).Lines); got != "head|tick ×60000|foot" {
			t.Errorf("%+v: %.200s", r, got)
		}
	}
	p := page(t, l, task.PageRequest{At: 5, After: 3, NoFold: true})
	if texts(p.Lines) != "tick|tick|tick" || p.Lines[1].Offset != 10 {
		t.Errorf("unfolded: %s", show(p.Lines))
	}
}

// More than can be shown came between two looks: its end, a mark, and the rest
// can be paged into.
func TestFloodIsPassedAndCanBeRead(t *testing.T) {
	path := file(t, "before\n")
	l := open(t, path, Options{Running: true})
	page(t, l, task.PageRequest{Tail: true, Before: 50})
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "flood line %06d with %s words\n", i, strings.Repeat("many ", 20))
	}
	add(t, path, b.String())
	sized(t, l, path)
	p := page(t, l, task.PageRequest{Tail: true, Before: 2000})
	i := 0
	for i < len(p.Lines) && p.Lines[i].Mark != task.MarkPassed {
		i++
	}
	if i == len(p.Lines) || p.Lines[0].Text != "before" {
		t.Fatalf("no mark in %d rows from %q", len(p.Lines), p.Lines[0].Text)
	}
	mark := p.Lines[i]
	if mark.Offset != 7 || mark.End != p.Lines[i+1].Offset || !strings.Contains(mark.Text, "MB passed") {
		t.Errorf("mark %+v before %+v", mark, p.Lines[i+1])
	}
	if last := p.Lines[len(p.Lines)-1].Text; !strings.HasPrefix(last, "flood line 059999") {
		t.Errorf("the end is %q", last)
	}
	in := page(t, l, task.PageRequest{At: mark.Offset, After: 2})
	if !strings.HasPrefix(in.Lines[0].Text, "flood line 000000") {
		t.Errorf("paged into: %s", texts(in.Lines))
	}
	in = page(t, l, task.PageRequest{At: mark.End, Before: 2})
	if in.Lines[1].End != mark.End {
		t.Errorf("before the end of the mark: %s, mark ends %d", show(in.Lines), mark.End)
	}
}

// A file of 1.4 TB that is mostly a hole opens at once, from both ends.
func TestHoles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(path)
	must(t, err)
	const end = 1_400_000_000_000
	_, err = f.WriteAt([]byte("one\ntwo\n"), 0)
	must(t, err)
	_, err = f.WriteAt([]byte("\nlast but one\nlast\n"), end)
	must(t, err)
	must(t, f.Close())
	l := open(t, path, Options{})
	facts := counted(t, l)
	if facts.Lines != 5 || facts.LastLine != "last" {
		t.Errorf("lines %d, last %q", facts.Lines, facts.LastLine)
	}
	const want = "one|two|gap of 1.4 TB||last but one|last"
	for _, r := range []task.PageRequest{{Tail: true, Before: 10}, {Tail: true, Before: 10, NoFold: true}, {At: 0, After: 10}, {At: end, Before: 10, After: 10}} {
		if got := page(t, l, r); texts(got.Lines) != want && texts(got.Lines) != strings.Replace(want, "||", "|", 1) {
			t.Errorf("%+v: %s", r, show(got.Lines))
		}
	}
	mid := page(t, l, task.PageRequest{AtPercent: true, Percent: 0.5, Before: 2, After: 2})
	if len(mid.Lines) == 0 || !strings.Contains(texts(mid.Lines), "gap of") {
		t.Errorf("in the middle: %s", show(mid.Lines))
	}
}

// B8: a line of 100 MB is cut, counted and passed in both directions.
func TestHugeLine(t *testing.T) {
	const n = 100_000_000
	path := file(t, "head\n"+strings.Repeat("0123456789", n/10)+"\nfoot\n")
	l := open(t, path, Options{})
	for _, r := range []task.PageRequest{{Tail: true, Before: 10, NoFold: true}, {Tail: true, Before: 10}, {At: 0, After: 10}, {At: n / 2, Before: 1, After: 2}} {
		p := page(t, l, r)
		if len(p.Lines) != 3 || p.Lines[1].Cut != n-maxText || len(p.Lines[1].Text) != maxText || p.Lines[2].Text != "foot" || p.Lines[1].End != 5+n+1 {
			t.Errorf("%+v: %d rows, second cut %d", r, len(p.Lines), p.Lines[min(1, len(p.Lines)-1)].Cut)
		}
	}
	whole, err := l.Whole(context.Background(), 5)
	must(t, err)
	if len(whole.Text) < 200_000 || len(whole.Text) > wholeText {
		t.Errorf("whole: %d bytes", len(whole.Text))
	}
	if _, err := l.Whole(context.Background(), 7); err == nil {
		t.Error("a row where none starts")
	}
}

// The head of a log that was cut away is said to be lost (B4).
func TestLostHead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trimmed")
	f, err := os.Create(path)
	must(t, err)
	_, err = f.WriteAt([]byte("the rest\n"), 8<<20)
	must(t, err)
	must(t, f.Close())
	l := open(t, path, Options{})
	counted(t, l)
	p := page(t, l, task.PageRequest{At: 0, After: 5})
	if len(p.Lines) == 0 || p.Lines[0].Mark != task.MarkHole {
		t.Skip("the file system of the test folder has no holes to tell of")
	}
	if !p.Lost || texts(p.Lines) != "gap of 8.4 MB|the rest" {
		t.Errorf("lost %v, rows %s", p.Lost, show(p.Lines))
	}
}

// The last row may change while the task runs, and is final when it has ended.
func TestLastRowIsFinalAtTheEnd(t *testing.T) {
	l := open(t, file(t, "one\ntwo"), Options{Running: true})
	counted(t, l)
	for _, r := range []task.PageRequest{{Tail: true, Before: 5}, {Tail: true, Before: 5, NoFold: true}, {At: 0, After: 5}} {
		for _, running := range []bool{true, false} {
			l.SetRunning(running)
			p := page(t, l, r)
			if last := p.Lines[len(p.Lines)-1]; last.Text != "two" || last.Live != running {
				t.Errorf("running %v, %+v: last row %+v", running, r, last)
			}
		}
	}
}
