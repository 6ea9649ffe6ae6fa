package console

import "charm.land/lipgloss/v2"

// testTheme is a theme of the terminal's 16 colours as a root would hand it in.
func testTheme() Styles {
	n := lipgloss.NewStyle()
	c := func(s string) lipgloss.Style { return n.Foreground(lipgloss.Color(s)) }
	return Styles{
		Text: n, Title: n.Bold(true), Dim: n.Faint(true), Good: c("2"), Bad: c("1"),
		Amber: c("3"), Link: c("4"), Accent: c("6"), Selection: n.Reverse(true), Rule: n.Faint(true),
	}
}
