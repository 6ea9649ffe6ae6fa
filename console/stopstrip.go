package console

import (
	"strconv"
	"time"

	"offstage/task"
)

// The question before a stop, its progress and its proof (A6, K3, K4).

const (
	stopExplains = 5 * time.Second
	stopGivesUp  = 15 * time.Second
)

// stopOf gives the stop that is to be shown: never one of another task.
func (m *Model) stopOf() StopView {
	s, id := m.stop, m.task.ID
	of := map[StopPhase]string{StopAsking: s.Plan.Task, StopRunning: s.Progress.Task, StopDone: s.Report.Task}[s.Phase]
	if of != "" && of != id {
		return StopView{}
	}
	return s
}

func (m *Model) stopStrips() []strip {
	s := m.stopOf()
	switch s.Phase {
	case StopFinding:
		return []strip{{text: "Looking for what it runs" + m.set.more, look: m.look.dim, keys: m.stopKeys(s)}}
	case StopAsking:
		return m.askStrips(s.Plan)
	case StopRunning:
		return m.runningStrips(s.Progress)
	case StopDone:
		return m.doneStrips(s.Report)
	}
	return nil
}

// askStrips show what would be ended before it is done.
func (m *Model) askStrips(p task.StopPlan) []strip {
	keys := m.stopKeys(m.stop)
	if p.Refused != "" {
		out := m.sentence(p.Refused, m.look.amber, m.set.warn)
		return m.withKeys(out, keys)
	}
	q := "Stop " + m.title()
	if n := len(p.Processes) - 1; n == 1 {
		q += " and 1 child"
	} else if n > 1 {
		q += " and " + strconv.Itoa(n) + " children"
	}
	if len(p.Ports) > 0 {
		q += ", " + ports(p.Ports)
	}
	out := m.sentence(q+"?", m.look.title, m.set.stopped)
	out[0].dotLook = m.look.bad
	out = m.withKeys(out, keys)
	out = append(out, m.atMost(2, m.sentence(m.tree(p.Processes), m.look.dim, ""))...)
	if len(p.Spared) > 0 {
		out = append(out, m.atMost(2, m.sentence("stays: "+m.spared(p.Spared), m.look.dim, ""))...)
	}
	if p.Note != "" {
		out = append(out, m.sentence(p.Note, m.look.amber, "")...)
	}
	return out
}

func (m *Model) runningStrips(p task.StopProgress) []strip {
	if p.Elapsed < stopExplains {
		return nil
	}
	text := "Stopping" + m.set.more + " " + seconds(p.Elapsed)
	if p.Elapsed >= stopGivesUp {
		text = "No proof of an end after " + seconds(p.Elapsed)
	}
	if len(p.Left) > 0 {
		text += m.set.dot + names(p.Left)
	}
	return m.withKeys(m.atMost(3, m.sentence(text, m.look.amber, m.set.stopped)), m.stopKeys(m.stop))
}

// doneStrips are the proof: what ended, which ports are free, what lives on.
func (m *Model) doneStrips(r task.StopReport) []strip {
	if len(r.Left) > 0 {
		out := m.sentence("Still alive: "+names(r.Left)+m.heldPorts(r.PortsHeld), m.look.bad, m.set.warn)
		return m.withNote(m.withKeys(m.atMost(3, out), m.stopKeys(m.stop)), r.Note)
	}
	text := "stopped"
	switch n := len(r.Ended); {
	case n == 1:
		text += m.set.dot + "1 process ended"
	case n > 1:
		text += m.set.dot + strconv.Itoa(n) + " processes ended"
	}
	if len(r.PortsFreed) > 0 {
		text += m.set.dot + ports(r.PortsFreed) + " free"
	}
	out := m.sentence(text+m.heldPorts(r.PortsHeld), m.look.text, m.set.stopped)
	out[0].dotLook = m.look.good
	return m.withNote(m.withKeys(out, m.stopKeys(m.stop)), r.Note)
}
