package proc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// The ladder of a foreign stop (K3), one round at a time. Doctrine: the leaves
// first, so that every parent reads how its child ended and can end by itself;
// a parent is asked only when its children did not end, or came back.

// settle is how long parents have to end by themselves once all that was asked
// has ended: a shell needs a millisecond, npm some ten.
const settle = 300 * time.Millisecond

// rung is where on the ladder a stop stands.
type rung struct {
	// level is how many parents above the leaves are signalled.
	level int
	// force: KILL instead of TERM.
	force bool
	// over: everything below the wrapper was tried, it keeps coming back.
	over bool
	// told: the agent was asked to end the task by force.
	told bool
	// asked says how often the wrapper was signalled.
	asked int
	// sent are those that got a signal in the last round, at is when.
	sent []Member
	at   time.Time
}

// climb moves up by what the last round left: a process that outlived its
// signal or a new one means one parent up; above the top it starts again with
// KILL, and above that the wrapper has to go.
func (r *rung) climb(s *stopper, alive []Member, fresh int) {
	if fresh == 0 && len(s.left(r.sent)) == 0 {
		return
	}
	body, _ := apart(alive)
	r.level++
	if top := slices.Max(append(heights(body), 0)); r.level <= top && !s.o.Now {
		return
	}
	if r.force {
		r.over = true
		return
	}
	r.force, r.level = true, 0
}

// round signals once and waits for what comes of it.
func (s *stopper) round(ctx context.Context, alive []Member) {
	r := &s.rung
	body, wrapper := apart(alive)
	if (len(body) == 0 || r.over) && len(wrapper) > 0 && !s.wrapperDue(ctx, alive, wrapper) {
		return
	}
	if r.force && s.askAgent(ctx, alive) {
		return
	}
	grace, step := s.o.Step, ""
	switch {
	case len(body) == 0:
		r.sent = s.signal(wrapper, r.asked > 0)
		step = "Asked the agent's shell to end"
		r.asked++
	case r.over && len(wrapper) > 0:
		r.sent = append(s.signal(body, true), s.signal(wrapper, r.asked > 0)...)
		step = "Ended " + count(r.sent) + " by force, with the agent's shell"
		r.asked++
	default:
		if r.at.IsZero() {
			grace = s.o.Grace
		}
		r.sent = s.signal(s.frontier(body), r.force)
		step = "Asked " + count(r.sent) + " to end"
		if r.force {
			step = "Ended " + count(r.sent) + " by force"
		}
	}
	r.at = s.w.Now()
	s.o.Progress(step, s.left(alive))
	if s.wait(ctx, r.sent, grace, step) {
		s.wait(ctx, alive, settle, step)
	}
}

// wrapperDue waits until the wrapper had its time to end by itself since the
// last signal below it; false when it did end, or the time is over for all.
func (s *stopper) wrapperDue(ctx context.Context, alive, wrapper []Member) bool {
	since := s.rung.at
	if since.IsZero() {
		since = s.began
	}
	rest := s.o.Wrapper - s.w.Now().Sub(since)
	if s.rung.asked > 0 || rest <= 0 {
		return true
	}
	const step = "Waiting for the agent's shell to end by itself"
	s.o.Progress(step, s.left(alive))
	return !s.wait(ctx, wrapper, rest, step) && ctx.Err() == nil
}

// frontier are the members that this round signals, leaves first. Who only
// reads what another member writes ("cmd | tail -40") is not asked while that
// one lives: it ends by itself at the end of its input, and only so does it
// print what it kept.
func (s *stopper) frontier(body []Member) []Member {
	fed := map[int]bool{}
	if !s.rung.force {
		fed = s.table.host.fed(pids(body))
	}
	out := s.upTo(body)
	first := slices.DeleteFunc(slices.Clone(out), func(m Member) bool { return fed[m.PID] })
	if len(first) > 0 {
		return first
	}
	return out
}

// upTo are the members up to the level of the rung, leaves first.
func (s *stopper) upTo(body []Member) []Member {
	h := heights(body)
	at := make(map[ID]int, len(body))
	var out []Member
	for i, m := range body {
		if at[m.ID] = h[i]; h[i] <= s.rung.level || s.o.Now {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Member) int {
		return cmp.Or(at[a.ID]-at[b.ID], a.PID-b.PID)
	})
	return out
}

// signal sends to each of members and gives back those that were there to get
// it. A stopped process is woken, or it would never see a TERM.
func (s *stopper) signal(members []Member, force bool) []Member {
	sig := sigTerm
	if force {
		sig = sigKill
	}
	var sent []Member
	for _, m := range members {
		h := s.held[m.ID]
		if h == nil || errors.Is(h.signal(sig), ErrGone) {
			continue // ended meanwhile; one that refused the signal outlives it
		}
		if sig == sigTerm && m.State == 'T' {
			_ = h.signal(sigCont) // it may have ended of the TERM
		}
		sent = append(sent, m)
	}
	return sent
}

// apart splits off the agent's wrapper shells.
func apart(members []Member) (body, wrapper []Member) {
	for _, m := range members {
		if m.Wrapper {
			wrapper = append(wrapper, m)
		} else {
			body = append(body, m)
		}
	}
	return body, wrapper
}

// heights gives for each member how many generations of members stand below
// it: 0 for a leaf.
func heights(members []Member) []int {
	at := make(map[int]int, len(members))
	for i, m := range members {
		at[m.PID] = i
	}
	h := make([]int, len(members))
	for i := range members {
		for up, n := i, 1; n <= len(members); n++ {
			parent, ok := at[members[up].PPID]
			if !ok || parent == up {
				break
			}
			h[parent] = max(h[parent], n)
			up = parent
		}
	}
	return h
}

func count(members []Member) string {
	if len(members) == 1 {
		return members[0].String()
	}
	return fmt.Sprintf("%d processes", len(members))
}
