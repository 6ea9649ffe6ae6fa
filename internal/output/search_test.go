package output

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/task"
)

// gathered is what a search told, put together as a reader does.
type gathered struct {
	mu   sync.Mutex
	hits []task.Hit
	last task.Found
	all  int // reports
}

func (g *gathered) take(f task.Found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f.Again {
		g.hits = slices.DeleteFunc(g.hits, func(h task.Hit) bool { return h.Offset >= f.Since })
	}
	g.hits = append(g.hits, f.Hits...)
	slices.SortFunc(g.hits, func(a, b task.Hit) int { return int(a.Offset-b.Offset)*1000 + a.Part - b.Part })
	g.last, g.all = f, g.all+1
}

func (g *gathered) now() ([]task.Hit, task.Found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.hits), g.last
}

// find searches until ok holds.
func find(t testing.TB, l *Log, req task.SearchRequest, ok func([]task.Hit, task.Found) bool) []task.Hit {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var g gathered
	done := make(chan error, 1)
	go func() {
		done <- l.Search(ctx, req, func(f task.Found) {
			g.take(f)
			if hits, last := g.now(); ok(hits, last) {
				cancel()
			}
		})
	}()
	err := <-done
	hits, last := g.now()
	if !errors.Is(err, context.Canceled) || !ok(hits, last) {
		t.Fatalf("search for %q: %v; %d hits, last %+v", req.Query.Text, err, len(hits), last)
	}
	return hits
}

func whole(_ []task.Hit, f task.Found) bool { return f.Done }

// rowsOf are all rows of a file as a search sees them: masked, not cut at the
// display limit.
func rowsOf(t testing.TB, l *Log) []task.Line {
	t.Helper()
	p := newPlayer(newSource(l.file()), look{text: wholeText, dec: l.o.Decoder}, 0, 0)
	must(t, p.to(context.Background(), math.MaxInt64))
	return append(p.take(), p.r.flush(p.pos)...)
}

func matching(t testing.TB, rows []task.Line, q task.Query) []task.Hit {
	t.Helper()
	m, err := task.NewMatcher(q)
	must(t, err)
	var out []task.Hit
	for _, r := range rows {
		if r.Mark == task.NoMark && m.Match(r.Text) {
			out = append(out, task.Hit{Offset: r.Offset, Part: r.Part})
		}
	}
	return out
}

var queries = []task.Query{
	{Text: "plain line"}, {Text: "SAME"}, {Text: "same again"}, {Text: "ok then"}, {Text: "frame 2"}, {Text: "bold 3"},
	{Text: "done"}, {Text: "漢字"}, {Text: "ÜNÏ"}, {Text: "ünï"}, {Text: "[redacted]"}, {Text: "e"}, {Text: "zzz never"},
	{Text: `row \d frame [01]`, Regexp: true}, {Text: `^\d+ ok`, Regexp: true}, {Text: `(crlf|block) `, Regexp: true},
	{Text: `\d{4,}$`, Regexp: true}, {Text: `^$`, Regexp: true}, {Text: `DONE|\bok\b`, Regexp: true}, {Text: `progress`, Regexp: true},
}

// B12: a search finds exactly the rows that match as they are shown, whatever
// the bytes look like: colours inside of words, redraws, other scripts.
func TestSearchFindsWhatIsShown(t *testing.T) {
	for seed := range uint64(6) {
		l := open(t, file(t, madeLog(seed, 400_000)), Options{})
		rows := rowsOf(t, l)
		for _, q := range queries {
			want := matching(t, rows, q)
			got := find(t, l, task.SearchRequest{Query: q, From: int64(seed) * 70_000}, whole)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, %+v: %d hits, %d rows match", seed, q, len(got), len(want))
			}
		}
	}
}

