package output

import (
	"strings"
	"testing"

	"offstage/task"
)

// filteredAll pages through a filter from one end to the other.
func filteredAll(t testing.TB, l *Log, f *task.Filter, n int, up bool) []task.Line {
	t.Helper()
	var rows []task.Line
	at := int64(0)
	if up {
		at = l.Facts().Size
	}
	for range 100_000 {
		if up {
			p := page(t, l, task.PageRequest{At: at, Before: n, Filter: f})
			rows = append(append([]task.Line(nil), p.Lines...), rows...)
			if p.Top {
				return rows
			}
			if p.Start >= at {
				t.Fatalf("no way up from %d", at)
			}
			at = p.Start
			continue
		}
		p := page(t, l, task.PageRequest{At: at, After: n, Filter: f})
		rows = append(rows, p.Lines...)
		if p.Bottom {
			return rows
		}
		if p.End <= at {
			t.Fatalf("no way down from %d", at)
		}
		at = p.End
	}
	t.Fatal("no end")
	return nil
}

// B12: a filter shows exactly the rows that match (or do not), each with its
// neighbours, whichever way one comes.
func TestFilterShowsWhatMatches(t *testing.T) {
	for seed := range uint64(3) {
		l := open(t, file(t, madeLog(seed, 300_000)), Options{})
		all := forward(t, l, 1000, true)
		for _, f := range []task.Filter{
			{Query: task.Query{Text: "bold 3"}}, {Query: task.Query{Text: "frame 2"}}, {Query: task.Query{Text: "plain line"}, Out: true},
			{Query: task.Query{Text: `^\d+ ok`, Regexp: true}}, {Query: task.Query{Text: "nowhere"}}, {Query: task.Query{Text: "[redacted]"}},
		} {
			m, err := task.NewMatcher(f.Query)
			must(t, err)
			var want []task.Line
			for _, r := range all {
				if r.Mark == task.NoMark && m.Match(r.Text) != f.Out || r.Mark != task.NoMark && f.Out {
					want = append(want, r)
				}
			}
			for _, up := range []bool{false, true} {
				if got := unfolded(filteredAll(t, l, &f, 40, up)); got != unfolded(want) {
					t.Errorf("seed %d %+v up %v: %s", seed, f, up, firstDiff(got, unfolded(want)))
				}
			}
		}
	}
}

// unfolded are the texts of rows, each as often as it stands for lines.
func unfolded(rows []task.Line) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Repeat(r.Text+"\n", times(&r)))
	}
	return b.String()
}

func TestFilterContext(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		switch {
		case i%5000 == 4000 || i == 4003:
			b.WriteString("an error\n")
		default:
			b.WriteString(strings.Repeat("x", i%50) + "\n")
		}
	}
	text := b.String()
	l := open(t, file(t, text), Options{})
	lines := strings.Split(text, "\n")
	var want []string
	for _, at := range []int{4000, 4003, 9000, 14000, 19000} {
		for i := at - 2; i <= at+2; i++ {
			if at == 4003 && i <= 4002 {
				continue // context of the hit before it
			}
			want = append(want, lines[i])
		}
	}
	f := &task.Filter{Query: task.Query{Text: "error"}, Context: 2}
	for _, up := range []bool{false, true} {
		if got := unfolded(filteredAll(t, l, f, 7, up)); got != strings.Join(want, "\n")+"\n" {
			t.Errorf("up %v: %s", up, firstDiff(got, strings.Join(want, "\n")+"\n"))
		}
	}
}

// B12, C8: a filter can no more confirm a secret than a search can; what it
// takes out by a secret stays.
func TestFilterNeverFindsSecrets(t *testing.T) {
	token := strings.ReplaceAll("ghp_⟂16C7e42F292c6912E7710c838347Ae178B4a", "⟂", "")
	l := open(t, file(t, "before\ntoken is "+token[:9]+"\x1b[1m"+token[9:]+"\nafter\n"), Options{})
	for _, q := range []string{token, token[:8], token[5:20], token[30:]} {
		if rows := filteredAll(t, l, &task.Filter{Query: task.Query{Text: q}}, 10, false); len(rows) != 0 {
			t.Errorf("%q shows %s", q, texts(rows))
		}
		if rows := filteredAll(t, l, &task.Filter{Query: task.Query{Text: q}, Out: true}, 10, false); len(rows) != 3 {
			t.Errorf("%q takes out all but %s", q, texts(rows))
		}
	}
}

// A page of a word that is nowhere in a large file comes back soon and says how
// far it looked; a following reader asks for what is new only.
func TestFilterIsPaced(t *testing.T) {
	path := file(t, strings.Repeat(strings.Repeat("\rprogress 12%", 20)+"\n", 100_000))
	l := open(t, path, Options{Running: true})
	f := &task.Filter{Query: task.Query{Text: "nowhere"}}
	p := page(t, l, task.PageRequest{Tail: true, Before: 2000, Filter: f})
	if len(p.Lines) != 0 || p.Top || !p.Bottom || p.Start >= p.End || p.Filter != f {
		t.Errorf("%d rows from %d to %d, top %v bottom %v", len(p.Lines), p.Start, p.End, p.Top, p.Bottom)
	}
}
