package registry

import (
	"strings"
	"unicode/utf8"

	"offstage/redact"
	"offstage/task"
)

// maxCommand is how much of a command line is shown (spec 2 L2).
const maxCommand = 2000

// masker hides what is secret in everything that a snapshot says (C9). Texts
// repeat from scan to scan, so it remembers what it has masked, within bounds.
type masker struct {
	known map[string]string
}

// maxKnown bounds the memory of a masker.
const maxKnown = 8192

func (m *masker) text(s string) string {
	if s == "" {
		return s
	}
	if out, ok := m.known[s]; ok {
		return out
	}
	out := clean(redact.String(s))
	if m.known == nil || len(m.known) >= maxKnown {
		m.known = map[string]string{}
	}
	m.known[s] = out
	return out
}

// clean makes a text safe to show anywhere: no control characters, no bidi
// controls; a line break stays.
func clean(s string) string {
	bad := func(r rune) bool {
		return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c || r == utf8.RuneError
	}
	if strings.IndexFunc(s, bad) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return -1
		}
		return r
	}, s)
}

// cut is s with at most n characters, and "…" where it lost some.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := 0
	for i := range s {
		if at == n {
			return s[:i] + "…"
		}
		at++
	}
	return s
}

// oneLine is a text on one row.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (m *masker) task(t task.Task) task.Task {
	t.Title = oneLine(m.text(t.Title))
	t.Command = cut(m.text(t.Command), maxCommand)
	t.Activity = oneLine(m.text(t.Activity))
	t.Summary, t.Result = m.text(t.Summary), m.text(t.Result)
	t.WaitingLine, t.Trouble, t.Warning = m.text(t.WaitingLine), m.text(t.Trouble), m.text(t.Warning)
	t.Cwd = m.text(t.Cwd)
	t.Output.Recorded = m.text(t.Output.Recorded)
	t.Can.WhyNot = m.text(t.Can.WhyNot)
	if len(t.URLs) > 0 {
		urls := make([]string, len(t.URLs))
		for i, u := range t.URLs {
			urls[i] = m.text(u)
		}
		t.URLs = urls
	}
	return t
}

func (m *masker) session(s task.Session) task.Session {
	s.Title, s.Cwd, s.Branch = oneLine(m.text(s.Title)), m.text(s.Cwd), m.text(s.Branch)
	s.WaitingFor, s.Trouble = m.text(s.WaitingFor), m.text(s.Trouble)
	entries := make([]task.Entry, len(s.Plan.Entries))
	for i, e := range s.Plan.Entries {
		e.Subject, e.Description, e.ActiveForm = oneLine(m.text(e.Subject)), m.text(e.Description), oneLine(m.text(e.ActiveForm))
		e.Owner = m.text(e.Owner)
		entries[i] = e
	}
	s.Plan.Entries = entries
	cards := make([]task.Card, len(s.Cards))
	for i, c := range s.Cards {
		c.Title, c.Text = oneLine(m.text(c.Title)), m.text(c.Text)
		cards[i] = c
	}
	s.Cards = cards
	return s
}