// Lines that cross blocks, and one longer than a block.
func TestSearchAcrossBlocks(t *testing.T) {
	text := strings.Repeat("a", block-7) + "needle" + strings.Repeat("b", 100) + "\n" +
		"short needle\n" + strings.Repeat(strings.Repeat("c", 999)+"\n", 5000) + "last needle"
	l := open(t, file(t, text), Options{})
	for _, q := range []task.Query{{Text: "needle"}, {Text: "needle$", Regexp: true}} {
		got := find(t, l, task.SearchRequest{Query: q, From: block + 5}, whole)
		want := []task.Hit{{Offset: block + 100}, {Offset: int64(len(text) - len("last needle"))}}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", q.Text, got, want)
		}
	}
}

// B12, C8: a query can neither show nor confirm a secret, in no form of it.
func TestSearchNeverFindsSecrets(t *testing.T) {
	token := strings.ReplaceAll("ghp_⟂16C7e42F292c6912E7710c838347Ae178B4a", "⟂", "")
	half := token[:14] + "\x1b[32m" + token[14:25] + "\x1b[0m" + token[25:]
	text := "before\ntoken is " + token + " here\n" + "coloured " + half + " here\n" +
		"Using " + token + "\rUsing ok\n" + "API_TOKEN=hunter⟂2isnotgood\npostgres://user:hunter⟂2isnotgood@db/x\n" +
		strings.Repeat("x", 3990) + " " + token + "\n" + keyBlock(rand.New(rand.NewPCG(3, 4)), 20) + "after\nlive " + token[:30]
	text = strings.ReplaceAll(text, "⟂", "")
	body := text[strings.Index(text, "KEY-----\n")+9:][:64]
	for _, running := range []bool{false, true} {
		l := open(t, file(t, text), Options{Running: running})
		for _, secret := range []string{token, token[:12], token[10:24], token[30:], token[:5], "hunter2isnotgood", "unter2is", "isnotgood", body, body[20:40]} {
			for _, q := range []task.Query{
				{Text: secret}, {Text: strings.ToLower(secret)}, {Text: secret, Regexp: true}, {Text: secret[:2] + ".*" + secret[len(secret)-2:], Regexp: true},
				{Text: "(?i)" + secret[:len(secret)-1] + ".", Regexp: true},
			} {
				if len(secret) == 5 && strings.Contains(q.Text, ".*") {
					continue // "gh.*p_": other words of the rows have these letters
				}
				for _, h := range find(t, l, task.SearchRequest{Query: q}, whole) {
					t.Errorf("running %v: %q is found at %d", running, q.Text, h.Offset)
				}
			}
		}
		if n := len(find(t, l, task.SearchRequest{Query: task.Query{Text: "here"}}, whole)); n != 2 {
			t.Errorf("the rows themselves are found %d times, want 2", n)
		}
		if n := len(find(t, l, task.SearchRequest{Query: task.Query{Text: "[redacted]"}}, whole)); n < 5 {
			t.Errorf("the marks are found %d times", n)
		}
	}
}

// New output is searched as it comes; a row at the end that grew counts once.
func TestSearchFollows(t *testing.T) {
	path := file(t, strings.Repeat("nothing here\n", 30_000)+"one error\nhalf an err")
	l := open(t, path, Options{Running: true})
	step := 0
	hits := find(t, l, task.SearchRequest{Query: task.Query{Text: "error"}}, func(hits []task.Hit, f task.Found) bool {
		switch {
		case step == 0 && f.Done && len(hits) == 1:
			step = 1
			add(t, path, "or\nmore\n")
		case step == 1 && f.Done && len(hits) == 2:
			step = 2
			add(t, path, "third error\n")
		}
		return step == 2 && f.Done && f.Count == 3 && len(hits) == 3
	})
	if !slices.IsSortedFunc(hits, func(a, b task.Hit) int { return int(a.Offset - b.Offset) }) {
		t.Error(hits)
	}
}

// A file that was cut begins the search anew.
func TestSearchAfterCut(t *testing.T) {
	path := file(t, strings.Repeat("an error\n", 1000))
	l := open(t, path, Options{Running: true})
	cut := false
	find(t, l, task.SearchRequest{Query: task.Query{Text: "error"}}, func(hits []task.Hit, f task.Found) bool {
		if f.Done && !cut {
			cut = true
			must(t, os.WriteFile(path, []byte("error again\n"), 0o600))
		}
		return cut && f.Gen > 0 && f.Done && len(hits) == 1 && f.Count == 1
	})
}

