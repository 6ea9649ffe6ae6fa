package output

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"offstage/redact"
	"offstage/task"
)

// bareSecret has no form of its own: alone it is known only by what was told.
const bareSecret = "Vq7rTm2xKp9d"

func noBare(t *testing.T, what, got string) {
	t.Helper()
	if i := strings.Index(got, bareSecret[:7]); i >= 0 {
		t.Errorf("%s shows the value: %q", what, got[max(0, i-40):i])
	}
}

// toldLog is a log of size bytes in which the value stands alone at 1/4, is told at
// the place told (a share of the lines), and stands alone in its last line.
func toldLog(lines int, told float64) string {
	var b strings.Builder
	for n := range lines {
		switch {
		case n == lines/4 || n == lines-1:
			fmt.Fprintf(&b, "%d connecting as app/%s now\n", n, bareSecret)
		case n == int(float64(lines)*told):
			fmt.Fprintf(&b, "%d DB_PASSWORD=%s\n", n, bareSecret)
		default:
			fmt.Fprintf(&b, "%d some words of a log that goes on\n", n)
		}
	}
	return b.String()
}

// TestRememberedInPages: once a page told of a value, every page of the output has
// it hidden, on whichever way a reader came, also pages that were made and kept
// before (D5, C8).
func TestRememberedInPages(t *testing.T) {
	const lines = 20_000
	l := open(t, file(t, toldLog(lines, 0.5)), Options{Running: true})
	first := page(t, l, task.PageRequest{Tail: true, Before: 50})
	if !strings.Contains(texts(first.Lines), bareSecret) {
		t.Fatal("nothing was told yet: a bare value cannot be known")
	}
	before := l.Facts().Masked
	page(t, l, task.PageRequest{AtPercent: true, Percent: 0.5, Before: 50, After: 50})
	if got := l.Facts().Masked; got == before {
		t.Fatal("readers are not told to ask again")
	}
	for name, req := range map[string]task.PageRequest{
		"the tail again": {Tail: true, Before: 50}, "the tail, not folded": {Tail: true, Before: 50, NoFold: true},
		"a quarter": {AtPercent: true, Percent: 0.25, Before: 300, After: 300}, "the end, backwards": {At: l.Facts().Size, Before: 20},
		"a filter": {Tail: true, Before: 100, Filter: &task.Filter{Query: task.Query{Text: "connecting"}}},
	} {
		got := page(t, l, req)
		noBare(t, name, texts(got.Lines))
		if !strings.Contains(texts(got.Lines), "connecting as app/"+redact.Mark) {
			t.Errorf("%s: the row is not there", name)
		}
	}
	all := texts(forward(t, l, 700, true))
	if back := texts(backward(t, l, 700, true)); back != all {
		t.Error("forwards and backwards differ:\n" + firstDiff(all, back))
	}
	noBare(t, "all of it", all)
}

// TestRememberedWithinAPage: the value stands alone above the line that tells of
// it, on the same page; at the cut of a long line; and in a redrawn row (D5, T8).
func TestRememberedWithinAPage(t *testing.T) {
	edge := strings.Repeat("x ", (maxText-6)/2) + bareSecret + " more"
	for name, text := range map[string]string{
		"above":            "using " + bareSecret + "\nexport DB_PASSWORD=" + bareSecret + "\n",
		"at the cut":       edge + "\nDB_PASSWORD=" + bareSecret + "\n",
		"told by a flag":   "using " + bareSecret + "\n$ tool --password " + bareSecret + " run\n",
		"told and redrawn": "using " + bareSecret + "\npassword=" + bareSecret + " \rok\nthen " + bareSecret + "\n",
		"coloured":         "\x1b[31musing \x1b[1m" + bareSecret + "\x1b[0m\nDB_PASSWORD=" + bareSecret + "\n",
		"the live row":     "DB_PASSWORD=" + bareSecret + "\nusing " + bareSecret,
	} {
		l := open(t, file(t, text), Options{Running: true})
		p := page(t, l, task.PageRequest{Tail: true, Before: 50})
		noBare(t, name, texts(p.Lines))
		for _, r := range p.Lines {
			if w, err := l.Whole(t.Context(), r.Offset); err == nil {
				noBare(t, name+", whole", w.Text)
			}
		}
	}
}

// TestRememberedOfCommand: what the command line tells is hidden in the output
// from its first row on; the start of a long output is looked through before its
// end is shown (D5).
func TestRememberedOfCommand(t *testing.T) {
	text := strings.Repeat("some words\n", 20_000) + "logged in with " + bareSecret + " now"
	for name, c := range map[string]struct{ command, text string }{
		"command":     {"mysql -p" + bareSecret + " shop < dump.sql", text},
		"environment": {"API_TOKEN=" + bareSecret + " npm run dev", text},
		"head":        {"npm run dev", "API_TOKEN=" + bareSecret + "\n" + text},
	} {
		l := open(t, file(t, c.text), Options{Command: c.command})
		f := until(t, l, "last line", func(f task.Facts) bool { return f.LastLine != "" })
		noBare(t, name+": last line", f.LastLine)
		noBare(t, name+": tail", texts(page(t, l, task.PageRequest{Tail: true, Before: 5}).Lines))
	}
}

