package output

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/world"
	"offstage/task"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func here(t testing.TB) *world.World {
	t.Helper()
	home := t.TempDir()
	w, err := world.New(world.Options{Getenv: func(string) string { return home }})
	must(t, err)
	return w
}

// file writes a new file and gives its path.
func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.log")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func add(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	must(t, err)
	_, err = f.WriteString(text)
	must(t, err)
	must(t, f.Close())
}

func open(t testing.TB, path string, o Options) *Log {
	t.Helper()
	l, err := Open(here(t), task.OutputRef{Path: path}, o)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// until waits for facts that hold, by news alone.
func until(t testing.TB, l *Log, what string, ok func(task.Facts) bool) task.Facts {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		f := l.Facts()
		if ok(f) {
			return f
		}
		if err := l.Changed(ctx, f.Rev); err != nil {
			t.Fatalf("waiting for %s: %v; facts %+v", what, err, f)
		}
	}
}

func counted(t testing.TB, l *Log) task.Facts {
	t.Helper()
	return until(t, l, "a full count", func(f task.Facts) bool { return f.LinesKnown })
}

func sized(t testing.TB, l *Log, path string) task.Facts {
	t.Helper()
	st, err := os.Stat(path)
	must(t, err)
	return until(t, l, "the size", func(f task.Facts) bool { return f.Size == st.Size() && f.LinesKnown })
}

func page(t testing.TB, l *Log, r task.PageRequest) task.Page {
	t.Helper()
	p, err := l.Page(context.Background(), r)
	must(t, err)
	return p
}

// forward reads all rows from the top in pages of n.
func forward(t testing.TB, l *Log, n int, nofold bool) []task.Line {
	t.Helper()
	var rows []task.Line
	for at := int64(0); ; {
		p := page(t, l, task.PageRequest{At: at, After: n, NoFold: nofold})
		rows = append(rows, p.Lines...)
		if p.Bottom {
			return rows
		}
		if p.End <= at {
			t.Fatalf("no way on from %d: %d rows", at, len(p.Lines))
		}
		at = p.End
	}
}

// backward reads all rows from the end in pages of n.
func backward(t testing.TB, l *Log, n int, nofold bool) []task.Line {
	t.Helper()
	p := page(t, l, task.PageRequest{Tail: true, Before: n, NoFold: nofold})
	rows := p.Lines
	for !p.Top {
		at := p.Start
		if p = page(t, l, task.PageRequest{At: at, Before: n, NoFold: nofold}); p.Start >= at && !p.Top {
			t.Fatalf("no way back from %d: %d rows", at, len(p.Lines))
		}
		rows = append(p.Lines, rows...)
	}
	return rows
}

// show is rows as text, one a line, for comparing.
func show(rows []task.Line) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%d %q", r.Offset, r.Text)
		if r.Repeat > 1 {
			fmt.Fprintf(&b, " ×%d", r.Repeat)
		}
		if r.Mark != 0 {
			fmt.Fprintf(&b, " mark %d", r.Mark)
		}
		if r.Cut > 0 {
			fmt.Fprintf(&b, " +%d", r.Cut)
		}
		if len(r.Spans) > 0 {
			fmt.Fprintf(&b, " %v", r.Spans)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func texts(rows []task.Line) string {
	var out []string
	for _, r := range rows {
		s := r.Text
		if r.Repeat > 1 {
			s += fmt.Sprintf(" ×%d", r.Repeat)
		}
		out = append(out, s)
	}
	return strings.Join(out, "|")
}

// firstDiff is where two shows part.
func firstDiff(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := 0; i < len(as) && i < len(bs); i++ {
		if as[i] != bs[i] {
			return fmt.Sprintf("row %d of %d/%d:\n%.300s\n%.300s", i, len(as), len(bs), as[i], bs[i])
		}
	}
	return fmt.Sprintf("lengths %d and %d", len(as), len(bs))
}
