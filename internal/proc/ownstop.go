package proc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"offstage/internal/world"
)

// OwnOptions tune the ladder for a task of our own; zero values are the defaults
// named here.
type OwnOptions struct {
	// Int, Term and Kill are how long each rung has: 2 s, 5 s, 3 s.
	Int, Term, Kill time.Duration
	// Now leaves out INT and gives TERM 1 s.
	Now bool
	// Interrupt sends INT to the command's own group, once. Only the parent that has
	// not reaped the leader can do that without a chance of meeting a stranger; nil
	// leaves the rung out.
	Interrupt func() error
	// Hurry skips one rung for each value.
	Hurry <-chan struct{}
	// Progress and NewTable are as in StopOptions.
	Progress func(step string, left []Member)
	NewTable func() (*Table, error)
}

// StopOwn ends a task of our own (K2) and proves it (K4): INT to the command's
// group, which is a courtesy; TERM to the whole tree, once, so that what a trap
// starts to clean up is let alone; KILL in rounds until nobody is left. Each rung
// ends at once when nobody is alive, and nobody counts only after a look at the
// marks of the whole machine.
//
// The error is nil also when Report.Left is not empty. ErrRefused means that we
// run inside the task; with any other error the report says what stands.
func StopOwn(ctx context.Context, w *world.World, o Own, opt OwnOptions) (Report, error) {
	if w.Recorded() {
		return Report{}, fmt.Errorf("%w: a recording", ErrRefused)
	}
	base := StopOptions{Progress: opt.Progress, NewTable: opt.NewTable}
	s := &ownStop{own: o, opt: opt, stopper: &stopper{w: w, o: base.defaults(w), began: w.Now(), held: map[ID]*Held{},
		past: history{known: map[ID]Member{}, sessions: map[int]bool{}}}}
	defer s.release()
	err := s.run(ctx)
	if errors.Is(err, ErrRefused) {
		return Report{}, err
	}
	return s.report(), err
}

// ownStop is one stop of a task of our own under way.
type ownStop struct {
	*stopper
	own Own
	opt OwnOptions
}

// rungs of the ladder, each with what it does at its start.
func (s *ownStop) run(ctx context.Context) error {
	grace := func(d, usual time.Duration) time.Duration {
		if d <= 0 {
			return usual
		}
		return d
	}
	term := grace(s.opt.Term, 5*time.Second)
	if s.opt.Now {
		term = min(term, time.Second)
	}
	alive, err := s.see()
	if err != nil || len(alive) == 0 {
		return err
	}
	if s.opt.Interrupt != nil && !s.opt.Now && s.opt.Interrupt() == nil {
		s.say("Interrupted "+count(alive), alive)
		if alive, err = s.await(ctx, grace(s.opt.Int, 2*time.Second), true); err != nil || len(alive) == 0 {
			return err
		}
	}
	s.say("Asked "+count(alive)+" to end", alive)
	s.signal(alive, false)
	if alive, err = s.await(ctx, term, true); err != nil || len(alive) == 0 {
		return err
	}
	return s.kill(ctx, alive, grace(s.opt.Kill, 3*time.Second))
}

// killPause is the time between two rounds of KILL.
const killPause = 10 * time.Millisecond

func (s *ownStop) kill(ctx context.Context, alive []Member, d time.Duration) error {
	s.say("Ended "+count(alive)+" by force", alive)
	var err error
	for end := s.w.Now().Add(d); len(alive) > 0 && s.w.Now().Before(end); {
		s.signal(alive, true)
		if alive, err = s.await(ctx, killPause, false); err != nil {
			return err
		}
	}
	return nil
}

func (s *ownStop) say(step string, alive []Member) { s.o.Progress(step, s.left(alive)) }

