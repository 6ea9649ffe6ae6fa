package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"offstage/console"
	"offstage/task"
)

// lineWire is a row of output for a program (`render --json`, `logs --json`).
type lineWire struct {
	Line   int64      `json:"line,omitempty"`
	Offset *int64     `json:"offset,omitempty"`
	Text   string     `json:"text"`
	Repeat int        `json:"repeat,omitempty"`
	Cut    int        `json:"cut,omitempty"`
	Mark   string     `json:"mark,omitempty"`
	Spans  []spanWire `json:"spans,omitempty"`
	At     *time.Time `json:"at,omitempty"`
}

// spanWire is a style over bytes start to end of the text. Colours are
// "ansi:N" for a palette entry or "#rrggbb".
type spanWire struct {
	Start int      `json:"start"`
	End   int      `json:"end"`
	FG    string   `json:"fg,omitempty"`
	BG    string   `json:"bg,omitempty"`
	Attrs []string `json:"attrs,omitempty"`
}

var attrNames = []struct {
	bit  task.Attr
	name string
}{
	{task.Bold, "bold"}, {task.Dim, "dim"}, {task.Italic, "italic"}, {task.Underline, "underline"},
	{task.DoubleUnderline, "double_underline"}, {task.CurlyUnderline, "curly_underline"},
	{task.DottedUnderline, "dotted_underline"}, {task.DashedUnderline, "dashed_underline"},
	{task.Inverse, "inverse"}, {task.Strike, "strike"},
}

// markNames are the rows that are ours, for programs.
var markNames = map[task.Mark]string{
	task.MarkCleared: "screen_cleared", task.MarkFullScreen: "full_screen", task.MarkGap: "gap", task.MarkRestarted: "restarted",
	task.MarkHole: "hole", task.MarkPassed: "passed", task.MarkEnd: "end", task.MarkNote: "note", task.MarkTrouble: "trouble",
}

func toLineWire(l task.Line) lineWire {
	w := lineWire{Line: l.Number, Text: l.Text, Cut: l.Cut, Mark: markNames[l.Mark], At: task.Stamp(l.At)}
	if l.Repeat > 1 {
		w.Repeat = l.Repeat
	}
	for _, s := range l.Spans {
		sw := spanWire{Start: s.Start, End: s.End, FG: colorWire(s.Style.FG), BG: colorWire(s.Style.BG)}
		for _, a := range attrNames {
			if s.Style.Attr&a.bit != 0 {
				sw.Attrs = append(sw.Attrs, a.name)
			}
		}
		w.Spans = append(w.Spans, sw)
	}
	return w
}

func colorWire(c task.Color) string {
	if n, ok := c.Index(); ok {
		return fmt.Sprintf("ansi:%d", n)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return ""
}

// printer writes rows in the form that was asked for.
type printer struct {
	w     *bufio.Writer
	color bool
	json  bool
	// offsets adds the byte offset of a row to its JSON (logs, which know no line
	// numbers near the end of a long file).
	offsets bool
}

func newPrinter(w io.Writer, color, asJSON bool) *printer {
	return &printer{w: bufio.NewWriterSize(w, 64<<10), color: color, json: asJSON}
}

func (p *printer) line(l task.Line) error {
	if !p.json {
		text := console.Render(l, p.color)
		if l.Mark != task.NoMark {
			text = "── " + text + " ──"
		}
		_, err := p.w.WriteString(text + "\n")
		return err
	}
	w := toLineWire(l)
	if p.offsets {
		at := l.Offset
		w.Offset = &at
	}
	e := json.NewEncoder(p.w)
	e.SetEscapeHTML(false)
	return e.Encode(w)
}

func (p *printer) flush() error { return p.w.Flush() }

// useColor decides for "auto", "always" and "never": a terminal, unless
// NO_COLOR; CLICOLOR_FORCE wins over a pipe.
func (a *app) useColor(when string) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
		if a.getenv("NO_COLOR") != "" {
			return false, nil
		}
		force := a.getenv("CLICOLOR_FORCE")
		return isTerminal(a.out) && a.getenv("TERM") != "dumb" || force != "" && force != "0", nil
	}
	return false, usage("--color %s: one of auto, always, never is wanted", when)
}
