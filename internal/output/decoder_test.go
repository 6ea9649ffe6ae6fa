package output

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

// steps is a decoder for the tests: a record "a b c" is a row for each word; a
// record that starts with "-" is none.
type steps struct{}

func (steps) Decode(rec []byte, at int64) []task.Line {
	if strings.HasPrefix(string(rec), "-") {
		return nil
	}
	var rows []task.Line
	for i, w := range strings.Split(string(rec), " ") {
		rows = append(rows, task.Line{Offset: at, Part: i, Text: w, Spans: []task.Span{{Start: 0, End: len(w), Style: task.Style{Attr: task.Bold}}}})
	}
	return rows
}

// O4: a decoded output has the same pages, masks and folds as a plain one.
func TestDecodedOutput(t *testing.T) {
	var b strings.Builder
	for i := range 9000 {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "- thinking %d\n", i)
		case 1:
			b.WriteString("same\nsame\n")
		default:
			fmt.Fprintf(&b, "step%d token=%s \x1b[2Jend\n", i, token)
		}
	}
	b.WriteString("half a rec")
	path := file(t, b.String())
	l := open(t, path, Options{Decoder: steps{}, Running: true})
	f := counted(t, l)
	var all []task.Line
	must(t, ReadAll(context.Background(), here(t), path, ReadOptions{NoFold: true, Redact: true, Decoder: steps{}}, func(r task.Line) error {
		all = append(all, r)
		return nil
	}))
	all = all[:len(all)-3] // half a record is shown once its file has ended
	if f.LastLine != "\ufffd[2Jend" {
		t.Errorf("last step %q", f.LastLine)
	}
	for _, got := range [][]task.Line{forward(t, l, 900, true), backward(t, l, 900, true)} {
		if show(got) != show(all) {
			t.Fatalf("differs at %s", firstDiff(show(got), show(all)))
		}
	}
	if got := show(backward(t, l, 900, false)); got != show(fold(all)) {
		t.Fatalf("folded differs at %s", firstDiff(got, show(fold(all))))
	}
	for _, r := range all {
		if strings.Contains(r.Text, token[:12]) || strings.ContainsRune(r.Text, 0x1b) {
			t.Fatalf("row %+v", r)
		}
	}
	p := page(t, l, task.PageRequest{At: all[500].Offset, After: 1})
	if n := len(p.Lines); n == 0 || p.Lines[n-1].Offset != p.Lines[0].Offset || p.Lines[0].Part != 0 {
		t.Errorf("a record was parted: %s", show(p.Lines))
	}
	add(t, path, "ord\n")
	until(t, l, "the step", func(f task.Facts) bool { return f.LastLine == "record" })
}

// A record of several MB between small ones.
func TestLongRecord(t *testing.T) {
	path := file(t, "first\n"+strings.Repeat("y", 9<<20)+"\nlast\n")
	l := open(t, path, Options{Decoder: steps{}})
	for _, r := range []task.PageRequest{{Tail: true, Before: 10}, {At: 0, After: 10}, {At: 5 << 20, Before: 1, After: 2}} {
		p := page(t, l, r)
		if len(p.Lines) != 3 || p.Lines[1].Cut != 9<<20-maxText || p.Lines[2].Text != "last" || p.Lines[1].Offset != 6 {
			t.Errorf("%+v: %d rows, %+v", r, len(p.Lines), p.Facts)
		}
	}
}

// C8: a page that begins inside of a key block hides its body.
func TestPageInsideAKeyBlock(t *testing.T) {
	block := plant("-----BEGIN RSA PRIV⟂ATE KEY-----\n")
	for i := range 300 {
		block += fmt.Sprintf("%04dMIIEpAIBAAKCAQEAxyzABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn%03d\n", i, i)
	}
	block += plant("-----END RSA PRIV⟂ATE KEY-----\n")
	path := file(t, strings.Repeat("padding line\n", 4900)+block+strings.Repeat("more\n", 20_000))
	l := open(t, path, Options{})
	counted(t, l)
	start := int64(13 * 4900)
	for at := start; at < start+int64(len(block)); at += 997 {
		p := page(t, l, task.PageRequest{At: at, Before: 3, After: 3, NoFold: true})
		if strings.Contains(texts(p.Lines), "MIIEpAIBAAKCAQEA") {
			t.Fatalf("at %d: %s", at, texts(p.Lines))
		}
	}
}

// B11: the row of a line by its number.
func TestPageOfLine(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	l := open(t, file(t, b.String()), Options{})
	counted(t, l)
	for _, n := range []int64{1, 2, 777, 65_536, 100_000} {
		p := page(t, l, task.PageRequest{Line: n, Before: 1, After: 1})
		last := p.Lines[len(p.Lines)-1]
		if last.Text != fmt.Sprintf("line %d", n) || last.Number != n {
			t.Errorf("line %d is %q, number %d", n, last.Text, last.Number)
		}
	}
	p := page(t, l, task.PageRequest{Line: 200_000, At: 10, After: 1})
	if p.Lines[0].Text != "line 2" {
		t.Errorf("a line that is not there: %q, want the one at the guess", p.Lines[0].Text)
	}
}

func TestIndexDoubles(t *testing.T) {
	var x index
	line := []byte("0123456789abcde\n")
	const step = 1 << 20
	block := []byte(strings.Repeat(string(line), step/len(line)))
	at := int64(0)
	for range 40 {
		x.add(utf8Text, block, at)
		at += step
		x.room(at + 3<<30)
		at += 3 << 30
	}
	if len(x.counts) > indexMax || x.stride <= indexStride || x.total != 40*step/16 {
		t.Fatalf("%d counts of stride %d, total %d", len(x.counts), x.stride, x.total)
	}
	if place, n := x.before(at); n != x.total || place > at {
		t.Errorf("before the end: %d at %d", n, place)
	}
	place, have, ok := x.find(step/16 + 5)
	if !ok || have > step/16+4 || place > step+3<<30 {
		t.Errorf("line %d near %d, %d before", step/16+5, place, have)
	}
	var y index
	if rest, ok := y.unmarshal(x.marshal(nil)); !ok || len(rest) != 0 || y.total != x.total || y.stride != x.stride {
		t.Errorf("came back as %d, %d", y.total, y.stride)
	}
}
