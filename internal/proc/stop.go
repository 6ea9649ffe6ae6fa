package proc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"offstage/internal/world"
)

// ErrRefused: the plan says why nothing may be stopped.
var ErrRefused = errors.New("nothing of this task may be stopped from here")

// ErrChanged: none of the processes that were shown is there any more, others
// are. They were not agreed to: draw the plan again.
var ErrChanged = errors.New("the processes of the task are not those that were shown: look again")

// Stop ends a task that is not ours (K3), and proves it (K4). The plan is what
// was shown and agreed to; processes that appear while it is carried out are
// ended too, for they come from those.
//
// The ladder: TERM to the leaves; what is alive or new after the grace moves it
// one parent up; KILL the same way; the agent's wrapper shell is left to end by
// itself and comes last. Each signal goes to one process whose identity was
// checked, never to a group. Before each round the machine is looked at anew.
//
// The error is nil also when Report.Left is not empty: the limit was reached.
// With ErrRefused and ErrChanged nothing was tried. Any other (ErrNoProcs, the
// end of ctx) may come under way: the report then says what stands.
func Stop(ctx context.Context, w *world.World, tg Target, plan Plan, o StopOptions) (Report, error) {
	if w.Recorded() {
		return Report{}, fmt.Errorf("%w: a recording", ErrRefused)
	}
	if why := cannotStop(tg); why != "" || plan.Refused != "" || len(plan.Processes) == 0 {
		return Report{}, ErrRefused
	}
	s := &stopper{w: w, tg: tg, plan: plan, o: o.defaults(w), began: w.Now(), held: map[ID]*Held{},
		past: history{known: map[ID]Member{}, sessions: map[int]bool{}}}
	defer s.release()
	s.learn(plan.Processes)
	limited, cancel := context.WithTimeout(ctx, s.o.Limit)
	defer cancel()
	err := s.run(limited)
	if errors.Is(err, ErrRefused) || errors.Is(err, ErrChanged) {
		return Report{}, err
	}
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = nil
	}
	return s.report(), err
}

func (o StopOptions) defaults(w *world.World) StopOptions {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	if o.Now {
		set(&o.Grace, time.Second)
	}
	set(&o.Grace, 3*time.Second)
	set(&o.Step, time.Second)
	set(&o.Wrapper, time.Second)
	set(&o.Limit, 15*time.Second)
	if o.Progress == nil {
		o.Progress = func(string, []Member) {}
	}
	if o.NewTable == nil {
		o.NewTable = func() (*Table, error) { return Scan(w) }
	}
	return o
}

// stopper is one stop under way.
type stopper struct {
	w     *world.World
	tg    Target
	plan  Plan
	o     StopOptions
	began time.Time
	past  history
	order []ID // of past.known, as found
	held  map[ID]*Held
	ports []int
	table *Table // of the last look
	rung  rung
}

// run goes from round to round until nothing of the task is alive.
func (s *stopper) run(ctx context.Context) error {
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		alive, fresh, err := s.look()
		if err != nil {
			return err
		}
		if first && !s.shown(alive) {
			if len(alive) == 0 {
				return nil
			}
			return ErrChanged
		}
		if len(alive) == 0 {
			return nil
		}
		if !first {
			s.rung.climb(s, alive, fresh)
		}
		s.round(ctx, alive)
	}
}

// look reads the machine anew, and holds all that it finds of the task.
func (s *stopper) look() (alive []Member, fresh int, err error) {
	table, err := s.o.NewTable()
	if err != nil {
		return nil, 0, err
	}
	pick, err := table.pick(s.tg, &s.past)
	if err != nil {
		return nil, 0, err
	}
	if pick.self {
		return nil, 0, ErrRefused
	}
	s.table = table
	members := pick.members()
	for _, m := range members {
		if s.held[m.ID] == nil {
			h, err := Hold(m.ID)
			if errors.Is(err, ErrGone) {
				continue
			}
			if err != nil {
				return nil, 0, err
			}
			s.held[m.ID] = h
		}
		if !s.held[m.ID].ended() {
			alive = append(alive, m)
		}
	}
	fresh = s.learn(alive)
	if ports, err := table.Ports(pids(alive)); err == nil {
		s.ports = append(s.ports, ports...)
	}
	return alive, fresh, nil
}

// learn remembers members for all rounds and the report; it counts the new ones.
func (s *stopper) learn(members []Member) int {
	fresh := s.past.add(members)
	for _, m := range fresh {
		s.order = append(s.order, m.ID)
	}
	return len(fresh)
}

// shown: at least one of what was agreed to is still there.
func (s *stopper) shown(alive []Member) bool {
	return slices.ContainsFunc(alive, func(m Member) bool {
		return slices.ContainsFunc(s.plan.Processes, func(p Member) bool { return p.ID == m.ID })
	})
}

// left are those of members that have not ended.
func (s *stopper) left(members []Member) []Member {
	return slices.DeleteFunc(slices.Clone(members), func(m Member) bool {
		h := s.held[m.ID]
		return h == nil || h.ended()
	})
}

// wait returns when all members have ended, after d, or with ctx; it says
// whether all have.
func (s *stopper) wait(ctx context.Context, members []Member, d time.Duration, step string) bool {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for _, m := range members {
		for h := s.held[m.ID]; h != nil && !h.ended(); {
			select {
			case <-h.Done():
			case <-tick.C:
				s.o.Progress(step, s.left(members))
			case <-ctx.Done():
				return len(s.left(members)) == 0
			}
		}
	}
	return true
}

// portTries and portPause bound the wait for a port whose last holder has just
// ended: the kernel closes it within milliseconds.
const (
	portTries = 10
	portPause = 20 * time.Millisecond
)

func (s *stopper) report() Report {
	var r Report
	for _, id := range s.order {
		m, h := s.past.known[id], s.held[id]
		// An event may be under way still when the table shows the end already.
		if h != nil && h.ended() || errors.Is(id.check(), ErrGone) {
			r.Ended = append(r.Ended, m)
		} else {
			r.Left = append(r.Left, m)
		}
	}
	ports := slices.Concat(s.plan.Ports, s.ports)
	slices.Sort(ports)
	for _, port := range slices.Compact(ports) {
		free := PortFree(port)
		for try := 1; !free && len(r.Left) == 0 && try < portTries; try++ {
			time.Sleep(portPause)
			free = PortFree(port)
		}
		if free {
			r.PortsFreed = append(r.PortsFreed, port)
		} else {
			r.PortsHeld = append(r.PortsHeld, port)
		}
	}
	r.Took = s.w.Now().Sub(s.began)
	return r
}

func (s *stopper) release() {
	for _, h := range s.held {
		h.Close()
	}
}