// B12: the nearest hit is known long before the end of the file is.
func TestSearchGoesOutward(t *testing.T) {
	unit := strings.Repeat("a line of no meaning at all\n", 40_000)
	text := "far hit\n" + strings.Repeat(unit, 12) + "near hit\n" + unit
	l := open(t, file(t, text), Options{})
	near := int64(strings.Index(text, "near hit"))
	var first []task.Hit
	find(t, l, task.SearchRequest{Query: task.Query{Text: "hit"}, From: near + 5000}, func(hits []task.Hit, f task.Found) bool {
		if first == nil && len(hits) > 0 {
			first = hits
		}
		return f.Done
	})
	if len(first) != 1 || first[0].Offset != near {
		t.Errorf("first told %v, want the one at %d", first, near)
	}
}

// Esc ends a search at once, also where every row must be made.
func TestSearchEndsAtOnce(t *testing.T) {
	l := open(t, file(t, strings.Repeat("\rprogress of something 12%\rprogress of something 13%\n", 600_000)), Options{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- l.Search(ctx, task.SearchRequest{Query: task.Query{Text: "nowhere"}}, func(task.Found) {})
	}()
	time.Sleep(30 * time.Millisecond)
	start := time.Now()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if d := time.Since(start); d > 500*time.Millisecond { // a loaded machine; 2 ms on an idle one
		t.Errorf("ended after %v", d)
	}
}

// Holes cost nothing: a file of 1.4 TB with data at its ends.
func TestSearchSparse(t *testing.T) {
	path := file(t, "first needle\n")
	f, err := os.OpenFile(path, os.O_RDWR, 0o600)
	must(t, err)
	const far = 1_400_000_000_000
	if _, err := f.WriteAt([]byte("\nlast needle\n"), far); err != nil {
		t.Skip("no such file here: " + err.Error())
	}
	must(t, f.Close())
	l := open(t, path, Options{})
	hits := find(t, l, task.SearchRequest{Query: task.Query{Text: "needle"}, From: far}, whole)
	if len(hits) != 2 || hits[0].Offset != 0 || hits[1].Offset < far-4096 {
		t.Error(hits)
	}
}

// What is kept is bounded; the count goes on.
func TestSearchIsBounded(t *testing.T) {
	l := open(t, file(t, strings.Repeat("hit\n", task.SearchKeeps+500)), Options{})
	var last task.Found
	hits := find(t, l, task.SearchRequest{Query: task.Query{Text: "hit"}}, func(_ []task.Hit, f task.Found) bool {
		last = f
		return f.Done
	})
	if len(hits) != task.SearchKeeps || last.Count != task.SearchKeeps+500 {
		t.Errorf("%d kept, %d counted", len(hits), last.Count)
	}
}

// A transcript is searched as its rows are, never as its records are (O4).
func TestSearchDecoded(t *testing.T) {
	l := open(t, file(t, strings.Repeat(`{"a":1}`+"\n", 5000)), Options{Decoder: words{}})
	if n := len(find(t, l, task.SearchRequest{Query: task.Query{Text: "says number"}}, whole)); n != 5000 {
		t.Errorf("%d rows", n)
	}
	if n := len(find(t, l, task.SearchRequest{Query: task.Query{Text: `{"a"`}}, whole)); n != 0 {
		t.Errorf("%d records", n)
	}
}

type words struct{}

func (words) Decode(_ []byte, at int64) []task.Line {
	return []task.Line{{Offset: at, Text: "a row"}, {Offset: at, Part: 1, Text: fmt.Sprint("it says number ", at)}}
}

// An expression that is none is said in words.
func TestSearchBadExpression(t *testing.T) {
	l := open(t, file(t, "x\n"), Options{})
	err := l.Search(context.Background(), task.SearchRequest{Query: task.Query{Text: "a(b", Regexp: true}}, func(task.Found) {})
	if err == nil || !strings.Contains(err.Error(), "not a regular expression: missing closing ): `a(b`") {
		t.Error(err)
	}
}
