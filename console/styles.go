package console

import (
	"strings"

	"charm.land/lipgloss/v2"

	"offstage/task"
)

// Styles are the looks that the root's theme hands in. Only colours and
// attributes of a style are used, no padding, border or width. The zero value
// is plain text.
type Styles struct {
	// Text is the console's own text, Title the task's name, Dim what stands back.
	Text, Title, Dim lipgloss.Style
	// Good, Bad, Amber, Link and Accent are the tones of task.Tone.
	Good, Bad, Amber, Link, Accent lipgloss.Style
	// Selection is selected text, Rule the hairlines and the scrollbar's track.
	Selection, Rule lipgloss.Style
}

// looks are styles as SGR openings, so that painting a row is joining strings.
type looks struct {
	text, title, dim, good, bad, amber, link, accent, selection, rule string
}

func newLooks(s Styles, noColor bool) looks {
	if noColor {
		s = plainStyles()
	}
	return looks{
		text: opening(s.Text), title: opening(s.Title), dim: opening(s.Dim),
		good: opening(s.Good), bad: opening(s.Bad), amber: opening(s.Amber),
		link: opening(s.Link), accent: opening(s.Accent),
		selection: opening(s.Selection), rule: opening(s.Rule),
	}
}

// plainStyles are the looks without a colour: NO_COLOR leaves attributes.
func plainStyles() Styles {
	n := lipgloss.NewStyle()
	return Styles{
		Text: n, Title: n.Bold(true), Dim: n.Faint(true),
		Good: n, Bad: n.Bold(true), Amber: n.Bold(true), Link: n.Underline(true),
		Accent: n, Selection: n.Reverse(true), Rule: n.Faint(true),
	}
}

// opening is the SGR that a style writes before its text.
func opening(s lipgloss.Style) string {
	const mark = "x"
	out := s.UnsetPadding().UnsetMargins().UnsetWidth().UnsetHeight().UnsetBorderStyle().Inline(true).Render(mark)
	head, _, _ := strings.Cut(out, mark)
	return head
}

// tone gives the look of a tone; Plain has none.
func (l looks) tone(t task.Tone) string {
	switch t {
	case task.Good:
		return l.good
	case task.Bad:
		return l.bad
	case task.Amber:
		return l.amber
	case task.Quiet:
		return l.dim
	case task.Link:
		return l.link
	case task.Accent:
		return l.accent
	}
	return l.text
}
