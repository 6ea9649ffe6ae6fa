package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"offstage/panel"
	"offstage/task"
)

// Own is what can be done to a task that the program runs itself, besides a stop.
// An Engine that has these methods is asked; an error is one sentence.
type Own interface {
	// Answer types a line into the task's terminal (spec 2 S3).
	Answer(ctx context.Context, id, text string) error
	// Restart starts its command again and gives the ID of the new task (K8).
	Restart(ctx context.Context, id string) (string, error)
	// Guard does something against an output that grows too large: "freeze", "thaw"
	// or "trim" (O6).
	Guard(ctx context.Context, id, what string) error
}

const notHere = "This is not possible from here."

// restartedMsg is the task that runs in the place of another one.
type restartedMsg struct{ id string }

func (m *Model) own() (Own, bool) {
	o, ok := m.o.Engine.(Own)
	return o, ok
}

// restart starts a task of ours again; for another's the sentence that asks its
// agent is copied (K8).
func (m *Model) restart(id string) tea.Cmd {
	t, ok := m.task(id)
	if !ok {
		return nil
	}
	if t.Source != panel.OwnSource {
		return m.fx.copy(panel.AskAgain(t), "Copied what asks its agent to start it again")
	}
	own, ok := m.own()
	switch {
	case !ok:
		m.say(notHere)
		return nil
	case !t.Status.Ended():
		m.say("It is still running: stop it first.")
		return nil
	}
	m.say("Starting it again…")
	return m.fx.restart(own, id)
}

// restarted opens the new task's console as soon as it is listed.
func (m *Model) restarted(id string) {
	m.openFirst = id
	m.say("Started again.")
}

// answer sends a line to the task of the open console.
func (m *Model) answer(text string) tea.Cmd {
	own, ok := m.own()
	if !ok {
		m.say(notHere)
		return nil
	}
	id := m.open
	return m.fx.ask("Sent the answer.", func(ctx context.Context) error { return own.Answer(ctx, id, text) })
}

// answerTask opens a task's console with the answer line.
func (m *Model) answerTask(t task.Task) tea.Cmd {
	cmd := m.openTask(t.ID)
	if m.console == nil {
		return cmd
	}
	a := m.console.BeginAnswer()
	return tea.Batch(cmd, m.doConsole(a))
}

// guard does what a person asked for against a large output.
func (m *Model) guard(what string) tea.Cmd {
	own, ok := m.own()
	if !ok {
		m.say(notHere)
		return nil
	}
	done := map[string]string{"freeze": "It stands still; the same key lets it go on.", "thaw": "It goes on.", "trim": "Trimmed the output."}[what]
	id := m.open
	return m.fx.ask(done, func(ctx context.Context) error { return own.Guard(ctx, id, what) })
}

// ask does something and says how it went.
func (fx *effects) ask(done string, do func(context.Context) error) tea.Cmd {
	return func() tea.Msg {
		if err := do(fx.ctx); err != nil {
			return doneMsg{sentenceOf(err)}
		}
		return doneMsg{done}
	}
}

func (fx *effects) restart(own Own, id string) tea.Cmd {
	return func() tea.Msg {
		again, err := own.Restart(fx.ctx, id)
		if err != nil {
			return doneMsg{sentenceOf(err)}
		}
		return restartedMsg{again}
	}
}
