package ui

import (
	"strings"

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

// spare keeps an ended task, or no longer, and says which.
func (fx *effects) spare(id string, on bool) tea.Cmd {
	return func() tea.Msg {
		switch err := fx.o.Engine.Spare(id, on); {
		case err != nil:
			return doneMsg{"It cannot be kept: " + err.Error() + "."}
		case on:
			return doneMsg{"Kept: its record and output stay until you press the key again. H lists it for good."}
		}
		return doneMsg{"No longer kept: it goes seven days after its end."}
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

// inside looks into a running task.
func (fx *effects) inside(look Insider, id string) tea.Cmd {
	return func() tea.Msg {
		in, err := look.Inside(fx.ctx, id)
		return insideMsg{id: id, in: in, err: err}
	}
}

// browse shows an address of a task in the browser, in full: what is shown of it is
// masked. Where the whole of it is not known any more, its secret part is left out.
func (fx *effects) browse(id, url string) tea.Cmd {
	return func() tea.Msg {
		words := "Opened in the browser"
		if full, ok := fx.fullURL(id, url); ok {
			url = full
		} else {
			url, words = task.LinkTarget(url), "Opened without the part that is hidden: it is not in the output any more"
		}
		if url = browsable(url); url == "" {
			return doneMsg{"Could not open it: the hidden part of the address is not known"}
		}
		if err := fx.o.OpenURL(url); err != nil {
			return doneMsg{"Could not open it: " + strings.ReplaceAll(err.Error(), url, "the address")}
		}
		return doneMsg{words}
	}
}

// fullURL is the whole of an address; false where a part of it is hidden for good.
func (fx *effects) fullURL(id, url string) (string, bool) {
	if !strings.Contains(url, "[redacted]") {
		return url, true
	}
	a, ok := fx.o.Engine.(Addresses)
	if !ok {
		return "", false
	}
	full, err := a.FullURL(fx.ctx, id, url)
	return full, err == nil
}
