package runner

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// ErrNoSupervisor: nobody listens on the task's socket: it has ended, or its
// supervisor was killed.
var ErrNoSupervisor = errors.New("the task has no supervisor any more")

// refused is a sentence of the supervisor's why it did not do what was asked.
type refused string

func (r refused) Error() string        { return string(r) }
func (r refused) Is(target error) bool { return target == ErrRefused }

// ErrRefused: the supervisor answered and did nothing; the error's text is a
// sentence for a person.
var ErrRefused = errors.New("refused")

// Bounds of a talk with a supervisor. A stop says something every second.
const (
	dialPatience  = 500 * time.Millisecond
	firstPatience = 5 * time.Second
	linePatience  = 15 * time.Second
	maxLine       = 4 << 20
)

// Status asks how the task of d stands.
func Status(ctx context.Context, w *world.World, d taskdir.Dir) (State, error) {
	return simple(ctx, w, d, ask{Do: doStatus})
}

// Answer types a line into the terminal of a task that has one.
func Answer(ctx context.Context, w *world.World, d taskdir.Dir, text string) error {
	_, err := simple(ctx, w, d, ask{Do: doAnswer, Text: text})
	return err
}

// Turn says that the task's agent had a turn: its time starts from zero (H1).
func Turn(ctx context.Context, w *world.World, d taskdir.Dir) error {
	_, err := simple(ctx, w, d, ask{Do: doTurn})
	return err
}

// Freeze makes all processes of the task stand still, Thaw lets them go on.
func Freeze(ctx context.Context, w *world.World, d taskdir.Dir) (State, error) {
	return simple(ctx, w, d, ask{Do: doFreeze})
}

// Thaw undoes Freeze.
func Thaw(ctx context.Context, w *world.World, d taskdir.Dir) (State, error) {
	return simple(ctx, w, d, ask{Do: doThaw})
}

// Trim cuts the middle out of the task's output now (O6).
func Trim(ctx context.Context, w *world.World, d taskdir.Dir) (State, error) {
	return simple(ctx, w, d, ask{Do: doTrim})
}

// StopOptions tune a Stop.
type StopOptions struct {
	// Now leaves out the polite rungs. A Stop while one is under way skips one rung.
	Now bool
	// Inner stops the tasks too that this one started.
	Inner bool
	// Progress, where set, is told each step and who is left; commands are raw.
	Progress func(step string, left []proc.Member)
}

// Stopped is the proof of a stop.
type Stopped struct {
	// Status of the task after it: Running where the command lives on.
	Status task.Status
	proc.Report
}

// Stop ends the task of d with all that it started and waits for the proof
// (K2, K4). Where its supervisor is dead, or does not answer, the processes are
// ended from here; then nobody can know an exit code. An error means that the
// proof is missing.
func Stop(ctx context.Context, w *world.World, d taskdir.Dir, o StopOptions) (Stopped, error) {
	var out *wireStop
	err := talk(ctx, w, d, ask{Do: doStop, Now: o.Now, Inner: o.Inner}, func(r reply) {
		if r.Stop != nil {
			out = r.Stop
		} else if o.Progress != nil && !r.Done {
			o.Progress(r.Step, fromWire(r.Left))
		}
	})
	if errors.Is(err, ErrNoSupervisor) {
		return stopAlone(ctx, w, d, o)
	}
	if err != nil {
		return Stopped{}, err
	}
	if out == nil {
		return Stopped{}, fmt.Errorf("stop task %s: the supervisor gave no proof", d.ID())
	}
	s := Stopped{Status: out.Status, Report: proc.Report{Ended: fromWire(out.Ended), Left: fromWire(out.Left),
		PortsFreed: out.PortsFreed, PortsHeld: out.PortsHeld, Took: time.Duration(out.TookMS) * time.Millisecond}}
	if out.Error != "" {
		return s, fmt.Errorf("stop task %s: %s", d.ID(), out.Error)
	}
	return s, nil
}

