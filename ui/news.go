package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// news takes in all that happened since the last frame.
func (m *Model) news(f frameMsg) tea.Cmd {
	m.now = f.now
	var cmd tea.Cmd
	if f.trouble != nil {
		m.trouble = *f.trouble
	}
	if f.snap != nil {
		cmd = m.gotSnapshot(*f.snap)
	}
	for id, p := range f.progress {
		m.gotProgress(id, p)
	}
	if f.facts != nil && f.facts.gen == m.gen && m.console != nil {
		m.stuck = false
		m.console.SetFacts(f.facts.facts)
	}
	for _, p := range f.pages {
		if p.gen == m.gen && m.console != nil {
			m.gotPage(p)
		}
	}
	for _, n := range f.found {
		m.gotFound(n)
	}
	if f.wheel != nil {
		m.turn(*f.wheel)
	}
	if f.snap != nil || m.now.Unix() != m.second {
		m.showTime()
	}
	return cmd
}

func (m *Model) gotPage(p pageNews) {
	m.asked = nil
	if p.err != nil {
		m.stuck = true
		m.console.Failed()
		m.say("The output could not be read: " + p.err.Error() + ".")
		return
	}
	m.console.SetPage(p.page)
	if m.atFailure == p.gen { // opened by its test chip: on to the first failure
		m.atFailure = 0
		m.console.Key("!")
	}
}

func (m *Model) gotFound(n foundNews) {
	switch {
	case n.gen != m.gen || m.console == nil:
	case n.err != nil:
		m.stopFind()
		m.console.FindFailed(n.seq, "The search ended: "+n.err.Error())
	default:
		m.console.SetFound(n.seq, n.found)
	}
}

func (m *Model) gotSnapshot(s task.Snapshot) tea.Cmd {
	for _, t := range s.Troubles {
		if !slices.Contains(m.snap.Troubles, t) {
			m.say(t.Text)
		}
	}
	seen := tea.Batch(m.seenEnd(s), m.fx.tellEnds(ends(m.snap.Tasks, s.Tasks, m.loaded, m.now)))
	m.snap = s
	m.loaded = true
	m.panel.SetSnapshot(s, m.now)
	m.panel.SetScope(m.scopeWords())
	m.checkStops()
	if m.open != "" {
		if _, ok := m.task(m.open); !ok {
			return tea.Batch(seen, m.closeConsole())
		}
	}
	if _, ok := m.task(m.openFirst); ok {
		return tea.Batch(seen, m.openTask(m.openFirst))
	}
	return seen
}

// seenEnd: a task that ends while its console is open has been looked at (A5).
func (m *Model) seenEnd(s task.Snapshot) tea.Cmd {
	was, ok := m.task(m.open)
	if m.open == "" || !ok || was.Status.Ended() {
		return nil
	}
	for _, t := range s.Tasks {
		if t.ID == m.open && t.Status.Ended() {
			return m.fx.seen(t.ID)
		}
	}
	return nil
}

// scopeWords say whose tasks are listed, and how many are not.
func (m *Model) scopeWords() string {
	switch {
	case m.everywhere && m.ended:
		return "every project · all ended"
	case m.everywhere:
		return "every project"
	case m.ended:
		return "all ended"
	case m.snap.Elsewhere > 0:
		return strconv.Itoa(m.snap.Elsewhere) + " in other projects · A"
	}
	return ""
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	now := msg.now
	m.ticking = false
	m.now = now
	m.stuck = false
	if m.toast != "" && !now.Before(m.toastUntil) {
		m.toast = ""
	}
	m.checkStops()
	m.showTime()
	if now.Sub(m.placeAt) < placeEvery {
		return nil
	}
	m.placeAt = now
	return m.notePlace()
}

// showTime passes the time on to what shows an age.
func (m *Model) showTime() {
	m.second = m.now.Unix()
	m.panel.SetNow(m.now)
	if m.console == nil {
		return
	}
	if t, ok := m.task(m.open); ok {
		m.console.SetTask(t, m.now, m.o.QuietAfter)
	}
}
