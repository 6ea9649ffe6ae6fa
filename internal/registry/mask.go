package registry

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"offstage/internal/output"
	"offstage/task"
)

// maxCommand is how much of a command line is shown (spec 2 L2).
const maxCommand = 2000

// masker hides what is secret in everything that a snapshot says (C9). Texts
// repeat from scan to scan, so it remembers what it has masked, within bounds.
type masker struct {
	known map[string]string
	bytes int
	rev   uint64 // of the person's patterns, under which they were masked
	trees map[string]maskedTree
}

// noTask stands for what belongs to no task.
var noTask *output.Secrets

// maxKnown and maxKnownBytes bound the memory of a masker.
const (
	maxKnown      = 8192
	maxKnownBytes = 16 << 20
)

// maxTitle is how much of a title or an activity is shown; agents write whole
// essays into them.
const maxTitle = 500

func (m *masker) text(s string) string {
	if s == "" {
		return s
	}
	if rev := noTask.Rev(); rev != m.rev {
		m.known, m.bytes, m.rev = nil, 0, rev
	}
	if out, ok := m.known[s]; ok {
		return out
	}
	// First clean, then mask: a control character inside a secret would keep it
	// from being known, and go afterwards (C8).
	out := output.Mask(clean(s))
	if m.known == nil || len(m.known) >= maxKnown || m.bytes >= maxKnownBytes {
		m.known, m.bytes = map[string]string{}, 0
	}
	m.known[s] = out
	m.bytes += len(s) + len(out)
	return out
}

// clean makes a text safe to show anywhere: no control sequences, no control
// characters, no bidi controls, no other invisible characters but the joiner of
// emoji; a line break stays.
func clean(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unsafeRune(r) {
			return -1
		}
		return r
	}, ansi.Strip(s))
}

// unsafeRune: a terminal would act on it, or a person would not see it.
func unsafeRune(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\u200d':
		return false
	case r < 0x7f:
		return r < 0x20
	}
	return r < 0xa0 || r == utf8.RuneError || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cf, r)
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

// line is a text on one row, masked as it stands in its lines and again as it
// is shown: a name and its value may meet only there.
func (m *masker) line(s string) string {
	one := oneLine(m.text(s))
	if !strings.ContainsAny(s, "\n\t") {
		return one
	}
	return m.text(one)
}

// task masks all that is said of a task. Each text may tell of a value that
// another shows alone, so all are learned from before the first is masked.
func (m *masker) task(t task.Task, sec *output.Secrets) task.Task {
	for _, s := range texts(&t) {
		sec.Learn(clean(*s))
	}
	text := func(s string) string { return sec.Recall(m.text(s)) }
	line := func(s string) string { return sec.Recall(m.line(s)) }
	t.Title = cut(line(t.Title), maxTitle)
	t.Command = cut(text(t.Command), maxCommand)
	t.Activity = cut(line(t.Activity), maxTitle)
	t.Summary, t.Result, t.Continuation = text(t.Summary), text(t.Result), text(t.Continuation)
	t.WaitingLine, t.Trouble, t.Warning = text(t.WaitingLine), text(t.Trouble), text(t.Warning)
	t.Cwd, t.Signal, t.Waiting = text(t.Cwd), line(t.Signal), line(t.Waiting)
	t.Output.Recorded = text(first(t.Output.Recorded, t.Output.Path))
	t.Can.WhyNot = text(t.Can.WhyNot)
	t.Workflow = m.workflow(t.ID, t.Workflow, sec)
	if len(t.URLs) > 0 {
		urls := make([]string, len(t.URLs))
		for i, u := range t.URLs {
			urls[i] = text(u)
		}
		t.URLs = urls
	}
	if p := t.Progress; p != nil && p.State != "" {
		t.Progress = &task.Progress{Percent: p.Percent, State: m.line(p.State)}
	}
	return t
}

// texts are the texts of a task that may tell of a value.
func texts(t *task.Task) []*string {
	return []*string{&t.Title, &t.Command, &t.Activity, &t.Summary, &t.Result, &t.Continuation, &t.WaitingLine, &t.Trouble, &t.Warning}
}

func (m *masker) session(s task.Session) task.Session {
	s.Title, s.Cwd, s.Branch = cut(m.line(s.Title), maxTitle), m.text(s.Cwd), m.text(s.Branch)
	s.WaitingFor, s.Trouble, s.Version = m.text(s.WaitingFor), m.text(s.Trouble), m.line(s.Version)
	entries := make([]task.Entry, len(s.Plan.Entries))
	for i, e := range s.Plan.Entries {
		e.Subject, e.Description, e.ActiveForm = m.line(e.Subject), m.text(e.Description), m.line(e.ActiveForm)
		e.Owner, e.ID = m.text(e.Owner), m.line(e.ID)
		e.Blocks, e.BlockedBy = m.lines(e.Blocks), m.lines(e.BlockedBy)
		entries[i] = e
	}
	s.Plan.Entries = entries
	cards := make([]task.Card, len(s.Cards))
	for i, c := range s.Cards {
		c.Title, c.Text = m.line(c.Title), m.text(c.Text)
		cards[i] = c
	}
	s.Cards = cards
	return s
}

// lines masks a list of ids or names.
func (m *masker) lines(list []string) []string {
	if len(list) == 0 {
		return list
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = m.line(s)
	}
	return out
}

// places masks the paths that were looked at.
func (m *masker) places(list []task.Place) []task.Place {
	out := make([]task.Place, len(list))
	for i, p := range list {
		p.Path = m.line(p.Path)
		out[i] = p
	}
	return out
}
