package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// Notices for a person (spec 2 N4): the window sees which tasks end and asks once
// for each; who is told, and how, is not its matter. What rings is written by the
// program's own output, between two frames.

// freshEnd is how long ago a task may have ended that was not seen running, to be
// news: a row may also be new because more rows are wanted.
const freshEnd = 5 * time.Second

// ends are the tasks of now that ended since before.
func ends(before, now []task.Task, loaded bool, at time.Time) []string {
	open := map[string]int{}
	known := map[string]bool{}
	for _, t := range before {
		known[t.ID] = true
		if !t.Status.Ended() {
			open[t.ID] = t.Run
		}
	}
	var out []string
	for _, t := range now {
		_, ran := open[t.ID]
		quick := loaded && !known[t.ID] && !t.Ended.IsZero() && at.Sub(t.Ended) < freshEnd
		if t.Status.Ended() && !t.Foreground && (ran || quick) {
			out = append(out, t.ID)
		}
	}
	return out
}

// tellEnds has a person told of ends.
func (fx *effects) tellEnds(ids []string) tea.Cmd {
	if fx.o.TellEnds == nil || len(ids) == 0 {
		return nil
	}
	return func() tea.Msg {
		raw, words := fx.o.TellEnds(ids)
		var out tea.BatchMsg
		if raw != "" {
			out = append(out, tea.Raw(raw))
		}
		if words != "" {
			out = append(out, func() tea.Msg { return doneMsg{words} })
		}
		return out
	}
}
