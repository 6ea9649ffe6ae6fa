package ui

import (
	"context"
	"time"

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

// floodRate is more bytes a second than anybody reads: its newest rows are shown
// ten times a second.
const floodRate = 20e6

// follow passes on the facts of an output at each change until ctx ends. What
// comes after a quiet time is waited for by nobody: it goes before its turn, as an
// answer does.
func (fx *effects) follow(ctx context.Context, gen int, out task.Output) tea.Cmd {
	return func() tea.Msg {
		var last time.Time
		for {
			f := out.Facts()
			now := time.Now()
			fx.mail.facts(factsNews{gen, f}, now.Sub(last) > 2*frameTime)
			last = now
			if f.Rate > floodRate && !sleep(ctx, 2*frameTime) {
				return nil
			}
			if out.Changed(ctx, f.Rev) != nil { // news comes once a frame at most
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
