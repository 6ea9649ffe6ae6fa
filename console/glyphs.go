package console

import (
	"strings"

	"offstage/task"
)

// glyphs are our own marks. The second set stays within ASCII, one cell each
// where the layout counts on it.
type glyphs struct {
	rule, dots, bar, track, thumb, tick     string
	back, close, button, up, down, follow   string
	more, left, right, times, redrawn, join string
	caret, around, hidden, about            string
	dot, stopped, warn                      string
	ascii                                   bool
}

var unicodeSet = glyphs{
	rule: "─", dots: "┄", bar: "▎", track: "│", thumb: "┃", tick: "╸",
	back: "‹", close: "×", button: "▸", up: "↑", down: "↓", follow: "▼",
	more: "…", left: "…", right: "…", times: "×", redrawn: "↻", join: " ─ ",
	dot: " · ", stopped: "■", warn: "▲", caret: "▏", around: "±", about: "≈", hidden: "•",
}

var asciiSet = glyphs{
	rule: "-", dots: "-", bar: "|", track: ":", thumb: "#", tick: "=",
	back: "<", close: "[x]", button: ">", up: "^", down: "", follow: "*",
	more: "...", left: "<", right: ">", times: "x", redrawn: "~", join: " - ",
	dot: " - ", stopped: "#", warn: "!", caret: "_", around: "+-", about: "about", hidden: "*", ascii: true,
}

// glyph is the mark of a state.
func (g glyphs) glyph(s task.Status) string {
	if g.ascii {
		return task.ASCIIGlyph(s)
	}
	return task.Glyph(s)
}

// In ASCII the marks in sentences of package task are words.
var toASCII = strings.NewReplacer(
	"✓", "ok", "✘", "failed", "·", "-", "…", "...", "×", "x", "─", "-", "—", "-", "┄", "-",
	"↑", "^", "↓", "v", "●", "*", "■", "#", "▸", ">", "▼", "v", "↻", "~", "‹", "<",
)

// say puts a text of ours into the set.
func (g glyphs) say(s string) string {
	if !g.ascii {
		return s
	}
	return toASCII.Replace(s)
}

// mark is the row of a mark between rows: words of ours in a dotted line, the
// end in a drawn one, a note or a trouble as a plain sentence.
func (g glyphs) mark(k task.Mark, text string) string {
	if text == "" {
		text = markWords(k)
	}
	text = g.say(text)
	switch k {
	case task.MarkNote, task.MarkTrouble:
		return text
	case task.MarkEnd:
		return g.rule + g.rule + " " + text + " " + g.rule + g.rule
	}
	return g.dots + g.dots + " " + text + " " + g.dots + g.dots
}
