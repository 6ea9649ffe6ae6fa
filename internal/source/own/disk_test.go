//go:build unix

package own

import (
	"crypto/rand"
	"os"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/task"
)

// supervised is a started folder whose supervisor is this very process.
func (b *bench) supervised(r taskdir.Record, change func(*taskdir.Started)) taskdir.Dir {
	b.t.Helper()
	me, err := proc.Identify(os.Getpid())
	if err != nil {
		b.t.Fatal(err)
	}
	d := b.folder(r)
	b.started(d, func(s *taskdir.Started) {
		s.Supervisor = taskdir.Process{PID: me.PID, Start: me.Start}
		if change != nil {
			change(s)
		}
	})
	return d
}

// grow makes the output of d n bytes longer, with bytes that stand on the disk.
func (b *bench) grow(d taskdir.Dir, n int) {
	b.t.Helper()
	f, err := os.OpenFile(d.Output(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := f.Write(noise(n)); err != nil {
		b.t.Fatal(err)
	}
	if err := f.Sync(); err != nil { // file systems count what they have placed
		b.t.Fatal(err)
	}
	_ = f.Close()
}

// noise is what no file system makes smaller.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// O6: what fills its limit within minutes is said at the first look at its pace,
// what grows slowly or has room is not, and what a guard did always is.
func TestDisk(t *testing.T) {
	trim := taskdir.Size{Limit: 100 << 20, Do: taskdir.Trim}
	b := newBench(t)
	d := b.supervised(taskdir.Record{Shell: "yes", Size: trim}, nil)
	s := b.source()
	if got := b.row(s).Disk; got != nil {
		t.Errorf("an empty output: %+v", got)
	}
	b.grow(d, 4<<20)
	b.at(time.Second)
	got := b.row(s).Disk
	if got == nil || got.Limit != trim.Limit || got.Action != taskdir.Trim || !got.CanFreeze || !got.CanTrim || got.Frozen || got.Free <= 0 || got.Bytes < 3<<20 {
		t.Fatalf("4 MiB a second with a limit of 100 MiB: %+v", got)
	}
	b.at(time.Minute)
	if got := b.row(s).Disk; got != nil {
		t.Errorf("it stands still: %+v", got)
	}
	b.grow(d, 4<<20)
	b.at(2 * time.Minute)
	if got := b.row(s).Disk; got != nil {
		t.Errorf("4 MiB a minute: %+v", got)
	}
	for name, c := range map[string]struct {
		g     taskdir.Guard
		check func(task.DiskNote) bool
	}{
		"warned":  {taskdir.Guard{WarnedAt: b.now}, func(n task.DiskNote) bool { return !n.Frozen && !n.Trimmed && !n.Low }},
		"frozen":  {taskdir.Guard{FrozenAt: b.now}, func(n task.DiskNote) bool { return n.Frozen && n.CanFreeze }},
		"trimmed": {taskdir.Guard{TrimmedAt: b.now}, func(n task.DiskNote) bool { return n.Trimmed && !n.Low }},
		"low":     {taskdir.Guard{TrimmedAt: b.now, DiskLow: true}, func(n task.DiskNote) bool { return n.Trimmed && n.Low }},
	} {
		if err := d.WriteGuard(c.g); err != nil {
			t.Fatal(err)
		}
		if got := b.row(s).Disk; got == nil || !c.check(*got) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if err := d.WriteExit(taskdir.Exit{Reason: taskdir.Exited, Code: code(0), Ended: b.now}); err != nil {
		t.Fatal(err)
	}
	if got := b.row(s).Disk; got != nil {
		t.Errorf("ended: %+v", got)
	}
}

// O6: without its supervisor nobody guards an output, and nothing is offered that
// cannot be done.
func TestDiskWithoutSupervisor(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "yes", Size: taskdir.Size{Limit: 1 << 20, Do: taskdir.Freeze}})
	b.started(d, nil)
	if err := d.WriteGuard(taskdir.Guard{WarnedAt: b.now}); err != nil {
		t.Fatal(err)
	}
	if got := b.row(b.source()).Disk; got == nil || got.CanFreeze || got.CanTrim || got.Limit != 0 {
		t.Errorf("%+v", got)
	}
}

// H1: the row says when the time is over, also after turns of its agent.
func TestTimeAfterTurns(t *testing.T) {
	b := newBench(t)
	d := b.supervised(taskdir.Record{Shell: "x", TimeoutMS: time.Hour.Milliseconds()}, nil)
	if got := b.row(b.source()).Timeout; !got.Equal(b.now.Add(time.Hour)) {
		t.Errorf("ends at %v, want an hour after %v", got, b.now)
	}
	st, err := taskdir.ReadStarted(d)
	if err != nil {
		t.Fatal(err)
	}
	st.EndsAt = b.now.Add(90 * time.Minute)
	if err := d.WriteStarted(*st); err != nil {
		t.Fatal(err)
	}
	if got := b.row(b.source()).Timeout; !got.Equal(st.EndsAt) {
		t.Errorf("ends at %v after a turn, want %v", got, st.EndsAt)
	}
}
