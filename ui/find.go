package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"offstage/console"
	"offstage/task"
)

// find begins a search of the open output in the place of the one before. It
// goes on with the output's growth until the search is left or the console closes.
func (m *Model) find(a console.Find) tea.Cmd {
	m.stopFind()
	if m.out == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.endFind = cancel
	return m.fx.search(ctx, m.gen, a.Seq, m.out, task.SearchRequest{Query: a.Query, From: a.From})
}

func (m *Model) stopFind() {
	if m.endFind != nil {
		m.endFind()
		m.endFind = nil
	}
}

// whole fetches a row that was cut.
func (m *Model) whole(at int64) tea.Cmd {
	if m.out == nil {
		return nil
	}
	return m.fx.whole(m.ctx, m.gen, m.out, at)
}

func (m *Model) gotWhole(msg wholeMsg) {
	switch {
	case msg.gen != m.gen || m.console == nil:
	case msg.err != nil:
		m.say("The whole line could not be read: " + msg.err.Error() + ".")
	default:
		m.console.SetWhole(msg.line)
	}
}
