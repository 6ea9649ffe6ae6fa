package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/panel"
)

// openTask opens the console of a task, in the place of another one.
func (m *Model) openTask(id string) tea.Cmd {
	t, ok := m.task(id)
	if !ok {
		m.say("This task is no longer listed.")
		return nil
	}
	if id == m.open {
		m.focus = onUpper
		return nil
	}
	if m.panel.Unfold(id) { // what a workflow has to show is its tree (B1)
		m.openFirst = ""
		m.collapsed, m.over, m.focus = false, noOverlay, onList
		return m.closeConsole()
	}
	closing := m.shut()
	m.openFirst = ""
	m.over, m.focus = noOverlay, onUpper
	m.open = id
	m.panel.SetOpen(id)
	m.panel.Select(id)
	if m.console == nil {
		m.console = console.New(m.consoleOptions())
	}
	m.console.SetLinks(m.links)
	m.console.SetWidths(m.widths)
	m.console.SetTask(t, m.now, m.o.QuietAfter)
	m.showStop(id)
	if k, ok := m.places[id]; ok {
		m.console.SetPlace(k.place)
	}
	m.ctx, m.cancel = context.WithCancel(m.fx.ctx)
	return tea.Batch(closing, m.fx.openOutput(m.ctx, m.gen, t))
}

// shut lets go of the open output; what is late of it is dropped by its number.
func (m *Model) shut() tea.Cmd {
	keep := m.notePlace()
	m.gen++
	m.stopFind()
	m.stuck, m.wish, m.asked = false, nil, nil
	if m.cancel != nil {
		m.cancel()
		m.cancel = nil
	}
	out := m.out
	m.out = nil
	return tea.Batch(keep, m.fx.closeOutput(out))
}

func (m *Model) closeConsole() tea.Cmd {
	if m.open == "" {
		return nil
	}
	cmd := m.shut()
	m.open, m.console, m.focus = "", nil, onList
	m.panel.SetOpen("")
	if m.over == overDetails {
		m.over = noOverlay
	}
	return cmd
}

func (m *Model) opened(msg openedMsg) tea.Cmd {
	switch {
	case msg.gen != m.gen || m.console == nil:
		return m.fx.closeOutput(msg.out)
	case msg.err != nil:
		m.say("The output could not be opened: " + msg.err.Error() + ".")
		return nil
	case msg.out == nil:
		return nil
	}
	m.out = msg.out
	m.gotPlace(msg.place)
	m.console.SetFacts(msg.out.Facts())
	return m.fx.follow(m.ctx, m.gen, msg.out)
}

// neighbour opens the task n rows on in the list, console open.
func (m *Model) neighbour(n int) tea.Cmd {
	ids := m.panel.Steps()
	for i, id := range ids {
		if id == m.open {
			if j := i + n; j >= 0 && j < len(ids) {
				return m.openTask(ids[j])
			}
			m.say("There is no further task in the list.")
			return nil
		}
	}
	return nil
}

// do carries out an action of the panel.
func (m *Model) do(a panel.Action) tea.Cmd {
	switch a := a.(type) {
	case panel.Open:
		return m.openTask(a.ID)
	case panel.OpenFailure:
		cmd := m.openTask(a.ID)
		m.atFailure = m.gen
		return cmd
	case panel.AskStopAll:
		return m.askStopAll(a.Session)
	case panel.AskStop:
		return m.askStop(a.ID)
	case panel.ConfirmStop:
		return m.confirm(false)
	case panel.KeepOn:
		m.dropStop(a.ID)
	case panel.Keep:
		return m.fx.spare(a.ID, a.On)
	case panel.Hide:
		return m.hide(a.ID)
	case panel.Toggle:
		m.collapsed = !m.collapsed
	case panel.Moved:
		m.dropQuestion()
		m.session, m.scroll, m.card = "", 0, 0
	case panel.Copy:
		return m.fx.copy(a.Text, "Copied "+a.What)
	case panel.OpenURL:
		return m.openURL(a.Task, a.URL)
	case panel.Agent:
		return m.goToAgent()
	case panel.Restart:
		return m.restart(a.ID)
	case panel.Answer:
		if t, ok := m.task(a.ID); ok {
			return m.answerTask(t)
		}
	case panel.Say:
		m.say(a.Text)
	}
	return nil
}

// doConsole carries out an action of the console.
func (m *Model) doConsole(a console.Action) tea.Cmd {
	switch a := a.(type) {
	case console.Close:
		return m.closeConsole()
	case console.Stop:
		return m.askStop(m.open)
	case console.ConfirmStop:
		return m.confirm(false)
	case console.StopNow:
		return m.confirm(true)
	case console.CancelStop:
		m.dropStop(m.open)
	case console.Copy:
		return m.fx.copy(a.Text, copied(a))
	case console.NextTask:
		return m.neighbour(1)
	case console.PrevTask:
		return m.neighbour(-1)
	case console.OpenURL:
		return m.openURL(m.open, a.URL)
	case console.OpenPager:
		return m.openCopy(false)
	case console.OpenCopy:
		return m.openCopy(true)
	case console.OpenEditor:
		return m.openFile(a.Path, a.Line)
	case console.Save:
		return m.save(a)
	case console.Find:
		return m.find(a)
	case console.Whole:
		return m.whole(a.Offset)
	case console.EndFind:
		m.stopFind()
	case console.Toast:
		m.say(a.Text)
	case console.Answer:
		return m.answer(a.Text)
	case console.Restart:
		return m.restart(m.open)
	case console.Guard:
		return m.guard(a.What)
	case console.Details:
		m.toggleOver(overDetails)
	}
	return nil
}

func copied(a console.Copy) string {
	words := "Copied " + count(a.Rows, "line", "lines")
	if a.Redacted > 0 {
		words += " · " + count(a.Redacted, "secret", "secrets") + " redacted"
	}
	return words
}

// hide takes a row out of the list; u brings the last one back.
func (m *Model) hide(ids ...string) tea.Cmd {
	var hidden []string
	for _, id := range ids {
		if t, ok := m.task(id); ok && t.Status.Ended() {
			m.panel.SetHidden(id, true)
			hidden = append(hidden, id)
		}
	}
	if len(hidden) == 0 {
		return nil
	}
	m.undo = append(m.undo, hidden...)
	m.undo = m.undo[max(0, len(m.undo)-100):]
	m.say("Hid " + count(len(hidden), "row", "rows") + " · u brings it back")
	return m.fx.hide(hidden, true)
}

func (m *Model) unhide() tea.Cmd {
	if len(m.undo) == 0 {
		m.say("No row was hidden.")
		return nil
	}
	id := m.undo[len(m.undo)-1]
	m.undo = m.undo[:len(m.undo)-1]
	m.panel.SetHidden(id, false)
	m.panel.Select(id)
	return m.fx.hide([]string{id}, false)
}
