package output

import (
	"fmt"

	"offstage/internal/screen"
	"offstage/redact"
	"offstage/task"
)

// maxRecord bounds what is kept of one record of a decoded file, or of one line
// that must be recoded; the rest of it is counted and left out.
const maxRecord = 64 << 20

// look says how bytes become rows.
type look struct {
	dec           task.Decoder
	enc           encoding
	width, height int
	text          int  // display limit
	bare          bool // no masking
	secrets       *Secrets
}

// renderer makes masked rows out of bytes that it is given in order.
type renderer struct {
	look
	scr *screen.Screen
	red *redact.Redactor
	// beside judges rows that may still change, each for itself.
	beside *redact.Redactor
	// line is the number of the line at hand, 0 while it is not known.
	line int64
	// rec is the unfinished record (decoder, UTF-16); over is what did not fit.
	rec   []byte
	recAt int64
	over  int64
	rows  []task.Line
	at    offsets
}

// newRenderer begins at a line's start; line is its number, 0 if unknown.
func newRenderer(k look, line int64) *renderer {
	if k.text == 0 {
		k.text = maxText
	}
	r := &renderer{look: k, line: line}
	if !k.bare {
		r.red, r.beside = k.secrets.redactor(), k.secrets.redactor()
		r.beside.Restore(redact.State{})
	}
	if k.dec == nil {
		o := screen.Options{Width: k.width, Height: k.height, MaxText: k.text}
		if !k.bare {
			o.Mask = r.liveMask
		}
		r.scr = screen.New(o)
		if line > 0 {
			r.scr.CountFrom(line)
		}
	}
	return r
}

// write takes the bytes at offset at; they follow on those before.
func (r *renderer) write(p []byte, at int64) {
	if r.dec == nil && r.enc == utf8Text {
		r.scr.Write(p, at)
		return
	}
	for len(p) > 0 {
		if len(r.rec) == 0 && r.over == 0 {
			r.recAt = at
		}
		i := r.enc.next(p)
		whole := i >= 0
		if !whole {
			i = len(p)
		}
		if len(r.rec)+i > maxRecord {
			r.over += int64(i)
		} else {
			r.rec = append(r.rec, p[:i]...)
		}
		at += int64(i)
		p = p[i:]
		if whole {
			r.record(at)
		}
	}
}

// record plays the record that ends at end.
func (r *renderer) record(end int64) {
	text := r.rec
	if r.enc != utf8Text {
		text = r.enc.utf8(nil, r.rec)
	}
	switch {
	case r.dec == nil:
		r.scr.Write(text, r.at.add(r.recAt, end, int64(len(text))))
	case r.over > 0:
		r.rows = append(r.rows, task.Line{Offset: r.recAt, End: end, Number: r.line, Mark: task.MarkNote, Tone: task.Quiet,
			Text: "record of " + task.Size(end-r.recAt) + " left out"})
	default:
		for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
			text = text[:len(text)-1]
		}
		for _, row := range r.dec.Decode(text, r.recAt) {
			row.Offset, row.End, row.Number = r.recAt, end, r.line
			r.mask(&row) // as it came: what plain puts in the place of a code would cut a secret in two
			plain(&row)
			r.rows = append(r.rows, row)
		}
	}
	if r.line > 0 && r.dec != nil {
		r.line++
	}
	r.rec, r.over = r.rec[:0], 0
	if cap(r.rec) > 1<<20 {
		r.rec = nil
	}
}

// settled gives the masked rows that can no longer change.
func (r *renderer) settled() []task.Line {
	rows := r.rows
	r.rows = nil
	if r.scr != nil {
		rows = r.place(r.scr.Settled())
	}
	r.finish(rows)
	return rows
}

// live gives the masked rows that may still change, as they stand; final says
// that the writer is gone, so that nothing more will come. Half a record of a
// decoded file is none yet.
func (r *renderer) live(final bool) []task.Line {
	if r.scr == nil {
		return nil
	}
	rows := r.place(r.scr.Live())
	if len(r.rec) > 0 { // half a line of UTF-16
		rows = append(rows, r.halfLine())
	}
	if r.red != nil {
		defer r.red.Restore(r.red.Save())
	}
	r.finish(rows)
	for i := range rows {
		rows[i].Live = !final
	}
	if r.red == nil || final {
		return rows
	}
	for i := range rows { // a value that is still being written is hidden already
		hide(&rows[i], r.beside.Live(rows[i].Text))
	}
	return rows
}

func (r *renderer) halfLine() task.Line {
	o := screen.Options{MaxText: r.text}
	if r.beside != nil {
		o.Mask = r.liveMask
	}
	s := screen.New(o)
	s.Write(r.enc.utf8(nil, r.rec), 0)
	row := task.Line{Live: true}
	if rows := s.Live(); len(rows) > 0 {
		row = rows[0]
	}
	row.Offset, row.End, row.Number = r.recAt, r.recAt+int64(len(r.rec)), 0
	return row
}

// flush ends the input: everything that is left comes out.
func (r *renderer) flush(end int64) []task.Line {
	if len(r.rec) > 0 || r.over > 0 {
		r.record(end)
	}
	rows := r.rows
	r.rows = nil
	if r.scr != nil {
		rows = r.place(r.scr.Flush())
	}
	r.finish(rows)
	return rows
}

// place gives rows of recoded text their place in the file.
func (r *renderer) place(rows []task.Line) []task.Line {
	if r.enc == utf8Text {
		return rows
	}
	for i := range rows {
		rows[i].Offset, rows[i].End = r.at.real(rows[i].Offset), r.at.real(rows[i].End)
	}
	return rows
}

// finish masks and cuts rows.
func (r *renderer) finish(rows []task.Line) {
	for i := range rows {
		row := &rows[i]
		if row.Mark != task.NoMark {
			continue
		}
		if r.dec == nil {
			r.mask(row)
		}
		cut(row, r.text)
	}
}

// mask hides what is secret in the next row.
func (r *renderer) mask(row *task.Line) {
	if r.red == nil || row.Mark != task.NoMark {
		return
	}
	rs := r.red.Ranges(row.Text)
	r.secrets.note(row.Text, rs)
	hide(row, rs)
}

// holeRow is the row that stands for a gap in the file.
func holeRow(from, to int64) task.Line {
	return task.Line{Offset: from, End: to, Mark: task.MarkHole, Tone: task.Quiet, Text: "gap of " + task.Size(to-from)}
}

// passedRow stands for bytes that were not looked at because they came too fast.
func passedRow(from, to int64) task.Line {
	return task.Line{Offset: from, End: to, Mark: task.MarkPassed, Tone: task.Quiet, Text: fmt.Sprintf("… %s passed …", task.Size(to-from))}
}

// restartedRow heads a generation after the first.
func restartedRow(text string) task.Line {
	return task.Line{Part: -1, Mark: task.MarkRestarted, Tone: task.Amber, Text: text}
}
