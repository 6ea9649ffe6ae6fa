package codex

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"offstage/internal/source/codex/control"
)

// How often the daemon is asked, and how long a look waits for it. A running
// command whose processes are seen ends with an event, so the daemon is asked for
// the others; one that is slow is not waited for: its answer serves the next look.
const (
	askSoon      = 2 * time.Second
	askRarely    = 30 * time.Second
	askWait      = 100 * time.Millisecond
	askFirstWait = 15 * time.Millisecond
	// askLooks is in how many of the first looks an answer that is under way counts
	// as something left to read: who asks once wants it.
	askLooks = 4
)

// byDaemon is the StatusSource of a state that the daemon told.
const byDaemon = "Codex's daemon"

// socket is what the daemon said last, over its control socket.
type socket struct {
	listing control.Listing
	// at is when it said so, asked when it was asked; key is what was seen then.
	at, asked time.Time
	key       string
	err       error
	// answer comes of a question under way; nil where there is none.
	answer chan answer
}

type answer struct {
	listing control.Listing
	err     error
}

// due says whether the daemon should be asked now.
func (k *socket) due(key string, proven bool, now time.Time) bool {
	age := now.Sub(k.asked).Abs()
	switch {
	case k.answer != nil:
		return false
	case k.asked.IsZero(), key != k.key, age >= askRarely:
		return true
	}
	return age >= askSoon && !proven
}

// ask begins a question beside the caller; it ends by itself.
func (k *socket) ask(d control.Daemon, key string, now time.Time) {
	k.answer, k.key, k.asked = make(chan answer, 1), key, now
	go func(to chan<- answer) {
		ctx, cancel := context.WithTimeout(context.Background(), control.Patience)
		defer cancel()
		l, err := d.List(ctx)
		to <- answer{l, err}
	}(k.answer)
}

// take takes up the answer, waiting for it at most wait.
func (k *socket) take(ctx context.Context, wait time.Duration, now time.Time) {
	if k.answer == nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case a := <-k.answer:
		k.got(a, now)
	case <-limit.Done():
		select {
		case a := <-k.answer:
			k.got(a, now)
		default:
		}
	}
}

func (k *socket) got(a answer, now time.Time) {
	k.answer, k.listing, k.at, k.err = nil, a.listing, now, a.err
	if errors.Is(a.err, control.ErrNone) {
		k.err = nil
	}
}

// askDaemon asks the daemon where one runs and there may be news.
func (c *view) askDaemon() {
	s := c.s
	if s.W.Recorded() || c.l.V.Table != nil && len(c.servers) == 0 {
		s.socket = socket{answer: s.socket.answer} // nobody is there to answer
		return
	}
	if key, proven := c.socketKey(); s.socket.due(key, proven, c.l.V.Now) {
		s.socket.ask(control.Daemon{Home: s.W.Path(s.recorded)}, key, c.l.V.Now)
	}
}

// socketKey names the commands and rollouts that are seen without the daemon;
// proven says that all it told of are among them.
func (c *view) socketKey() (key string, proven bool) {
	proven = true
	for _, x := range c.s.socket.listing.Terminals {
		proven = proven && c.marked[x.Item] != nil
	}
	pids := 0
	for _, m := range c.marked {
		for _, pid := range m.pids {
			pids += pid
		}
	}
	return fmt.Sprint(c.s.shelf.Rev, len(c.marked), pids), proven
}

// hearDaemon takes up what the daemon said.
func (c *view) hearDaemon(ctx context.Context) {
	k := &c.s.socket
	wait := askWait
	if c.s.looks == 1 {
		wait = askFirstWait
	}
	if k.take(ctx, wait, c.l.V.Now); k.err != nil {
		c.l.Trouble("The control socket of Codex is not used: " + sentence(k.err) + ". Its commands are known by their records and processes alone.")
	}
	if k.answer != nil && c.s.looks < askLooks {
		c.l.Later()
	}
	c.listed = map[string]control.Terminal{}
	for _, t := range k.listing.Terminals {
		c.listed[t.Item] = t
	}
}

// sentence is why the daemon cannot be spoken with.
func sentence(err error) string {
	return strings.TrimPrefix(err.Error(), control.ErrUnsafe.Error()+": ")
}

// untold are listed commands of which neither a record nor a process is seen; of
// the others the daemon's number, by which scripts of code mode are told of them.
func (c *view) untold(x *rollout) {
	for id, t := range c.listed {
		if t.Thread != x.id {
			continue
		}
		if x.commands[id] == nil {
			k := x.command(id)
			k.cmd, k.cwd, k.at = t.Command, t.Cwd, c.s.socket.at
		}
		if k := x.commands[id]; k != nil && k.number == "" {
			k.number = t.Process
		}
	}
}

// unwritten are threads that the daemon runs commands in and that have no rollout.
func (c *view) unwritten(list []*rollout) {
	if c.l.Left() {
		return // it may be one that was not read yet
	}
	known := map[string]bool{}
	for _, x := range list {
		known[x.thread] = true
	}
	for _, t := range c.listed {
		if known[t.Thread] {
			continue
		}
		known[t.Thread] = true
		x := c.s.bare[t.Thread]
		if x == nil {
			x = newRollout("")
			x.id, x.root, x.cwd = t.Thread, t.Thread, t.Cwd
		}
		if c.bare == nil {
			c.bare = map[string]*rollout{}
		}
		c.bare[t.Thread] = x
		x.item.ModTime = c.l.V.Now
		c.thread(x)
	}
	c.s.bare = c.bare
}
