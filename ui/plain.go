package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"offstage/panel"
	"offstage/task"
)

// RunPlain is the window for screen readers and dumb terminals: no escape, no
// redraw, no mark. Its first line says what chose it; then each change of a task
// is one labelled sentence, appended. It returns when ctx ends.
func RunPlain(ctx context.Context, o Options, w io.Writer) error {
	o = o.withDefaults()
	p := &plain{o: o, w: w, seen: map[string]plainState{}, numbers: map[string]int{}, unreported: map[string]bool{}}
	why := o.PlainWhy
	if why == "" {
		why = "--plain"
	}
	if err := p.say("Plain mode, chosen by " + why + ". Each change of a task is one line."); err != nil {
		return err
	}
	news := make(chan task.Snapshot)
	failed := make(chan error, 1)
	go func() { failed <- p.watch(ctx, news) }()
	clock := time.NewTicker(plainLook)
	defer clock.Stop()
	var last task.Snapshot
	for {
		var err error
		select {
		case err = <-failed:
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("follow the tasks: %w", err)
		case s := <-news:
			p.tellEnds(last, s)
			last = s
			err = p.snapshot(last)
		case l := <-o.Looks:
			if err = p.look(l); err == nil {
				err = p.changes(last.Tasks)
			}
		case <-clock.C:
			err = p.changes(last.Tasks)
		}
		if err != nil {
			return err
		}
	}
}

// tellEnds has a person told of ends by the desktop; the terminal gets no more than
// its sentences.
func (p *plain) tellEnds(before, now task.Snapshot) {
	if ids := ends(before.Tasks, now.Tasks, p.began, p.o.Now()); p.o.TellEnds != nil && len(ids) > 0 {
		_, _ = p.o.TellEnds(ids) // what could not be shown is known as not delivered
	}
}

// plainLook is how often ages are looked at.
const plainLook = 2 * time.Second

// look takes changed settings up.
func (p *plain) look(l Look) error {
	p.o.Look = l.withDefaults()
	if l.Wrong == "" {
		return nil
	}
	return p.say(l.Wrong)
}

// plain is what was said so far of each task.
type plain struct {
	o       Options
	w       io.Writer
	seen    map[string]plainState
	numbers map[string]int
	count   int
	began   bool
	idle    bool
	// unreported are the sessions of which G5 was said.
	unreported map[string]bool
}

// plainState is what a change is judged by: a clock that runs on and a line of
// output are no change.
type plainState struct {
	run     int
	status  task.Status
	waiting string
	quiet   bool
	tests   string
	trouble string
	warning string
}

// watch hands on snapshots; an engine that fails is asked again a few times.
func (p *plain) watch(ctx context.Context, news chan<- task.Snapshot) error {
	var rev uint64
	for fails := 0; ; {
		s, err := p.o.Engine.Next(ctx, rev)
		if err != nil {
			if fails++; ctx.Err() != nil || fails > 5 {
				return errors.Join(err, ctx.Err())
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
			}
			continue
		}
		fails, rev = 0, s.Rev
		select {
		case <-ctx.Done():
			return ctx.Err()
		case news <- s:
		}
	}
}

func (p *plain) snapshot(s task.Snapshot) error {
	if err := p.changes(s.Tasks); err != nil {
		return err
	}
	if err := p.sessions(s.Sessions); err != nil {
		return err
	}
	idle := task.Count(s.Tasks).Running == 0 && len(p.unreported) == 0
	if idle == p.idle && p.began {
		return nil
	}
	was := p.idle
	p.idle, p.began = idle, true
	if idle && !was {
		return p.say(p.idleWords(s))
	}
	return nil
}

// sessions says of each session once that its background work is not reported
// (G5).
func (p *plain) sessions(list []task.Session) error {
	now := map[string]bool{}
	for _, s := range list {
		if !s.Unreported {
			continue
		}
		now[s.ID] = true
		if p.unreported[s.ID] {
			continue
		}
		if err := p.say("Session " + panel.SessionTitle(s) + ": " + panel.UnreportedTitle + ". " + panel.UnreportedWhy); err != nil {
			return err
		}
	}
	p.unreported = now
	return nil
}

func (p *plain) idleWords(s task.Snapshot) string {
	words := "No background task is running."
	if s.Elsewhere > 0 {
		words += " " + count(s.Elsewhere, "runs", "run") + " in other projects: offstage --plain -A follows them."
	}
	return words
}

// changes says one sentence for each task that changed.
func (p *plain) changes(ts []task.Task) error {
	now := p.o.Now()
	live := map[string]bool{}
	for _, t := range ts {
		if t.Foreground || t.Hidden {
			continue
		}
		live[t.ID] = true
		st := p.state(t, now)
		if old, ok := p.seen[t.ID]; ok && old == st {
			continue
		}
		p.seen[t.ID] = st
		if err := p.say(p.sentence(t, now)); err != nil {
			return err
		}
	}
	for id := range p.seen {
		if !live[id] {
			delete(p.seen, id)
			delete(p.numbers, id)
		}
	}
	return nil
}

func (p *plain) state(t task.Task, now time.Time) plainState {
	st := plainState{run: t.Run, status: t.Status, waiting: t.Waiting, trouble: t.Trouble, warning: t.Warning}
	st.quiet = task.QuietFor(t, now) >= p.o.QuietAfter
	if t.Tests != nil && len(t.Tests.Runs) > 0 {
		switch {
		case t.Tests.Red:
			st.tests = "red"
		case t.Tests.Settled:
			st.tests = "green"
		}
	}
	return st
}

// sentence is "Task 2: vitest run, shell, failed, exit code 1, …".
func (p *plain) sentence(t task.Task, now time.Time) string {
	if p.numbers[t.ID] == 0 {
		p.count++
		p.numbers[t.ID] = p.count
	}
	s := fmt.Sprintf("Task %d: %s", p.numbers[t.ID], task.Sentence(t, now))
	if t.WaitingLine != "" && !t.Status.Ended() {
		s += ": " + t.WaitingLine
	}
	for _, more := range []string{t.Trouble, t.Warning} {
		if more != "" {
			s += ", " + strings.TrimSuffix(more, ".")
		}
	}
	return s + "."
}

func (p *plain) say(s string) error {
	if _, err := fmt.Fprintln(p.w, spoken(s)); err != nil {
		return fmt.Errorf("write a line of plain mode: %w", err)
	}
	return nil
}

// spoken leaves letters of any language, digits, spaces and the punctuation of
// ASCII: what a screen reader reads as words, and no mark that it would name.
func spoken(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r < 0x7f || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return r
		case r == '…':
			return '.'
		case unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r):
			return ' '
		}
		return -1
	}, panel.Clean(s))
	return strings.Join(strings.Fields(s), " ")
}
