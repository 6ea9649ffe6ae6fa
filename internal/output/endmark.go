package output

import (
	"bytes"
	"strings"

	"offstage/internal/tail"
	"offstage/task"
)

// ending is what the last bytes of a file say.
type ending struct {
	mark string // text of the agent's end mark without brackets, "" for none
	at   int64  // where its line starts
	open bool   // the file does not end in a newline
}

// endOf looks at the last bytes of a file of the given size. An end mark counts
// only as the whole last line: a command can print the same text before.
func endOf(f *tail.File, size int64) ending {
	var buf [96]byte
	from := max(size-int64(len(buf)), 0)
	n, _ := f.ReadThrough(buf[:size-from], from)
	b := buf[:n]
	if n == 0 {
		return ending{}
	}
	e := ending{open: b[n-1] != '\n'}
	if e.open {
		return e
	}
	line := bytes.TrimSuffix(b[:n-1], []byte{'\r'})
	start := bytes.LastIndexByte(line, '\n') + 1
	if start == 0 && from > 0 {
		return e
	}
	if mark := endMark(string(line[start:])); mark != "" {
		e.mark, e.at = mark, from+int64(start)
	}
	return e
}

// endMark gives the words of an agent's end mark, "" for any other line.
func endMark(line string) string {
	text, ok := strings.CutPrefix(line, "[")
	if ok {
		text, ok = strings.CutSuffix(text, "]")
	}
	switch {
	case !ok:
		return ""
	case text == "killed", text == "process exited while detached; exit code unknown":
		return text
	}
	code, ok := strings.CutPrefix(text, "exited with code ")
	digits := strings.TrimPrefix(code, "-")
	if !ok || digits == "" || len(digits) > 10 || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return text
}

// dress adds to a page what is ours to say: the end mark as the end of the task,
// not as output (B2), how the generation began, and that the head is lost.
func (l *Log) dress(b *book, p *task.Page) {
	f := &p.Facts
	if n := len(p.Lines); n > 0 && f.EndMark != "" && f.Size == b.size && p.Lines[n-1].Offset == f.EndMarkAt {
		last := &p.Lines[n-1]
		*last = task.Line{Offset: last.Offset, End: last.End, Number: last.Number, Text: f.EndMark, Mark: task.MarkEnd, Tone: endTone(f.EndMark)}
		p.Lines = dropBlank(p.Lines, f.EndMarkAt)
	}
	if !p.Top {
		return
	}
	if len(p.Lines) > 0 && p.Lines[0].Mark == task.MarkHole && p.Lines[0].Offset == b.head {
		p.Lost = true
	}
	l.news.mu.Lock()
	text := l.state.restarted
	l.news.mu.Unlock()
	if text != "" {
		p.Lines = append([]task.Line{restartedRow(text)}, p.Lines...)
	}
}

// dropBlank takes the empty row away that the agent put before its end mark.
func dropBlank(rows []task.Line, at int64) []task.Line {
	i := len(rows) - 2
	if i < 0 || rows[i].Text != "" || rows[i].Mark != task.NoMark || rows[i].End != at {
		return rows
	}
	if rows[i].Repeat > 1 {
		rows[i].Repeat--
		return rows
	}
	return append(rows[:i], rows[i+1])
}

func endTone(mark string) task.Tone {
	if strings.HasPrefix(mark, "exited with code ") && mark != "exited with code 0" {
		return task.Bad
	}
	return task.Quiet
}
