package ui

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

// Stopping all of a session (K6) is one question for several plans: it stands on
// one of the rows, and once answered each task has its own stop and its own proof.

// stopAllMsg are the plans for the tasks of a session; what could not be planned
// or is refused is left out and counted.
type stopAllMsg struct {
	seq   int
	id    string
	plans []task.StopPlan
	not   int
}

// planAll draws the plans one after another: each is a look at the processes.
func (fx *effects) planAll(seq int, id string, ids []string) tea.Cmd {
	return func() tea.Msg {
		out := stopAllMsg{seq: seq, id: id}
		for _, one := range ids {
			p, err := fx.o.Engine.PlanStop(fx.ctx, one)
			if err != nil || p.Refused != "" {
				out.not++
				continue
			}
			out.plans = append(out.plans, p)
		}
		return out
	}
}

// stoppable are the running tasks of a session that can be stopped from here, and
// how many cannot.
func (m *Model) stoppable(session string) (ids []string, not int) {
	for _, t := range m.snap.Tasks {
		switch s, busy := m.stops[t.ID]; {
		case t.Session != session || t.Status.Ended() || busy && m.view(s).Busy():
		case t.Can.Stop:
			ids = append(ids, t.ID)
		default:
			not++
		}
	}
	return ids, not
}

// askStopAll starts the stop of all tasks of the selected row's session.
func (m *Model) askStopAll(session string) tea.Cmd {
	ids, not := m.stoppable(session)
	switch {
	case len(ids) == 0 && not == 0:
		m.say("Nothing of this session runs.")
		return nil
	case len(ids) == 0:
		m.say("No task of this session can be stopped from here.")
		return nil
	case len(ids) == 1 && not == 0:
		m.panel.Select(ids[0])
		return m.askStop(ids[0])
	}
	at := ids[0]
	if t, ok := m.panel.Selected(); ok && slices.Contains(ids, t.ID) {
		at = t.ID
	}
	m.panel.Select(at)
	t, _ := m.task(at)
	m.dropQuestion()
	m.seq++
	m.setStop(at, &stop{seq: m.seq, phase: panel.Planning, run: t.Run, title: allOf(len(ids)), cannot: not})
	return m.fx.planAll(m.seq, at, ids)
}

func allOf(n int) string {
	if n == 1 {
		return "the 1 task of this session that can be stopped"
	}
	return "all " + strconv.Itoa(n) + " tasks of this session"
}

// gotPlans asks with all of the plans in one.
func (m *Model) gotPlans(msg stopAllMsg) tea.Cmd {
	s, ok := m.stops[msg.id]
	if !ok || s.seq != msg.seq || s.phase != panel.Planning {
		return nil
	}
	s.phase, s.all, s.title = panel.Asking, msg.plans, allOf(len(msg.plans))
	s.plan = task.StopPlan{Task: msg.id, Run: s.run}
	seen := map[int]bool{}
	for _, p := range msg.plans {
		for _, pr := range p.Processes {
			if !seen[pr.PID] {
				seen[pr.PID] = true
				s.plan.Processes = append(s.plan.Processes, pr)
			}
		}
		s.plan.Ports = append(s.plan.Ports, p.Ports...)
	}
	slices.Sort(s.plan.Ports)
	s.plan.Ports = slices.Compact(s.plan.Ports)
	switch not := s.cannot + msg.not; {
	case len(msg.plans) == 0:
		s.phase, s.err, s.done = panel.StopFailed, "None of the tasks of this session can be stopped now.", m.now
	case not == 1:
		s.plan.Note = "1 more cannot be stopped from here and runs on"
	case not > 1:
		s.plan.Note = strconv.Itoa(not) + " more cannot be stopped from here and run on"
	}
	m.setStop(msg.id, s)
	if s.early != noAnswer && s.phase == panel.Asking {
		return m.confirm(s.early == killAnswer)
	}
	return nil
}

// confirmAll carries out the plans that were shown, each as a stop of its own.
func (m *Model) confirmAll(at string, s *stop, now bool) tea.Cmd {
	m.dropStop(at)
	var cmds []tea.Cmd
	for _, p := range s.all {
		t, ok := m.task(p.Task)
		if !ok || t.Run != p.Run { // it ran again since: nobody was asked about that
			continue
		}
		m.seq++
		m.setStop(p.Task, &stop{seq: m.seq, phase: panel.Stopping, plan: p, run: p.Run, title: t.Title, asked: m.now})
		cmds = append(cmds, m.fx.stop(m.seq, p, now))
	}
	return tea.Batch(cmds...)
}
