package ui

import (
	"strings"

	"charm.land/lipgloss/v2"

	"offstage/console"
	"offstage/panel"
)

// This file is the only one in which a colour is named. Thirteen tokens give
// every look of the window. The colours are the terminal's own sixteen, so that
// a person's palette wins; text is the terminal's own foreground, and what
// stands back is faint instead of grey, which no palette makes unreadable.

// tokens are the theme: each is what a colour means, not where it is used.
type tokens struct {
	text, strong, dim, rule lipgloss.Style
	good, alive, bad, amber lipgloss.Style
	link, accent, title     lipgloss.Style
	selection, key          lipgloss.Style
}

func colours(dark bool) tokens {
	n := lipgloss.NewStyle()
	c := func(onDark, onLight string) lipgloss.Style {
		if dark {
			return n.Foreground(lipgloss.Color(onDark))
		}
		return n.Foreground(lipgloss.Color(onLight))
	}
	return tokens{
		text: n, strong: n.Bold(true), dim: n.Faint(true), rule: n.Faint(true),
		good: c("2", "2"), alive: c("10", "2").Bold(true), bad: c("9", "1"), amber: c("3", "3"),
		link: c("6", "4"), accent: c("14", "4"), title: n.Bold(true),
		selection: n.Reverse(true), key: c("6", "4"),
	}
}

// ColourNames are the tokens whose colour a theme of one's own may set.
var ColourNames = []string{"text", "dim", "rule", "good", "alive", "bad", "amber", "link", "accent", "key"}

// replace gives tokens colours of a person's own. What was faint in place of a
// colour is not faint with one.
func (t *tokens) replace(own map[string]string) {
	at := map[string]*lipgloss.Style{
		"text": &t.text, "dim": &t.dim, "rule": &t.rule, "good": &t.good, "alive": &t.alive, "bad": &t.bad,
		"amber": &t.amber, "link": &t.link, "accent": &t.accent, "key": &t.key,
	}
	for name, colour := range own {
		if s := at[name]; s != nil {
			*s = s.Faint(false).Foreground(lipgloss.Color(colour))
		}
	}
}

// monochrome is the theme under NO_COLOR: attributes and words say it all.
func monochrome() tokens {
	n := lipgloss.NewStyle()
	b := n.Bold(true)
	return tokens{
		text: n, strong: b, dim: n.Faint(true), rule: n.Faint(true),
		good: n, alive: b, bad: b, amber: b,
		link: n.Underline(true), accent: b, title: b,
		selection: n.Reverse(true), key: b,
	}
}

// theme is what the tokens build: paints for the panel and our own pages,
// styles for the console.
type theme struct {
	panel   panel.Styles
	console console.Styles
	key     panel.Paint
}

func buildTheme(dark, noColor bool, own map[string]string) theme {
	t := colours(dark)
	t.replace(own)
	if noColor {
		t = monochrome()
	}
	return theme{
		panel: panel.Styles{
			Text: paint(t.text), Dim: paint(t.dim), Strong: paint(t.strong), Rule: paint(t.rule),
			Good: paint(t.good), Alive: paint(t.alive), Bad: paint(t.bad), Amber: paint(t.amber),
			Link: paint(t.link), Accent: paint(t.accent),
		},
		console: console.Styles{
			Text: t.text, Title: t.title, Dim: t.dim, Good: t.good, Bad: t.bad, Amber: t.amber,
			Link: t.link, Accent: t.accent, Selection: t.selection, Rule: t.rule,
		},
		key: paint(t.key),
	}
}

// paint is the SGR that a style writes before its text.
func paint(s lipgloss.Style) panel.Paint {
	const mark = "x"
	head, _, _ := strings.Cut(s.Render(mark), mark)
	return panel.Paint(head)
}
