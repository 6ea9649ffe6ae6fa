package ui

import (
	tea "charm.land/bubbletea/v2"

	"offstage/task"
)

// What a person asked for, carried out by the engine or the desktop.

func (fx *effects) planStop(seq int, id string) tea.Cmd {
	return func() tea.Msg {
		p, err := fx.o.Engine.PlanStop(fx.ctx, id)
		return planMsg{seq: seq, id: id, plan: p, err: err}
	}
}

func (fx *effects) stop(seq int, plan task.StopPlan, now bool) tea.Cmd {
	return func() tea.Msg {
		r, err := fx.o.Engine.Stop(fx.ctx, plan, now, func(p task.StopProgress) {
			fx.mail.put(func(b *frameMsg) {
				if b.progress == nil {
					b.progress = map[string]progressNews{}
				}
				b.progress[plan.Task] = progressNews{seq, p}
			})
		})
		return reportMsg{seq: seq, id: plan.Task, report: r, err: err}
	}
}

func (fx *effects) hide(ids []string, hidden bool) tea.Cmd {
	return func() tea.Msg {
		for _, id := range ids {
			fx.o.Engine.Hide(id, hidden)
		}
		return nil
	}
}

const (
	wishEverywhere = 1 << iota
	wishEnded
)

// setScope tells the engine what to list. The command reads the wish when its
// turn comes, so that of two quick presses the later one stands.
func (fx *effects) setScope(everywhere, ended bool) tea.Cmd {
	var w uint32
	if everywhere {
		w |= wishEverywhere
	}
	if ended {
		w |= wishEnded
	}
	fx.wish.Store(w)
	return func() tea.Msg {
		fx.scope.Lock()
		defer fx.scope.Unlock()
		w := fx.wish.Load()
		fx.o.Engine.Everywhere(w&wishEverywhere != 0)
		fx.o.Engine.Ended(w&wishEnded != 0)
		return nil
	}
}

// copy puts text on the terminal's clipboard (OSC 52) and on the native one.
func (fx *effects) copy(text, words string) tea.Cmd {
	native := func() tea.Msg {
		if fx.o.Copy == nil {
			return doneMsg{words}
		}
		if _, err := fx.o.Copy(text); err != nil {
			return doneMsg{words + " through the terminal"}
		}
		return doneMsg{words}
	}
	return tea.Batch(tea.SetClipboard(text), native)
}

// launch runs open, which hands something to another program, and says how it
// went.
func (fx *effects) launch(words string, open func() error) tea.Cmd {
	return func() tea.Msg {
		if err := open(); err != nil {
			return doneMsg{"Could not open it: " + err.Error()}
		}
		return doneMsg{words}
	}
}
