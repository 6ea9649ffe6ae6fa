package trace

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// Rows collects the rows of one record of a transcript (spec 2 O4): texts as
// paragraphs, a call as one line, its result folded under it. Every agent's
// decoder turns its own records into these, so that all read alike.
type Rows struct {
	list []task.Line
	// At is when the record was written.
	At time.Time
	// Tokens, where > 0, stand in the time column of the first row.
	Tokens int64
}

// Bounds of what one result shows.
const (
	resultLines   = 3
	maxErrorLines = 200
	maxParagraph  = 10_000
)

// Say is what the agent said.
func (r *Rows) Say(text string) { r.paragraph(text, "", task.Plain) }

// Told is what the agent was told: a prompt, a message.
func (r *Rows) Told(text string) { r.paragraph(text, "» ", task.Quiet) }

// Bad is an error of the agent itself.
func (r *Rows) Bad(text string) { r.paragraph(text, "", task.Bad) }

// Note is a word about a record that is no step.
func (r *Rows) Note(text string) { r.add(text, task.Quiet) }

// Call is a call of a tool with the argument that says most.
func (r *Rows) Call(tool string, input json.RawMessage) {
	r.add(strings.TrimSpace("▸ "+Clean(tool)+" "+Headline(input)), task.Accent)
}

// Result is what a call gave: three lines and a fold; a failure stands open.
func (r *Rows) Result(text string, failed bool) {
	text = strings.TrimRight(text, "\n\t ")
	if text == "" {
		return
	}
	limit, tone := resultLines, task.Quiet
	if failed {
		limit, tone = maxErrorLines, task.Bad
	}
	n, folded := 0, 0
	for line := range strings.Lines(text) {
		if n++; n > limit {
			folded++
			continue
		}
		r.add("  "+Clean(line), tone)
	}
	r.list[len(r.list)-1].Fold = folded
}

func (r *Rows) paragraph(text, mark string, tone task.Tone) {
	n := 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if n++; n > maxParagraph {
			break
		}
		r.add(mark+Clean(line), tone)
		mark = ""
	}
}

func (r *Rows) add(text string, tone task.Tone) {
	r.list = append(r.list, task.Line{Text: text, Tone: tone})
}

// Lines are the rows with their place: the record's offset and length.
func (r *Rows) Lines(at int64, size int) []task.Line {
	for i := range r.list {
		l := &r.list[i]
		l.Offset, l.Part, l.End, l.At = at, i, at+int64(size)+1, r.At
	}
	if len(r.list) > 0 && r.Tokens > 0 {
		r.list[0].Aside = tokens(r.Tokens)
	}
	return r.list
}

// tokens is a count in the time column: "60 tok", "1.2k tok".
func tokens(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " tok"
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k tok"
}

// maxPrinted bounds the lines of one record of plain output.
const maxPrinted = 100_000

// Print is plain output of a command, kept whole.
func (r *Rows) Print(text string) {
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > maxPrinted {
			r.Note("…")
			return
		}
		r.add(Clean(line), task.Plain)
	}
}
