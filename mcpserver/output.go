package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"offstage/task"
)

// maxText is how much of an output a model is given, in characters, where no
// setting says otherwise (O5).
const maxText = 32_000

// usualLines is how many rows are read where nothing was said.
const usualLines = 200

// maxLines bounds a wish; the text is cut to maxText anyway.
const maxLines = 5000

func (s *Server) outputTool() tool {
	return tool{
		name: "read_task_output", about: "The output of a task as a person sees it: redraws settled, secrets hidden. The end, or from a cursor on.", readOnly: true,
		fields: []field{
			{name: "task", kind: "string", about: "its id", required: true},
			{name: "lines", kind: "integer", about: "how many; 200, if left out"},
			{name: "from", kind: "integer", about: "a cursor of an earlier answer: only what came after it"},
			{name: "grep", kind: "string", about: "only lines that match this regular expression"},
		},
		do: s.output,
	}
}

// read is what read_task_output answers beside the text.
type read struct {
	ID     string `json:"id"`
	Cursor int64  `json:"cursor"`
	Lines  int    `json:"lines"`
	// More: there is more behind the cursor already.
	More bool `json:"more,omitempty"`
}

func (s *Server) output(ctx context.Context, c *call) (*result, error) {
	ref, err := c.text("task")
	if err != nil {
		return nil, err
	}
	lines, err := c.number("lines", usualLines, 1, maxLines)
	if err != nil {
		return nil, err
	}
	from, err := c.number("from", -1, -1, 1<<62)
	if err != nil {
		return nil, err
	}
	grep, err := c.text("grep")
	if err != nil {
		return nil, err
	}
	t, err := s.find(ctx, c, ref)
	if err != nil {
		return nil, err
	}
	out, err := s.o.Registry.Open(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	rows, end, more, err := readRows(ctx, out, lines, int64(from), grep)
	if err != nil {
		return nil, err
	}
	text, cut := cutText(rowsText(rows), s.o.MaxText)
	head := ""
	switch {
	case cut:
		head = fmt.Sprintf("[cut to its last %d characters; all of it: %s]\n", s.o.MaxText, t.Output.Recorded)
	case len(rows) == 0:
		text = nothing(t, from >= 0, grep)
	}
	return &result{head + text, worded{read{t.ID, end, len(rows), more}}}, nil
}

// nothing says why there are no rows.
func nothing(t task.Task, later bool, grep string) string {
	switch {
	case grep != "":
		return "No line matches."
	case later:
		return "Nothing new."
	case t.Status.Ended():
		return "It wrote nothing."
	}
	return "It has written nothing yet."
}

// readRows are the rows that were asked for: the last ones, or those from a
// cursor on.
func readRows(ctx context.Context, out task.Output, n int, from int64, grep string) (rows []task.Line, end int64, more bool, err error) {
	var filter *task.Filter
	if grep != "" {
		q := task.Query{Text: grep, Regexp: true}
		if _, err := task.NewMatcher(q); err != nil {
			return nil, 0, false, wrong("grep is %v", err)
		}
		filter = &task.Filter{Query: q}
	}
	if from < 0 {
		return lastRows(ctx, out, n, filter)
	}
	for at := from; ; {
		page, err := out.Page(ctx, task.PageRequest{At: at, After: n - len(rows), Filter: filter})
		if err != nil {
			return nil, 0, false, err
		}
		for _, l := range page.Lines {
			if l.Offset >= from && len(rows) < n {
				rows = append(rows, l)
			}
		}
		if page.Bottom || len(rows) >= n || page.End <= at {
			return rows, page.End, !page.Bottom, nil
		}
		at = page.End
	}
}

// maxBack bounds how far back a rare line is looked for, in pages.
const maxBack = 2000

func lastRows(ctx context.Context, out task.Output, n int, filter *task.Filter) (rows []task.Line, end int64, more bool, err error) {
	page, err := out.Page(ctx, task.PageRequest{Tail: true, Before: n, Filter: filter})
	if err != nil {
		return nil, 0, false, err
	}
	if page.Facts.Trouble != "" && len(page.Lines) == 0 {
		return nil, 0, false, fmt.Errorf("%s", page.Facts.Trouble)
	}
	rows, end = page.Lines, page.End
	for i := 0; filter != nil && len(rows) < n && !page.Top && i < maxBack; i++ {
		at := page.Start
		if page, err = out.Page(ctx, task.PageRequest{At: at, Before: n - len(rows), Filter: filter}); err != nil {
			return nil, 0, false, err
		}
		rows = append(page.Lines, rows...)
		if page.Start >= at {
			break
		}
	}
	return rows[max(0, len(rows)-n):], end, false, nil
}

func rowsText(rows []task.Line) string {
	var b strings.Builder
	for _, l := range rows {
		text := l.Text
		if l.Mark != task.NoMark {
			text = "── " + text + " ──"
		}
		b.WriteString(text)
		if l.Repeat > 1 {
			fmt.Fprintf(&b, " ×%d", l.Repeat)
		}
		if l.Cut > 0 {
			fmt.Fprintf(&b, " … %d more characters", l.Cut)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cutText is the end of a text, at most so many characters, whole lines where it
// can be.
func cutText(s string, most int) (string, bool) {
	n := utf8.RuneCountInString(s)
	if n <= most {
		return s, false
	}
	for ; n > most; n-- {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)/2 {
		s = s[i+1:]
	}
	return s, true
}
