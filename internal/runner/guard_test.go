//go:build unix

package runner

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// guarded waits for a word of the guard.
func guarded(t testing.TB, w *world.World, d taskdir.Dir, what string, ok func(State) bool) State {
	t.Helper()
	var last State
	wait(t, what, func() bool {
		s, err := Status(context.Background(), w, d)
		last = s
		return err == nil && ok(s)
	})
	return last
}

// O6: a flood is frozen within 100 ms of the look that saw it, and stands still.
func TestSizeFreezes(t *testing.T) {
	w, state := stage(t)
	limit, most := int64(32<<20), int64(2000) // ms: other tests run beside this one
	if os.Getenv("OFFSTAGE_FULL") != "" {
		limit, most = 100<<20, 100
	}
	st := start(t, w, Spec{State: state, Shell: "while yes; do :; done", Size: taskdir.Size{Limit: limit, Do: taskdir.Freeze}})
	s := guarded(t, w, st.Dir, "frozen", func(s State) bool { return s.Frozen })
	if s.Guard.TookMS > most {
		t.Errorf("frozen %d ms after it was seen", s.Guard.TookMS)
	}
	t.Logf("limit %d MiB, frozen at %d MiB, %d ms after the look", limit>>20, s.OnDisk>>20, s.Guard.TookMS)
	time.Sleep(300 * time.Millisecond)
	again, err := Status(context.Background(), w, st.Dir)
	if err != nil || again.Bytes != s.Bytes && again.Bytes != mustSize(t, st.Dir) {
		t.Errorf("it grows on: %d, then %d (%v)", s.Bytes, again.Bytes, err)
	}
	size := mustSize(t, st.Dir)
	time.Sleep(300 * time.Millisecond)
	if now := mustSize(t, st.Dir); now != size {
		t.Errorf("it grows on: %d, then %d", size, now)
	}
	if _, err := Thaw(context.Background(), w, st.Dir); err != nil {
		t.Fatal(err)
	}
	wait(t, "growth after the thaw", func() bool { return mustSize(t, st.Dir) > size })
	got, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true})
	if err != nil || len(got.Left) > 0 || got.Status != task.Cancelled {
		t.Errorf("a flood is stopped: %+v, %v", got, err)
	}
}

func mustSize(t testing.TB, d taskdir.Dir) int64 {
	t.Helper()
	st, err := fsys.Lstat(d.Output())
	if err != nil {
		t.Fatal(err)
	}
	return st.Size
}

// O6: a flood is trimmed in place: the disk never holds more than the limit and
// 256 MiB, offsets stay, head and tail are whole, and the gap says what it is.
func TestSizeTrims(t *testing.T) {
	w, state := stage(t)
	const limit = 48 << 20
	st := start(t, w, Spec{State: state, Shell: "echo first; yes 0123456789abcde", Size: taskdir.Size{Limit: limit, Do: taskdir.Trim}})
	var peak int64
	wait(t, "500 MB of output", func() bool {
		f, err := fsys.Lstat(st.Dir.Output())
		if err != nil {
			t.Fatal(err)
		}
		peak = max(peak, f.Blocks)
		return f.Size > 500<<20
	})
	s := guarded(t, w, st.Dir, "trimmed", func(s State) bool { return !s.Guard.TrimmedAt.IsZero() || s.Guard.Trouble != "" })
	if strings.Contains(s.Guard.Trouble, "not supported") {
		t.Skip("this file system punches no holes")
	}
	if peak > limit+256<<20 {
		t.Errorf("the disk held %d MiB with a limit of %d MiB", peak>>20, limit>>20)
	}
	t.Logf("peak %d MiB with a limit of %d MiB, %d MiB written", peak>>20, limit>>20, s.Bytes>>20)
	if _, err := Stop(context.Background(), w, st.Dir, StopOptions{Now: true}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(st.Dir.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	g := taskdir.Read(st.Dir).Guard
	if g == nil || g.GapTo <= g.GapFrom {
		t.Fatalf("guard %+v", g)
	}
	head, mark, tail := make([]byte, 22), make([]byte, 200), make([]byte, 64)
	_, err1 := f.ReadAt(head, 0)
	_, err2 := f.ReadAt(mark, g.GapFrom)
	_, err3 := f.ReadAt(tail, g.GapTo)
	if err1 != nil || err2 != nil || err3 != nil || string(head) != "first\n0123456789abcde\n" {
		t.Errorf("head %q %v %v %v", head, err1, err2, err3)
	}
	if !strings.HasPrefix(string(mark), "\n[Offstage: ") || !strings.Contains(string(mark), "cut out") {
		t.Errorf("the gap says %q", mark)
	}
	if !strings.Contains(string(tail), "0123456789abcde\n0123") {
		t.Errorf("behind the gap %q", tail)
	}
}

// O6: warned of at a fifth; stopped where that was asked.
func TestSizeWarnsAndStops(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "head -c 5000000 /dev/zero | tr '\\0' x; sleep 300", Size: taskdir.Size{Limit: 20 << 20, Do: taskdir.Stop}})
	if s := guarded(t, w, st.Dir, "warned", func(s State) bool { return !s.Guard.WarnedAt.IsZero() }); s.Status != task.Running {
		t.Errorf("%+v", s)
	}
	st = start(t, w, Spec{State: state, Shell: "yes", Size: taskdir.Size{Limit: 20 << 20, Do: taskdir.Stop}})
	if e := ended(t, st.Dir, 15*time.Second); e.Reason != taskdir.SizeLimit || e.Status() != task.Cancelled {
		t.Errorf("end %+v", e)
	}
}

// O6: a disk that is nearly full trims an output that grows, whatever its limit.
func TestLowDisk(t *testing.T) {
	g := sizeWatch{space: func(string) (uint64, uint64, error) { return 3 << 30, 100 << 30, nil }}
	if !g.low("x") {
		t.Error("3 % free is low")
	}
	g.space = func(string) (uint64, uint64, error) { return 1 << 30, 10 << 30, nil }
	if !g.low("x") {
		t.Error("1 GiB free is low")
	}
	g.space = func(string) (uint64, uint64, error) { return 60 << 30, 100 << 30, nil }
	if g.low("x") {
		t.Error("60 % free is not low")
	}
}

// The clock is quick while a limit could be passed, and slow otherwise.
func TestLooks(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   taskdir.Size
		onDisk int64
		speed  float64
		want   time.Duration
	}{
		{"default, quiet", DefaultSize, 0, 0, slowLook},
		{"default, growing fast", DefaultSize, 1 << 30, 50 << 20, fastLook},
		{"a small limit", taskdir.Size{Limit: 100 << 20, Do: taskdir.Trim}, 0, 0, 95703125 * time.Nanosecond},
		{"at the limit", taskdir.Size{Limit: 100 << 20, Do: taskdir.Trim}, 100 << 20, 500 << 20, 46875 * time.Microsecond},
		{"none", taskdir.Size{Do: taskdir.Warn}, 1 << 40, 0, slowLook},
	} {
		if got := (&sizeWatch{size: c.size}).next(c.onDisk, c.speed); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