// see looks anew, and holds all that is there. Nobody counts only after a second
// look in a row, at the marks of the whole machine too: a process that forks and
// ends while the table is read is in it neither with its old pid nor the new.
func (s *ownStop) see() ([]Member, error) {
	again := false
	for range maxSights {
		table, err := s.o.NewTable()
		if err != nil {
			return nil, err
		}
		s.table = table
		k := table.pickOwn(s.own, again)
		if k.self {
			return nil, ErrRefused
		}
		found := k.members()
		alive, err := s.hold(found)
		if err != nil || len(alive) > 0 {
			return alive, err
		}
		if again && len(found) == 0 {
			return nil, nil
		}
		again = true
	}
	return nil, errFleeting
}

// maxSights bounds how often in a row processes may be gone before they can be
// held.
const maxSights = 100

var errFleeting = errors.New("its processes come and go faster than they can be looked at")

// hold keeps the identity of each of members and gives back those that live.
func (s *ownStop) hold(members []Member) ([]Member, error) {
	var alive []Member
	fresh := false
	for _, m := range members {
		if s.held[m.ID] == nil {
			h, err := Hold(m.ID)
			if errors.Is(err, ErrGone) {
				continue
			}
			if err != nil {
				return nil, err
			}
			s.held[m.ID], fresh = h, true
		}
		if !s.held[m.ID].ended() {
			alive = append(alive, m)
		}
	}
	s.learn(alive)
	if fresh {
		if ports, err := s.table.Ports(pids(alive)); err == nil {
			s.ports = append(s.ports, ports...)
		}
	}
	return alive, nil
}

// lookAgain is how often a waiting rung looks for processes that are new.
const lookAgain = 500 * time.Millisecond

// await waits until nobody of the task lives, d is over, or (where it may) a
// hurry; it answers with those that are alive then.
func (s *ownStop) await(ctx context.Context, d time.Duration, hurry bool) ([]Member, error) {
	end := time.NewTimer(d)
	defer end.Stop()
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	urge := s.opt.Hurry
	if !hurry {
		urge = nil
	}
	for {
		alive, err := s.see()
		if err != nil || len(alive) == 0 {
			return alive, err
		}
		// Who is left is asked once a turn: each of them may end at any moment.
		for left := s.left(alive); len(left) > 0; left = s.left(left) {
			select {
			case <-s.held[left[0].ID].Done():
				continue
			case <-again.C:
				s.say("Waiting for "+count(left)+" to end", left)
			case <-urge:
				return s.left(left), nil
			case <-end.C:
				return s.left(left), nil
			case <-ctx.Done():
				return s.left(left), ctx.Err()
			}
			break
		}
	}
}

// maxFreeze bounds how often a freeze looks for processes that were born while
// it went on.
const maxFreeze = 20

// Freeze stops every process of the task where it stands (SIGSTOP); Thaw lets
// them go on. n is how many processes stand still. It does not wait for a
// process that cannot be stopped.
func Freeze(w *world.World, o Own) (n int, err error) {
	stopped := map[ID]bool{}
	for range maxFreeze {
		fresh := 0
		err = each(w, o, func(m Member, h *Held) {
			if !stopped[m.ID] && h.signal(sigStop) == nil {
				stopped[m.ID] = true
				fresh++
			}
		})
		if err != nil || fresh == 0 {
			break
		}
	}
	return len(stopped), err
}

// Thaw wakes every process of the task (SIGCONT).
func Thaw(w *world.World, o Own) error {
	return each(w, o, func(_ Member, h *Held) { _ = h.signal(sigCont) }) // it may have ended
}

// each calls do for every living process of the task.
func each(w *world.World, o Own, do func(Member, *Held)) error {
	if w.Recorded() {
		return fmt.Errorf("%w: a recording", ErrRefused)
	}
	table, err := Scan(w)
	if err != nil {
		return err
	}
	k := table.pickOwn(o, false)
	if k.self {
		return ErrRefused
	}
	for _, m := range k.members() {
		h, err := Hold(m.ID)
		if err != nil {
			continue // ended meanwhile
		}
		do(m, h)
		h.Close()
	}
	return nil
}
