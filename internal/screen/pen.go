package screen

import "offstage/task"

// pen is what the next character is drawn with.
type pen struct {
	style task.Style
	// graphics tells for G0 and G1 whether they are the line drawing set; shift is
	// the one in use.
	graphics [2]bool
	shift    int
	// last is the character that REP repeats.
	last rune
}

const underlines = task.Underline | task.DoubleUnderline | task.CurlyUnderline | task.DottedUnderline | task.DashedUnderline

// underlineStyles are the values of SGR 4:n (kitty, adopted by most terminals).
var underlineStyles = [...]task.Attr{0, task.Underline, task.DoubleUnderline, task.CurlyUnderline, task.DottedUnderline, task.DashedUnderline}

// sgr applies a Select Graphic Rendition. Blink and conceal are let go: one
// distracts, the other hides text. Fonts, frames and the like are not kept.
func (s *Screen) sgr() {
	if s.nparams == 0 {
		s.style = task.Style{}
		return
	}
	for i := 0; i < s.nparams; {
		i = s.sgrOne(i)
	}
}

// sgrOne applies the parameter at i and gives the place of the next one.
func (s *Screen) sgrOne(i int) int {
	st := &s.style
	n := s.params[i]
	end := i + 1
	for end < s.nparams && s.colons&(1<<end) != 0 {
		end++
	}
	switch {
	case n == 0:
		*st = task.Style{}
	case n == 4 && end > i+1:
		st.Attr &^= underlines
		if k := s.params[i+1]; k < len(underlineStyles) {
			st.Attr |= underlineStyles[k]
		}
	case n < 30:
		setAttr(st, n)
	case n <= 37:
		st.FG = task.Indexed(uint8(n - 30))
	case n == 38 || n == 48 || n == 58:
		c, next, ok := s.color(i, end)
		if ok {
			setColor(st, n, c)
		}
		return next
	case n == 39:
		st.FG = 0
	case n >= 40 && n <= 47:
		st.BG = task.Indexed(uint8(n - 40))
	case n == 49:
		st.BG = 0
	case n == 59:
		st.UL = 0
	case n >= 90 && n <= 97:
		st.FG = task.Indexed(uint8(n - 90 + 8))
	case n >= 100 && n <= 107:
		st.BG = task.Indexed(uint8(n - 100 + 8))
	}
	return end
}

// setAttr applies one of the attributes below 30.
func setAttr(st *task.Style, n int) {
	switch n {
	case 1:
		st.Attr |= task.Bold
	case 2:
		st.Attr |= task.Dim
	case 3:
		st.Attr |= task.Italic
	case 4:
		st.Attr = st.Attr&^underlines | task.Underline
	case 7:
		st.Attr |= task.Inverse
	case 9:
		st.Attr |= task.Strike
	case 21:
		st.Attr = st.Attr&^underlines | task.DoubleUnderline
	case 22:
		st.Attr &^= task.Bold | task.Dim
	case 23:
		st.Attr &^= task.Italic
	case 24:
		st.Attr &^= underlines
	case 27:
		st.Attr &^= task.Inverse
	case 29:
		st.Attr &^= task.Strike
	}
}

// setColor puts a colour where SGR 38, 48 or 58 wants it.
func setColor(st *task.Style, n int, c task.Color) {
	switch n {
	case 38:
		st.FG = c
	case 48:
		st.BG = c
	case 58:
		st.UL = c
	}
}

// color reads what follows 38, 48 or 58 at i: 5;n, 2;r;g;b and their colon
// forms, of which 2 may carry a colour space before the red. end is where the
// colon group ends; next is the first parameter that is not of the colour.
func (s *Screen) color(i, end int) (c task.Color, next int, ok bool) {
	if end > i+1 {
		return colorOf(s.params[i+1 : end]), end, end > i+2
	}
	rest := s.params[i+1 : s.nparams]
	switch {
	case len(rest) >= 2 && rest[0] == 5:
		return colorOf(rest[:2]), i + 3, rest[1] < 256
	case len(rest) >= 4 && rest[0] == 2:
		return colorOf(rest[:4]), i + 5, true
	}
	return 0, s.nparams, false
}

// colorOf makes a colour of 5 n, 2 r g b or 2 space r g b.
func colorOf(p []int) task.Color {
	switch {
	case p[0] == 5 && len(p) >= 2:
		return task.Indexed(uint8(min(p[1], 255)))
	case p[0] == 2 && len(p) >= 5:
		p = p[1:]
		fallthrough
	case p[0] == 2 && len(p) == 4:
		return task.RGB(uint8(min(p[1], 255)), uint8(min(p[2], 255)), uint8(min(p[3], 255)))
	}
	return 0
}
