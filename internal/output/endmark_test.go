package output

import (
	"os"
	"strings"
	"testing"

	"offstage/task"
)

// B2: a log that leaves the cursor among its rows (testdata/moved-end.log, an
// agent's mark behind a progress block) has its end mark below all rows, and all
// rows are as they stood before it: however one comes there.
func TestEndMarkBelowMovedCursor(t *testing.T) {
	b, err := os.ReadFile("testdata/moved-end.log")
	must(t, err)
	const rows = "build 1 waiting|build 2 done|build 3 waiting|build 4 waiting|exited with code 1"
	for _, lead := range []string{"", strings.Repeat("an earlier line of output\n", 3000)} {
		path := file(t, lead+string(b))
		l := open(t, path, Options{})
		f := counted(t, l)
		for name, r := range map[string]task.PageRequest{
			"tail": {Tail: true, Before: 5}, "unfolded tail": {Tail: true, Before: 5, NoFold: true},
			"from its first row": {At: int64(len(lead)), After: 9},
		} {
			p := page(t, l, r)
			if got := texts(p.Lines); got != rows {
				t.Errorf("%s: %q", name, got)
			}
			if last := p.Lines[len(p.Lines)-1]; last.Mark != task.MarkEnd || last.Offset != f.EndMarkAt {
				t.Errorf("%s: last row %+v, mark at %d", name, last, f.EndMarkAt)
			}
		}
		if f.LastLine != "build 4 waiting" {
			t.Errorf("last line %q", f.LastLine)
		}
	}
}

// The live end takes a mark that comes while it is followed, and gives it back
// when it was the command's own text after all.
func TestEndMarkWhileFollowed(t *testing.T) {
	b, err := os.ReadFile("testdata/moved-end.log")
	must(t, err)
	at := strings.Index(string(b), "[exited")
	for _, parts := range [][]string{
		{string(b[:at]), string(b[at:])},
		{string(b[:at]), string(b[at : at+5]), string(b[at+5:])}, // the mark is seen half-written
	} {
		path := file(t, "")
		l := open(t, path, Options{Running: true})
		tail := task.PageRequest{Tail: true, Before: 9}
		for _, part := range parts {
			add(t, path, part)
			sized(t, l, path)
			page(t, l, tail)
		}
		if got := texts(page(t, l, tail).Lines); !strings.HasSuffix(got, "|build 4 waiting|exited with code 1") {
			t.Errorf("with the mark: %q", got)
		}
		add(t, path, "goes on\n")
		sized(t, l, path)
		live := texts(page(t, l, tail).Lines)
		fresh := open(t, path, Options{Running: true})
		counted(t, fresh)
		if want := texts(page(t, fresh, tail).Lines); live != want || strings.Contains(live, "|exited with") {
			t.Errorf("after more output: %q, a fresh reader has %q", live, want)
		}
	}
}
