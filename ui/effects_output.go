package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// The commands of the output that is open: pages, facts, one whole row, a search.

// openOutput asks the engine for a task's output and tells it that a person
// looks at the task.
func (fx *effects) openOutput(ctx context.Context, gen int, t task.Task) tea.Cmd {
	return func() tea.Msg {
		fx.o.Engine.Seen(t.ID)
		place := fx.loadPlace(ctx, t)
		out, err := fx.o.Engine.Open(ctx, t.ID)
		return openedMsg{gen: gen, out: out, place: place, err: err}
	}
}

// seen tells the engine that a person saw a task's end.
func (fx *effects) seen(id string) tea.Cmd {
	return func() tea.Msg {
		fx.o.Engine.Seen(id)
		return nil
	}
}

func (fx *effects) closeOutput(out task.Output) tea.Cmd {
	if out == nil {
		return nil
	}
	return func() tea.Msg {
		_ = out.Close() // nothing was written; there is nothing to lose
		return nil
	}
}

// A flood of more bytes a second than anybody reads is shown in every other frame.
const (
	floodRate  = 20e6
	floodFrame = 2 * frameTime
)

// follow passes on the facts of an output at each change until ctx ends.
func (fx *effects) follow(ctx context.Context, gen int, out task.Output) tea.Cmd {
	return func() tea.Msg {
		for {
			f := out.Facts()
			fx.mail.facts(factsNews{gen, f})
			pause := frameTime
			if f.Rate > floodRate {
				pause = floodFrame
			}
			if !sleep(ctx, pause) || out.Changed(ctx, f.Rev) != nil {
				return nil
			}
		}
	}
}

// page reads one page of rows.
func (fx *effects) page(ctx context.Context, gen int, out task.Output, req task.PageRequest) tea.Cmd {
	return func() tea.Msg {
		p, err := out.Page(ctx, req)
		fx.mail.page(pageNews{gen, p, err})
		return nil
	}
}

// whole reads one row without the display limit.
func (fx *effects) whole(ctx context.Context, gen int, out task.Output, at int64) tea.Cmd {
	return func() tea.Msg {
		l, err := out.Whole(ctx, at)
		return wholeMsg{gen: gen, line: l, err: err}
	}
}

// search looks through an output and what is added to it, until ctx ends.
func (fx *effects) search(ctx context.Context, gen, seq int, out task.Output, req task.SearchRequest) tea.Cmd {
	return func() tea.Msg {
		err := out.Search(ctx, req, func(f task.Found) { fx.mail.found(ctx, foundNews{gen: gen, seq: seq, found: f}) })
		if err != nil && ctx.Err() == nil {
			fx.mail.found(ctx, foundNews{gen: gen, seq: seq, err: err})
		}
		return nil
	}
}