// TestRememberedBySearch: a search that comes by the line that tells of a value
// does not confirm the value afterwards (D5, T16).
func TestRememberedBySearch(t *testing.T) {
	l := open(t, file(t, toldLog(20_000, 0.5)), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	last := task.Found{Count: -1}
	done := 0
	err := l.Search(ctx, task.SearchRequest{Query: task.Query{Text: "DB_PASSWORD"}}, func(f task.Found) {
		if f.Done {
			cancel()
		}
	})
	if err == nil {
		t.Error("a search goes on until it is called off")
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	_ = l.Search(ctx, task.SearchRequest{Query: task.Query{Text: bareSecret}}, func(f task.Found) {
		if last = f; f.Done {
			done++
			cancel()
		}
	})
	if last.Count != 0 || done == 0 {
		t.Errorf("%d rows confirm the value", last.Count)
	}
}

// TestRememberedNames: names of tests and addresses that the lane found are hidden
// too, once the value is known, and an address still opens (D5, C9).
func TestRememberedNames(t *testing.T) {
	text := "Local: http://localhost:5173/app/" + bareSecret + "\n FAIL  src/a.test.ts > signs in with " + bareSecret + "\n" +
		" Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)\n   Start at  10:00:00\n   Duration  1.00s\n" + strings.Repeat("word\n", 20_000)
	l := open(t, file(t, text), Options{Command: "vitest run"})
	f := counted(t, l)
	if f.Tests == nil || len(f.URLs) != 1 || !strings.Contains(f.URLs[0], bareSecret) {
		t.Fatal("nothing told of the value yet")
	}
	l.secrets.Learn("DB_PASSWORD=" + bareSecret)
	l.Remask()
	f = l.Facts()
	noBare(t, "tests and addresses", fmt.Sprintf("%v %+v %+v", f.URLs, f.Tests.Runs, f.Tests.Runs[0].First))
	if full, ok := l.FullURL(f.URLs[0]); !ok || !strings.HasSuffix(full, bareSecret) {
		t.Errorf("the address does not open: %q", full)
	}
}

// TestSecretsStayApart: another task's output knows nothing of it (D5).
func TestSecretsStayApart(t *testing.T) {
	a := open(t, file(t, "DB_PASSWORD="+bareSecret+"\n"), Options{})
	page(t, a, task.PageRequest{Tail: true, Before: 5})
	b := open(t, file(t, "the word "+bareSecret+"\n"), Options{})
	if got := texts(page(t, b, task.PageRequest{Tail: true, Before: 5}).Lines); !strings.Contains(got, bareSecret) {
		t.Errorf("another task's value is hidden: %q", got)
	}
}

// TestRevBounds: a log in which every line tells of another value makes rows again
// at most as often as values are kept, and words are none (D5).
func TestRevBounds(t *testing.T) {
	s := NewSecrets()
	from := s.Rev()
	for i := range 5000 {
		s.Learn(fmt.Sprintf("token=q7Rt%dxK%dp", i, i*7))
		s.Learn("password: keyboard\npassword=abc123\nuser=web-server-1")
	}
	if n := s.Rev() - from; n == 0 || n > mostLearned {
		t.Errorf("rows would be made %d times", n)
	}
	if len(s.asked) > mostAsked || len(s.taught) > mostAsked {
		t.Errorf("%d values and %d texts are told apart", len(s.asked), len(s.taught))
	}
	if got := s.Text("the keyboard of web-server-1"); strings.Contains(got, redact.Mark) {
		t.Errorf("words are hidden: %q", got)
	}
}

// TestOwnPatterns: the person's patterns hold at once for what is shown, also for
// rows that were made before (redact.patterns).
func TestOwnPatterns(t *testing.T) {
	t.Cleanup(func() { SetPatterns(nil) })
	const own = "acme_9f3k2m8x7q1w"
	text := strings.Repeat("some words\n", 3000) + "key is " + own + " here\n"
	l := open(t, file(t, text), Options{})
	req := task.PageRequest{Tail: true, Before: 5}
	if got := texts(page(t, l, req).Lines); !strings.Contains(got, own) {
		t.Fatalf("%q is hidden before anybody asked for it", own)
	}
	ps, err := redact.ParsePatterns([]string{"acme_"})
	must(t, err)
	SetPatterns(ps)
	l.Remask()
	if got := texts(page(t, l, req).Lines); strings.Contains(got, own[:8]) {
		t.Errorf("the page: %q", got)
	}
	if got := Mask("open /x/" + own + ": no such file"); strings.Contains(got, own[:8]) || !strings.HasSuffix(got, ": no such file") {
		t.Errorf("a text: %q", got)
	}
	SetPatterns(nil)
	if got := texts(page(t, l, req).Lines); !strings.Contains(got, own) {
		t.Error("the pattern is gone and still holds")
	}
}

// oneRow shows a record as it is.
type oneRow struct{}

func (oneRow) Decode(rec []byte, at int64) []task.Line {
	return []task.Line{{Offset: at, Text: string(rec)}}
}

// TestDecodedCodes: a code or a control byte inside a secret of a decoded record
// lets no part of it through (C8).
func TestDecodedCodes(t *testing.T) {
	tok := "gh" + "p_A7b2Kd4E9f6GxH8I1j0Wl2M3n4O5p6Q7r8St"
	for _, glue := range []string{"\x1b[31m", "\x00", "\b", "\x1b]0;x\a", "\u200b"} {
		l := open(t, file(t, "using "+tok[:9]+glue+tok[9:]+" now\nthen\n"), Options{Decoder: oneRow{}})
		for _, r := range page(t, l, task.PageRequest{Tail: true, Before: 5}).Lines {
			if strings.Contains(r.Text, tok[12:20]) || strings.ContainsAny(r.Text, "\x1b\x00\b\a") {
				t.Errorf("%q: %q", glue, r.Text)
			}
		}
	}
}
