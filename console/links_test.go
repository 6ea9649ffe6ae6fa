package console

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"offstage/task"
)

// ownLink is all that a link of ours may look like.
var ownLink = regexp.MustCompile(`\x1b\]8;(id=[0-9a-z.]+;(https?|file)://[!-~]+)?;?\x1b\\`)

// linked are the texts and targets of the links in a view.
func linked(view string) map[string]string {
	out := map[string]string{}
	for _, part := range strings.Split(view, "\x1b]8;id=")[1:] {
		head, rest, _ := strings.Cut(part, "\x1b\\")
		_, target, _ := strings.Cut(head, ";")
		text, _, _ := strings.Cut(rest, "\x1b]8;;\x1b\\")
		out[ansi.Strip(text)] += target
	}
	return out
}

// B13: links are made of addresses and of file:line; their targets have no query,
// no name and nothing that was hidden.
func TestLinks(t *testing.T) {
	for text, want := range map[string]map[string]string{
		"  Local: http://localhost:5173/":               {"http://localhost:5173/": "http://localhost:5173/"},
		"open https://x.org/a?token=[redacted]#top now": {"https://x.org/a?token=[redacted]#top": "https://x.org/a"},
		"https://ada:[redacted]@x.org/":                 {},
		"https://x.org/[redacted]/a":                    {},
		"ftp://x.org/a":                                 {},
		"src/cart.test.ts:88:21 failed":                 {"src/cart.test.ts:88:21": "file:///work/shop-api/src/cart.test.ts"},
		"at /srv/a#b.go:7":                              {"b.go:7": "file:///work/shop-api/b.go"},
		"see http://h:80/a.go:12 there":                 {"http://h:80/a.go:12": "http://h:80/a.go:12"},
		"https://x.org/日本":                              {"https://x.org/日本": "https://x.org/%E6%97%A5%E6%9C%AC"},
		"nothing: here 10:42:07":                        {},
	} {
		tk := shellTask()
		tk.Cwd = "/work/shop-api"
		f := &fakeLog{}
		f.text(text)
		m := open(t, Options{}, 100, 24, tk, f)
		if strings.Contains(m.View(), "\x1b]") {
			t.Errorf("%s: a link that nobody asked for", text)
		}
		m.SetLinks(true)
		got := linked(m.View())
		if len(got) != len(want) {
			t.Errorf("%s: %v", text, got)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %q leads to %q, want %q", text, k, got[k], v)
			}
		}
	}
}

// A link that is wrapped over rows is one: the same id in each, closed in each.
func TestLinkOverRows(t *testing.T) {
	f := &fakeLog{}
	url := "http://localhost:5173/" + strings.Repeat("path/", 30)
	f.add(task.Line{Text: "see " + url + " now", Spans: []task.Span{{Start: 10, End: 30, Style: task.Style{Attr: task.Bold}}}})
	m := open(t, Options{}, 70, 24, shellTask(), f)
	m.SetLinks(true)
	ids := map[string]bool{}
	for _, row := range strings.Split(m.View(), "\n") {
		for _, at := range regexp.MustCompile(`\x1b\]8;(id=[^;]*);`).FindAllStringSubmatch(row, -1) {
			ids[at[1]] = true
		}
		if strings.Count(row, "\x1b]8;id=") != strings.Count(row, closeLink) {
			t.Errorf("a row leaves a link open: %q", row)
		}
	}
	if len(ids) != 1 {
		t.Errorf("ids: %v", ids)
	}
}

// Whatever the rows hold: with our own links and SGR taken away no escape is left,
// and what the task wrote of links itself never leads anywhere (B7).
func TestOnlyOurLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(Options{Styles: testStyles()})
		m.SetSize(size(t))
		m.SetLinks(true)
		tk := shellTask()
		tk.Cwd = rapid.SampledFrom([]string{"", "/a", "/a b\x1b]8;;http://evil\x1b\\", "~"}).Draw(t, "cwd")
		m.SetTask(tk, testNow, task.QuietAfter)
		f := &fakeLog{}
		parts := append([]string{"http://x.org/\x1b\\evil", "\x1b]8;;http://evil.org\x1b\\text\x1b]8;;\x1b\\", "https://a/;id=\u009c", "a.go:12", "https://é.org/ü", ":"}, texts...)
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			f.text(strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "text"), ""))
		}
		f.settle(nil2(t), m)
		left := ownLink.ReplaceAllString(sgrOnly.ReplaceAllString(m.View(), ""), "")
		if strings.ContainsAny(left, "\x1b\x07\u009b\u009c") {
			t.Fatalf("left: %q", left)
		}
		for i, row := range strings.Split(m.View(), "\n") {
			if w := ansi.StringWidth(row); w > m.w {
				t.Fatalf("row %d is %d cells wide: %q", i, w, row)
			}
		}
	})
}

// B13: o opens what was clicked in the row, else its first address.
func TestOpenUnderTheCursor(t *testing.T) {
	f := &fakeLog{}
	f.text("src/a.ts:1 and src/b.ts:22:3 and http://localhost:1/")
	m := open(t, Options{}, 100, 24, shellTask(), f)
	if a, _ := m.Key("o"); a != (OpenURL{"http://localhost:1/"}) {
		t.Errorf("%#v", a)
	}
	for x, want := range map[int]Action{4: OpenEditor{"src/a.ts", 1}, 22: OpenEditor{"src/b.ts", 22}, 40: OpenURL{"http://localhost:1/"}, 14: OpenURL{"http://localhost:1/"}} {
		m.Mouse(MouseEvent{X: x, Y: m.bodyY(), Kind: MousePress, Clicks: 1})
		m.Mouse(MouseEvent{X: x, Y: m.bodyY(), Kind: MouseRelease})
		if a, _ := m.Key("o"); a != want {
			t.Errorf("at %d: %#v, want %#v", x, a, want)
		}
	}
}
