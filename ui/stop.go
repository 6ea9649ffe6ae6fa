package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/panel"
	"offstage/task"
)

// stop is one stop of one task, from the key to the proof. It keeps the plan,
// and with it the identities, that the person was asked with: what is carried
// out is that plan and nothing that was found later.
type stop struct {
	seq    int
	phase  panel.StopPhase
	plan   task.StopPlan
	run    int
	title  string
	asked  time.Time
	took   time.Duration
	left   []task.Process
	report task.StopReport
	err    string
	done   time.Time
	// early is what a person answered before the plan was there.
	early answer
	// all are the plans of a question about a whole session, cannot how many of its
	// tasks cannot be stopped.
	all    []task.StopPlan
	cannot int
}

// answer to a question that is still being prepared.
type answer int

const (
	noAnswer answer = iota
	yesAnswer
	killAnswer
)

// answerEarly keeps an answer that comes while the plan is being drawn (a look
// at the processes takes some 20 ms; `x y` is typed faster): it is carried out
// when the plan is there, shown, and not refused. Another key takes the question
// back and does what it always does.
func (m *Model) answerEarly(k string) bool {
	for id, s := range m.stops {
		if s.phase != panel.Planning {
			continue
		}
		switch {
		case bound(m.keys.stop, "stop.confirm", k):
			s.early = yesAnswer
		case bound(m.keys.stop, "stop.kill", k):
			s.early = killAnswer
		default:
			m.dropStop(id)
			return bound(m.keys.stop, "stop.keep", k)
		}
		return true
	}
	return false
}

// bound says whether k is one of the keys of id.
func bound(keys []Key, id, k string) bool {
	for _, key := range keys {
		if key.ID == id {
			return slices.Contains(key.Keys, k)
		}
	}
	return false
}

// proofFor is how long a proof stands on a row.
const proofFor = 20 * time.Second

// askStop starts a stop: the plan is drawn first. Only one question stands at a
// time.
func (m *Model) askStop(id string) tea.Cmd {
	t, ok := m.task(id)
	if !ok || t.Status.Ended() {
		m.say("This task has ended already.")
		return nil
	}
	if !t.Can.Stop {
		words := t.Can.WhyNot
		if words == "" {
			words = "This task cannot be stopped from here."
		}
		m.say(words)
		return nil
	}
	if s, ok := m.stops[id]; ok && m.view(s).Busy() {
		return nil
	}
	m.dropQuestion()
	m.seq++
	m.setStop(id, &stop{seq: m.seq, phase: panel.Planning, run: t.Run, title: t.Title})
	return m.fx.planStop(m.seq, id)
}

func (m *Model) gotPlan(msg planMsg) tea.Cmd {
	s, ok := m.stops[msg.id]
	if !ok || s.seq != msg.seq || s.phase != panel.Planning {
		return nil
	}
	s.phase, s.plan = panel.Asking, msg.plan
	if msg.err != nil {
		s.phase, s.err, s.done = panel.StopFailed, "The stop could not be prepared: "+msg.err.Error()+".", m.now
	}
	m.setStop(msg.id, s)
	if s.early != noAnswer && s.phase == panel.Asking {
		return m.confirm(s.early == killAnswer)
	}
	return nil
}

// confirm carries out the plan that was shown. A question whose task has ended
// or run again since was taken away before (checkStops).
func (m *Model) confirm(now bool) tea.Cmd {
	id, s := m.question()
	if s == nil || s.plan.Refused != "" {
		return nil
	}
	if len(s.all) > 0 {
		return m.confirmAll(id, s, now)
	}
	m.seq++
	s.seq, s.phase, s.asked, s.took = m.seq, panel.Stopping, m.now, 0
	m.setStop(id, s)
	return m.fx.stop(s.seq, s.plan, now)
}

// question is the stop that waits for an answer, nil if there is none.
func (m *Model) question() (string, *stop) {
	for id, s := range m.stops {
		if s.phase == panel.Asking {
			return id, s
		}
	}
	return "", nil
}

// dropQuestion takes back a question, or one that is being prepared.
func (m *Model) dropQuestion() {
	for id, s := range m.stops {
		if s.phase == panel.Asking || s.phase == panel.Planning {
			m.dropStop(id)
		}
	}
}

func (m *Model) gotProgress(id string, n progressNews) {
	s, ok := m.stops[id]
	if !ok || s.seq != n.seq || s.phase != panel.Stopping {
		return
	}
	s.left, s.took = n.p.Left, max(s.took, n.p.Elapsed)
	m.setStop(id, s)
}

func (m *Model) gotReport(msg reportMsg) {
	s, ok := m.stops[msg.id]
	if !ok || s.seq != msg.seq {
		return
	}
	s.phase, s.report, s.done = panel.Stopped, msg.report, m.now
	if msg.err != nil {
		s.phase, s.err = panel.StopFailed, "The stop failed: "+msg.err.Error()+"."
	}
	m.setStop(msg.id, s)
}

// checkStops takes away what no longer holds: a question about a task that
// ended, ran again or is gone, and a proof that stood long enough.
func (m *Model) checkStops() {
	for id, s := range m.stops {
		t, ok := m.task(id)
		switch s.phase {
		case panel.Planning, panel.Asking:
			if !ok || t.Status.Ended() || t.Run != s.run {
				m.dropStop(id)
			}
		case panel.Stopping:
			s.took = max(s.took, m.now.Sub(s.asked))
			m.setStop(id, s)
		case panel.Stopped, panel.StopFailed:
			if m.now.Sub(s.done) >= proofFor && len(s.report.Left) == 0 {
				m.dropStop(id)
			}
		}
	}
}

func (m *Model) setStop(id string, s *stop) {
	m.stops[id] = s
	m.panel.SetStop(id, m.view(s))
	m.showStop(id)
}

func (m *Model) dropStop(id string) {
	delete(m.stops, id)
	m.panel.SetStop(id, panel.Stop{})
	m.showStop(id)
}

func (m *Model) view(s *stop) panel.Stop {
	return panel.Stop{
		All: len(s.all) > 0, Phase: s.phase, Title: s.title, Plan: s.plan, Elapsed: s.took, Left: s.left, Report: s.report, Err: s.err,
	}
}

// showStop passes the stop of the open task on to its console.
func (m *Model) showStop(id string) {
	if m.console == nil || id != m.open {
		return
	}
	s, ok := m.stops[id]
	if !ok {
		m.console.SetStop(console.StopView{})
		return
	}
	v := console.StopView{Plan: s.plan, Report: s.report,
		Progress: task.StopProgress{Task: id, Elapsed: s.took, Left: s.left}}
	switch s.phase {
	case panel.Planning:
		v.Phase = console.StopFinding
	case panel.Asking:
		v.Phase = console.StopAsking
	case panel.Stopping:
		v.Phase = console.StopRunning
	case panel.Stopped:
		v.Phase = console.StopDone
	case panel.StopFailed:
		v.Phase, v.Report = console.StopDone, task.StopReport{Task: id, Note: s.err}
	}
	m.console.SetStop(v)
}
