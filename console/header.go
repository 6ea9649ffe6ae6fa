package console

import (
	"strings"
	"time"

	"offstage/task"
)

// The widths of the component at which its header changes (spec 1 B1, B10).
const (
	narrowBelow = 60
	wideFrom    = 100
	shortBelow  = 12
	tinyBelow   = 6
)

func (m *Model) narrow() bool { return m.w < narrowBelow }

// headerLines are the lines above the hairline: one, two in a narrow component
// that is not short, two in a wide and high one (with the command).
func (m *Model) headerLines() []string {
	switch {
	case m.geo.header == 0:
		return nil
	case m.narrow():
		return m.narrowHeader()
	}
	lines := []string{m.bar(0, m.headLeft(), m.headRight())}
	if m.geo.header > 1 {
		lines = append(lines, m.commandLine(1))
	}
	return lines
}

// title is the name of the task; its command where it has none.
func (m *Model) title() string {
	for _, s := range []string{m.task.Title, m.task.Command, m.task.ID} {
		if s = word(s); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return "task"
}

func (m *Model) headLeft() []piece {
	return append([]piece{
		{text: m.title(), look: m.look.title, flex: true, gap: 2},
		{text: m.task.Kind.Label(), look: m.look.dim, rank: 7, gap: 3},
	}, m.statePieces(2)...)
}

// statePieces are the mark and the words of the state, the clock, the hint.
func (m *Model) statePieces(gap int) []piece {
	t := m.task
	tone := m.look.tone(task.StatusTone(t.Status))
	clock := task.Clock(task.Elapsed(t, m.now))
	ps := []piece{{text: m.set.glyph(t.Status) + " " + m.stateWords(), look: tone, gap: gap}}
	if task.Elapsed(t, m.now) >= time.Second {
		ps = append(ps, piece{text: clock, look: m.look.text, rank: 1, gap: 1})
	}
	if q := task.QuietChip(t, m.now, m.quiet); q.Text != "" {
		ps = append(ps, piece{text: m.set.say(word(q.Text)), look: m.look.tone(q.Tone), rank: 3, gap: 2})
	}
	return ps
}

// stateWords are task.StateWords in our marks (B10, G2).
func (m *Model) stateWords() string { return m.set.say(task.StateWords(m.task)) }

func (m *Model) headRight() []piece {
	var ps []piece
	if w := &m.win; w.loaded && !w.top && !w.lost {
		ps = append(ps, piece{text: m.set.up + " Load earlier", look: m.look.dim, hit: hitEarlier, rank: 9, gap: 2})
	}
	ps = append(ps, m.testPieces(2, 4)...)
	if s, ok := m.stopPiece(); ok {
		ps = append(ps, s)
	}
	return append(ps, piece{text: m.set.close, look: m.look.dim, hit: hitClose, rank: 5, gap: 2}, piece{gap: 1})
}

// testPieces are the chip and the way to the first failure (B11).
func (m *Model) testPieces(gap, rank int) []piece {
	c := task.TestChip(m.tests())
	if c.Text == "" {
		c = task.ProgressChip(m.task.Progress)
		if c.Text == "" || m.task.Status.Ended() {
			return nil
		}
		return []piece{{text: m.set.say(c.Text), look: m.look.tone(c.Tone), rank: 3, gap: gap}}
	}
	ps := []piece{{text: m.set.say(c.Text), look: m.look.tone(c.Tone), hit: hitFailure, rank: 2, gap: gap}}
	if len(m.fails.list) > 0 {
		ps = append(ps, piece{text: m.set.button + " first failure", look: m.look.link, hit: hitFailure, rank: rank, gap: gap})
	}
	return ps
}

// stopPiece is the Stop button: there while the task can be stopped, Stopping…
// while it is being stopped, back after 15 s without an end (A6).
func (m *Model) stopPiece() (piece, bool) {
	p := piece{hit: hitStop, gap: 2, look: m.look.accent, text: m.keyFor("console.stop") + " stop"}
	switch {
	case m.stopOf().Phase == StopRunning && m.stop.Progress.Elapsed < stopGivesUp:
		p.hit, p.look = hitNothing, m.look.amber
		p.text = "Stopping" + m.set.more
		// From then on the strip says it, with what is left.
		return p, m.stop.Progress.Elapsed < stopExplains
	case m.task.Status.Ended() || !m.task.Can.Stop:
		return p, false
	}
	return p, true
}

// narrowHeader is two lines: name, state and Stop; then chip and size. In a
// short component it is the first only.
func (m *Model) narrowHeader() []string {
	t := m.task
	clock := task.Clock(task.Elapsed(t, m.now))
	tone := m.look.tone(task.StatusTone(t.Status))
	left := []piece{
		{text: m.set.back, look: m.look.link, hit: hitClose},
		{text: m.title(), look: m.look.title, flex: true, gap: 1},
	}
	var right []piece
	if m.geo.header == 1 {
		right = append(right, m.testPieces(2, 1)...)
	}
	right = append(right, piece{text: m.set.glyph(t.Status) + " " + clock, look: tone, gap: 2})
	if s, ok := m.stopPiece(); ok {
		right = append(right, s)
	}
	lines := []string{m.bar(0, left, right)}
	if m.geo.header == 1 {
		return lines
	}
	second := m.testPieces(2, 3)
	if len(second) > 0 {
		second[0].gap = 2
	}
	var state []piece
	if q := task.QuietChip(t, m.now, m.quiet); q.Text != "" {
		state = append(state, piece{text: m.set.say(word(q.Text)), look: m.look.tone(q.Tone), rank: 2, gap: 2})
	} else {
		state = append(state, piece{text: m.stateWords(), look: tone, rank: 2, gap: 2})
	}
	if len(second) == 0 {
		return append(lines, m.bar(1, append([]piece{{text: t.Kind.Label(), look: m.look.dim, gap: 2}}, state...), m.sizePieces(false)))
	}
	return append(lines, m.bar(1, second, state))
}

// commandLine is what runs, and where.
func (m *Model) commandLine(y int) string {
	left := []piece{{text: "$ " + word(m.task.Command), look: m.look.dim, flex: true, gap: 2}}
	var right []piece
	if m.task.Cwd != "" {
		right = append(right, piece{text: word(m.task.Cwd), look: m.look.dim, rank: 1, gap: 2})
	}
	if !m.task.Started.IsZero() {
		right = append(right, piece{text: "started " + m.task.Started.In(m.zone()).Format("15:04:05"), look: m.look.dim, rank: 2, gap: 2})
	}
	return m.bar(y, left, append(right, piece{gap: 1}))
}
