package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/console"
	"offstage/task"
)

// fewRows is an output of given rows.
type fewRows struct {
	task.Output
	rows []task.Line
	size int64
}

func (f fewRows) Facts() task.Facts { return task.Facts{Size: f.size} }
func (f fewRows) Page(_ context.Context, req task.PageRequest) (task.Page, error) {
	p := task.Page{Start: req.At, End: req.At, Bottom: true}
	for _, r := range f.rows {
		if r.Offset >= req.At && len(p.Lines) < 2 {
			p.Lines, p.End = append(p.Lines, r), r.End
		}
	}
	p.Bottom = p.End >= f.size
	return p, nil
}
func (f fewRows) Whole(context.Context, int64) (task.Line, error) {
	return task.Line{Text: "cut and the rest"}, nil
}

func sampleRows() fewRows {
	red := task.Style{FG: task.Indexed(1)}
	return fewRows{size: 100, rows: []task.Line{
		{Offset: 0, End: 10, Text: "error here", Spans: []task.Span{{Start: 0, End: 5, Style: red}}},
		{Offset: 10, End: 30, Text: "same", Repeat: 3},
		{Offset: 30, End: 50, Text: "token [redacted]", Redacted: 1},
		{Offset: 50, End: 60, Mark: task.MarkHole, Text: "gap of 3 GB"},
		{Offset: 60, End: 100, Text: "cut", Cut: 13},
	}}
}

// TestWriteRows is B13: every line of the file one line, whole, colours by our
// own codes or none, marks of ours in brackets.
func TestWriteRows(t *testing.T) {
	for _, c := range []struct {
		e    export
		want string
	}{
		{export{}, "error here\nsame\nsame\nsame\ntoken [redacted]\n[gap of 3 GB]\ncut and the rest\n"},
		{export{ansi: true}, "\x1b[31merror\x1b[m here\nsame\nsame\nsame\ntoken [redacted]\n[gap of 3 GB]\ncut and the rest\n"},
		{export{last: 50}, "[older output left out: this copy has the last 50 B]\n[gap of 3 GB]\ncut and the rest\n"},
	} {
		var b strings.Builder
		done, err := writeRows(context.Background(), &b, sampleRows(), c.e)
		if err != nil || b.String() != c.want {
			t.Errorf("%+v: %v\n%q\n%q", c.e, err, b.String(), c.want)
		}
		if c.e == (export{}) && done != (written{rows: 6, redacted: 1}) {
			t.Errorf("said %+v", done)
		}
	}
}

// TestSave is B13: a new file for its owner alone, nothing overwritten, and what
// was done is said.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, 100, 30, oneSession(), func(o *Options) { o.Where, o.Home = dir, dir })
	d.press("enter")
	d.openOutput()
	d.m.out = sampleRows()
	for _, c := range []struct {
		a    console.Save
		says string
	}{
		{console.Save{Path: "out.log"}, "Saved 6 lines to out.log · 1 secret redacted"},
		{console.Save{Path: "~/out.log"}, "Nothing was saved: ~/out.log is there already"},
		{console.Save{Path: "two.log", Selection: true, Text: "a\nb", Rows: 2}, "Saved 2 lines to two.log"},
		{console.Save{Path: "none/x.log"}, "Nothing was saved: save a file: "},
	} {
		msg := d.m.save(c.a)()
		if got := msg.(doneMsg).words; !strings.HasPrefix(got, c.says) {
			t.Errorf("%+v says %q", c.a, got)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "two.log")); string(b) != "a\nb\n" {
		t.Errorf("the selection is %q", b)
	}
}

// TestCopies: the copy for a pager is private and goes when it ends; a file that
// a row names is opened only if it is there.
func TestCopies(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	d := drive(t, 100, 30, oneSession(), func(o *Options) {
		o.Pager, o.Where = []string{"less", "-R"}, tmp
		o.Editor = func(path string, _ int64) []string { return []string{"vi", path} }
	})
	d.press("enter")
	d.openOutput()
	d.m.out = sampleRows()
	for _, editor := range []bool{false, true} {
		h := d.m.openCopy(editor)().(handMsg)
		if h.err != nil || h.argv[len(h.argv)-1] != h.copy || !strings.HasPrefix(h.copy, tmp) {
			t.Fatalf("editor %v: %+v", editor, h)
		}
		b, err := os.ReadFile(h.copy)
		if err != nil || !strings.Contains(string(b), "token [redacted]") || strings.Contains(string(b), "\x1b") == editor {
			t.Errorf("editor %v: %q %v", editor, b, err)
		}
		if got := d.m.fx.back(h, nil).(doneMsg).words; got != "It was a redacted copy, and is removed" {
			t.Errorf("says %q", got)
		}
		late := d.m.openCopy(editor)().(handMsg)
		late.gen--
		d.m.handOver(late)() // the console was left meanwhile
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "offstage-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if h := d.m.fx.findFile(1, filepath.Join(tmp, "no.ts"), 3)().(handMsg); h.err == nil || !strings.Contains(sentenceOf(h.err), "There is no file ") {
		t.Errorf("a file that is not there: %+v", h)
	}
}
