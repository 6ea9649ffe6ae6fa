package control

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// Listen writes what a command prints, as it does, from now on: nothing that came
// earlier. It returns nil when the command ends; ErrGone where it had ended, or its
// thread is not loaded; another error where the daemon breaks off or ctx ends.
func (d Daemon) Listen(ctx context.Context, thread, item string, w io.Writer) error {
	t, err := d.talk(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	if _, err := t.find(ctx, thread, item); err != nil {
		return err // a thread that is not loaded would be loaded by listening to it
	}
	l := listener{item: item, w: w}
	t.heard = l.take
	if err := t.ask(ctx, subscribe, map[string]any{"threadId": thread, "excludeTurns": true}, nil); err != nil {
		return err
	}
	if _, err := t.find(ctx, thread, item); err != nil { // it ended before anybody listened
		return l.or(err)
	}
	for !l.done && l.err == nil {
		m, err := t.message()
		if err != nil {
			return explain(ctx, "listen", err)
		}
		l.take(m)
	}
	if l.err != nil {
		return fmt.Errorf("keep what it prints: %w", l.err)
	}
	return nil
}

// listener takes the news that are about one command.
type listener struct {
	item string
	w    io.Writer
	done bool
	err  error
}

// or is nil where the end was heard, else err.
func (l *listener) or(err error) error {
	if l.done {
		return nil
	}
	return err
}

// The news that are listened to.
const (
	deltaNews = "item/commandExecution/outputDelta"
	endNews   = "item/completed"
)

func (l *listener) take(m message) {
	if m.Method != deltaNews && m.Method != endNews || !m.news() {
		return
	}
	var p struct {
		Item  string `json:"itemId"`
		Delta string `json:"delta"`
		Whole struct {
			ID string `json:"id"`
		} `json:"item"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	switch {
	case m.Method == deltaNews && p.Item == l.item && l.err == nil:
		_, l.err = io.WriteString(l.w, p.Delta)
	case m.Method == endNews && p.Whole.ID == l.item:
		l.done = true
	}
}