// stopAlone ends the processes of a task without its supervisor, and writes that
// it was stopped if nobody wrote its end meanwhile.
func stopAlone(ctx context.Context, w *world.World, d taskdir.Dir, o StopOptions) (Stopped, error) {
	f := taskdir.Read(d)
	began := w.Now().UTC()
	own := OwnOf(d, f.Started)
	own.WithInner = o.Inner
	if f.Started != nil {
		if m := proc.MachineOf(w); f.Started.Boot != m.Boot || f.Started.Namespace != m.Namespace {
			return Stopped{}, refused("Its processes cannot be seen from here: it was started before the last restart of the machine, or in a container.")
		}
	}
	if f.Exit == nil {
		_ = d.WriteStop(taskdir.StopMark{Reason: taskdir.Cancelled, At: began}) // a full disk holds up no stop
	}
	report, err := proc.StopOwn(ctx, w, own, proc.OwnOptions{Now: o.Now, Progress: o.Progress})
	out := Stopped{Status: task.Running, Report: report}
	if err != nil {
		return out, fmt.Errorf("stop task %s: %w", d.ID(), err)
	}
	if len(report.Left) > 0 {
		return out, nil
	}
	out.Status = task.Cancelled
	if f.Exit != nil {
		out.Status = f.Exit.Status()
		return out, nil
	}
	if d.HasExit() {
		return out, nil
	}
	if err := d.WriteExit(taskdir.Exit{Reason: taskdir.Cancelled, Ended: w.Now().UTC()}); err != nil {
		return out, fmt.Errorf("write that task %s was stopped: %w", d.ID(), err)
	}
	return out, nil
}

// simple is a talk of one answer.
func simple(ctx context.Context, w *world.World, d taskdir.Dir, a ask) (State, error) {
	var st State
	err := talk(ctx, w, d, a, func(r reply) {
		if r.State != nil {
			st = *r.State
		}
	})
	return st, err
}

// talk asks and hands every line of the answer to each. ErrNoSupervisor where
// nobody answers at all.
func talk(ctx context.Context, w *world.World, d taskdir.Dir, a ask, each func(reply)) error {
	c, err := dial(ctx, d)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(w.Now()) })
	defer stop()
	a.Version = wireVersion
	line, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("ask the supervisor of task %s: %w", d.ID(), err)
	}
	_ = c.SetDeadline(w.Now().Add(firstPatience))
	if _, err := c.Write(append(line, '\n')); err != nil {
		return noAnswer(ctx, d, err)
	}
	from := bufio.NewScanner(c)
	from.Buffer(make([]byte, 0, 4096), maxLine)
	for from.Scan() {
		var r reply
		if err := json.Unmarshal(from.Bytes(), &r); err != nil {
			return fmt.Errorf("read the answer of task %s's supervisor: %w", d.ID(), err)
		}
		if r.Refused != "" {
			return refused(r.Refused)
		}
		each(r)
		if r.Done {
			return nil
		}
		_ = c.SetReadDeadline(w.Now().Add(linePatience))
	}
	return noAnswer(ctx, d, from.Err())
}

// dial finds the socket where the supervisor said it is.
func dial(ctx context.Context, d taskdir.Dir) (net.Conn, error) {
	st, err := taskdir.ReadStarted(d)
	if err != nil && st == nil || st == nil || st.Control == "" {
		return nil, fmt.Errorf("reach task %s: %w", d.ID(), ErrNoSupervisor)
	}
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, "unix", st.Control)
	if err != nil {
		return nil, fmt.Errorf("reach task %s: %w", d.ID(), ErrNoSupervisor)
	}
	return c, nil
}

// noAnswer is for a supervisor that fell silent.
func noAnswer(ctx context.Context, d taskdir.Dir, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("talk to the supervisor of task %s: %w", d.ID(), ctx.Err())
	}
	return fmt.Errorf("talk to the supervisor of task %s (%v): %w", d.ID(), err, ErrNoSupervisor)
}
