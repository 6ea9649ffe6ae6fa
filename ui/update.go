package ui

import (
	tea "charm.land/bubbletea/v2"
)

// Update is one switch of one-line cases. After each message the sizes are set
// anew and the console is asked whether it needs rows.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	fresh := false
	if _, clock := msg.(tickMsg); clock {
		m.rest.second(m.o.Rest)
	} else {
		m.rest.moved(m.o.Rest)
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.setDark(msg.IsDark())
	case tea.EnvMsg:
		m.setTerminal(msg.Getenv("TERM"))
	case tea.ModeReportMsg:
		m.setMode(msg)
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.PasteMsg:
		cmd = m.paste(msg.Content)
	case clickMsg:
		cmd = m.click(msg.mouse, msg.at)
	case tea.MouseMotionMsg:
		cmd = m.drag(msg.Mouse())
	case tea.MouseReleaseMsg:
		cmd = m.release(msg.Mouse())
	case frameMsg:
		cmd = tea.Batch(m.news(msg), m.fx.nextFrame())
		fresh = m.fresh && msg.onlyFacts() && m.wants()
	case lookMsg:
		cmd = tea.Batch(m.setLook(msg.look), m.fx.nextLook())
	case tickMsg:
		cmd = m.tick(msg)
	case openedMsg:
		cmd = m.opened(msg)
	case handMsg:
		cmd = m.handOver(msg)
	case wholeMsg:
		m.gotWhole(msg)
	case planMsg:
		cmd = m.gotPlan(msg)
	case stopAllMsg:
		cmd = m.gotPlans(msg)
	case reportMsg:
		m.gotReport(msg)
	case restartedMsg:
		m.restarted(msg.id)
	case insideMsg:
		m.gotInside(msg)
	case doneMsg:
		m.say(msg.words)
	default:
		fresh = m.fresh // nothing of ours: the frame stands
	}
	if !fresh {
		m.settle()
	}
	m.fresh = fresh
	return m, tea.Batch(cmd, m.needTick(), m.needPage(), m.needInside())
}

// needTick starts the clock while something on the screen lives.
func (m *Model) needTick() tea.Cmd {
	if m.ticking || m.quitting || !m.live() {
		return nil
	}
	m.ticking = true
	return m.fx.tick()
}

// needPage asks the console which rows it needs and fetches them.
func (m *Model) needPage() tea.Cmd {
	if m.console == nil || m.out == nil || m.stuck {
		return nil
	}
	if !m.wants() {
		return nil
	}
	m.asked, m.wish = m.wish, nil
	return m.fx.page(m.ctx, m.gen, m.out, *m.asked)
}

// wants asks the console once for the rows it needs. Facts that only lead to a
// page draw no frame of their own: the page does.
func (m *Model) wants() bool {
	if m.wish == nil && m.console != nil && m.out != nil && !m.stuck {
		if req, ok := m.console.Want(); ok {
			m.wish = &req
		}
	}
	return m.wish != nil
}
