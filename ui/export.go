package ui

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"offstage/console"
	"offstage/task"
)

// What leaves the window as a file is read from the output's masked pages, as
// everything is: a copy holds no secret that the screen hides (B13, C9).

// exportPage is how many rows are read at a time, openMost how much of a long
// output a copy for pager or editor has.
const (
	exportPage = 2000
	openMost   = 64 << 20
)

// export says what is written.
type export struct {
	filter *task.Filter
	// ansi keeps the colours, by our own codes.
	ansi bool
	// last, where > 0, is how many bytes from the end on are enough.
	last int64
}

// written is what was.
type written struct{ rows, redacted int }

// rewound is a file that can be begun again.
type rewound interface {
	io.WriteSeeker
	Truncate(size int64) error
}

// mostExports bounds how often a copy is begun again.
const mostExports = 4

// writeMasked writes the rows of an output to a new file. Where they told of a
// value that rows written before show alone, the file is begun again (C9).
func writeMasked(ctx context.Context, to rewound, out task.Output, e export) (written, error) {
	for tries := 1; ; tries++ {
		before := out.Facts().Masked
		done, err := writeRows(ctx, to, out, e)
		if err != nil || out.Facts().Masked == before {
			return done, err
		}
		if tries == mostExports {
			return done, errors.New("the output told of new secrets while it was read: try again")
		}
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return done, err
		}
		if err := to.Truncate(0); err != nil {
			return done, err
		}
	}
}

// writeRows writes the rows of an output as it is now, every line of the file one
// line, whole. Marks of ours stand in brackets.
func writeRows(ctx context.Context, to io.Writer, out task.Output, e export) (written, error) {
	var done written
	w := bufio.NewWriter(to)
	size, at := out.Facts().Size, int64(0)
	if e.last > 0 && size > e.last {
		at = size - e.last
		_, _ = w.WriteString("[older output left out: this copy has the last " + task.Size(e.last) + "]\n")
	}
	for {
		p, err := out.Page(ctx, task.PageRequest{At: at, After: exportPage, NoFold: true, Filter: e.filter})
		if err != nil {
			return done, err
		}
		for _, l := range p.Lines {
			if l.Cut > 0 && l.Mark == task.NoMark {
				if whole, err := out.Whole(ctx, l.Offset); err == nil {
					whole.Repeat = l.Repeat
					l = whole
				}
			}
			done.rows += writeRow(w, l, e.ansi)
			done.redacted += l.Redacted
		}
		if p.Bottom || p.End >= size {
			return done, w.Flush()
		}
		if p.End <= at {
			return done, errors.New("the output changed while it was read")
		}
		at = p.End
	}
}

// writeRow writes one row as often as it stands for lines; the writer keeps its
// error for the end.
func writeRow(w *bufio.Writer, l task.Line, ansi bool) int {
	n := max(l.Repeat, 1)
	if l.Mark != task.NoMark {
		l.Text, l.Spans, n = "["+l.Text+"]", nil, 1
	}
	l.Repeat = 0
	text := console.Render(l, ansi)
	for range n {
		_, _ = w.WriteString(text)
		_ = w.WriteByte('\n')
	}
	if l.Mark != task.NoMark {
		return 0
	}
	return n
}

// fileName is a name for a copy of a task's output.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '-'
	}, title)
	name = strings.TrimSuffix(strings.Trim(name, "-."), ".log")
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	if name == "" {
		name = "output"
	}
	return name[:min(len(name), 60)] + ".log"
}

// savedWords say what was written and where.
func (d written) words(where string) string {
	words := "Saved " + count(d.rows, "line", "lines") + " to " + where
	if d.redacted > 0 {
		words += " · " + count(d.redacted, "secret", "secrets") + " redacted"
	}
	return words
}
