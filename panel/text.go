package panel

import (
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Paint is a style as the bytes that switch it on (an SGR sequence); the zero
// value leaves text as it is. Hot rows are painted with these, not through a
// layout library.
type Paint string

// On paints s and resets behind it. An empty s stays empty.
func (p Paint) On(s string) string {
	if p == "" || s == "" {
		return s
	}
	return string(p) + s + "\x1b[m"
}

// method is how this process's one terminal measures text: it differs in joined
// emoji only. The zero value is by grapheme (mode 2027).
var method atomic.Int32

// SetWidths says how the terminal measures text: ansi.GraphemeWidth, the default,
// or ansi.WcWidth.
func SetWidths(m ansi.Method) {
	if m == ansi.WcWidth {
		method.Store(1)
		return
	}
	method.Store(0)
}

func widths() ansi.Method {
	if method.Load() == 1 {
		return ansi.WcWidth
	}
	return ansi.GraphemeWidth
}

// Width is how many terminal cells s takes, by grapheme cluster.
func Width(s string) int {
	if plainASCII(s) {
		return len(s)
	}
	return widths().StringWidth(s)
}

// Cut shortens s to at most w cells; what was cut shows as "…".
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if len(s) <= w || Width(s) <= w {
		return s
	}
	return widths().Truncate(s, w, "…")
}

// Pad fills s with spaces to w cells and cuts it there if it is longer.
func Pad(s string, w int) string {
	s = Cut(s, w)
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Clean makes text of a task safe to paint on one row: control characters (C0,
// C1, escape sequences' bytes), bidi controls and other invisible format
// characters go, line breaks and tabs become one space. What comes from the
// engine is clean already; this is the last door before the terminal.
func Clean(s string) string {
	if plainASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
		case unicode.Is(unicode.Cf, r) && r != '\u200d':
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Wrap breaks plain text into rows of at most w cells, at spaces where it can.
// It gives at most rows rows; the last one ends in "…" when text was left.
func Wrap(s string, w, rows int) []string {
	if w <= 0 || rows <= 0 || s == "" {
		return nil
	}
	all := strings.Split(widths().Wrap(s, w, ""), "\n")
	for i := range all {
		all[i] = strings.TrimRight(all[i], " ")
	}
	if len(all) <= rows {
		return all
	}
	all = all[:rows]
	all[rows-1] = Cut(all[rows-1]+strings.Repeat("…", w), w)
	if Width(all[rows-1]) > w-1 {
		all[rows-1] = Cut(strings.TrimRight(all[rows-1], "…"), w-1) + "…"
	}
	return all
}

var asciiMarks = strings.NewReplacer(
	"●", "*", "◉", "@", "◆", "&", "◇", "%", "◈", "=", "▲", "^", "▸", ">", "▾", "v", "☾", "z", "○", "o", "◐", "*", "▣", "W",
	"✓", "+", "✘", "x", "✗", "x", "■", "#", "×", "x", "·", "-", "…", "~", "─", "-", "│", "|", "┼", "+", "┴", "+", "└", "`",
	"↑", "^", "↓", "v", "↵", "<", "›", ">", "‹", "<", "▌", ">", "▏", "_", "▎", "|", "⌥", "@", "↗", "^", "→", ">", "—", "-",
)

// ASCII writes every mark of ours as one ASCII character of the same width.
// Letters of other languages stay as they are.
func ASCII(s string) string { return asciiMarks.Replace(s) }
