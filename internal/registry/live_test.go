package registry

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// script is a source that says what a test sets.
type script struct {
	mu   sync.Mutex
	snap task.Snapshot
	err  error
	slow time.Duration
	hurt bool
	dirs []string
}

func (s *script) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hurt {
		panic("a record that nobody thought of")
	}
	if s.slow > 0 {
		select {
		case <-time.After(s.slow):
		case <-ctx.Done():
		}
	}
	return s.snap, s.err
}

func (s *script) Dirs() []string { return s.dirs }

func (s *script) set(f func(*task.Snapshot)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.snap.Tasks = append([]task.Task(nil), s.snap.Tasks...)
	f(&s.snap)
}

func one1(id string, st task.Status) task.Task {
	return task.Task{ID: "x:" + id, Native: id, Kind: task.Shell, Status: st, Session: "x:s", Run: 1}
}

// TestSourcesAlone: a source that is slow, fails or breaks is news in the
// snapshot and holds up no other (design: trouble is never an end).
func TestSourcesAlone(t *testing.T) {
	good := &script{snap: task.Snapshot{Tasks: []task.Task{one1("a", task.Running)}}}
	bad := &script{err: errors.New("its folder cannot be read")}
	hurt := &script{hurt: true}
	slow := &script{slow: time.Minute}
	r := New(Options{World: newWorld(t), Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "slow", Source: slow}, {Name: "bad", Source: bad}, {Name: "hurt", Source: hurt}, {Name: "good", Source: good}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	began := time.Now()
	snap, err := r.Next(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a slow source held the others up for %v", took)
	}
	if ids(snap.Tasks) != "a" {
		t.Errorf("tasks %q, want a", ids(snap.Tasks))
	}
	var said []string
	for _, x := range snap.Troubles {
		said = append(said, x.Text)
	}
	if all := strings.Join(said, "\n"); !strings.Contains(all, "bad could not be read: its folder") || !strings.Contains(all, "hurt could not be read") {
		t.Errorf("troubles: %q", all)
	}
}

// TestNext: an unchanged truth wakes nobody, a change does (L4).
func TestNext(t *testing.T) {
	src := &script{snap: task.Snapshot{Tasks: []task.Task{one1("a", task.Running)}}}
	r := New(Options{World: newWorld(t), Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: src}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	first, err := r.Next(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	quiet, stop := context.WithTimeout(ctx, 1500*time.Millisecond)
	defer stop()
	if snap, err := r.Next(quiet, first.Rev); err == nil {
		t.Errorf("nothing changed, yet revision %d came after %d", snap.Rev, first.Rev)
	}
	src.set(func(s *task.Snapshot) { s.Tasks[0].Status, s.Tasks[0].Ended = task.Failed, time.Now() })
	r.Wake()
	snap, err := r.Next(ctx, first.Rev)
	if err != nil || snap.Tasks[0].Status != task.Failed {
		t.Errorf("%v %v", snap.Tasks, err)
	}
}

// shellTask starts a command as an agent does: its output is a file on fd 1 and
// 2. It is ended with the test.
func shellTask(t *testing.T, command string) (task.Task, *exec.Cmd) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("stops foreign tasks found through /proc")
	}
	path := filepath.Join(t.TempDir(), "b1.output")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "-c", command)
	c.Stdout, c.Stderr = f, f
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	go func() { _ = c.Wait() }()
	t.Cleanup(func() { _ = c.Process.Kill() })
	x := one1("b1", task.Running)
	x.Source, x.Started, x.Can = "claude", time.Now(), task.Can{Read: true, Stop: true}
	x.Output.Path = path
	x.Evidence = task.Evidence{AgentPID: os.Getpid(), WritersAreProof: true}
	return x, c
}

// writers is a source that says of one task what the processes say.
type writers struct {
	t     task.Task
	procs *Procs
}

func (s *writers) Dirs() []string { return nil }

func (s *writers) Scan(context.Context) (task.Snapshot, error) {
	table, err := s.procs.Table()
	if err != nil {
		return task.Snapshot{}, err
	}
	users, err := table.Users(s.t.Output.Path)
	if err != nil {
		return task.Snapshot{}, err
	}
	t := s.t
	alive := false
	for _, u := range users {
		alive = alive || u.Std && u.Write
	}
	if !alive {
		t.Status, t.StatusSource, t.Ended = task.Failed, "processes", time.Now()
	}
	return task.Snapshot{Tasks: []task.Task{t}}, nil
}

// TestStopForReal: plan, stop, proof: every process of the task ends, a reader
// of its output does not, the port is free, the row says stopped even though
// its source says failed; and the end is on the row within a second.
func TestStopForReal(t *testing.T) {
	x, _ := shellTask(t, `echo ready; sleep 300 & exec sleep 301`)
	reader := exec.Command("tail", "-f", x.Output.Path)
	pipe, err := reader.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Process.Kill(); _ = reader.Wait() })
	if _, err := bufio.NewReader(pipe).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	procs := NewProcs(w)
	r := New(Options{World: w, Procs: procs, State: filepath.Join(t.TempDir(), "state"), Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	snap, err := r.Next(ctx, 0)
	if err != nil || len(snap.Tasks) != 1 || snap.Tasks[0].Status != task.Running {
		t.Fatalf("%v %v", snap.Tasks, err)
	}
	plan, err := r.PlanStop(ctx, x.ID)
	if err != nil || plan.Refused != "" || len(plan.Processes) != 2 {
		t.Fatalf("plan %+v %v", plan, err)
	}
	spared := false
	for _, p := range plan.Spared {
		spared = spared || p.PID == reader.Process.Pid
	}
	if !spared {
		t.Errorf("the reader is not shown as spared: %+v", plan.Spared)
	}
	written := false
	rep, err := r.Stop(ctx, plan, false, func(p task.StopProgress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		_, asked := r.ledger.stops[store.RunKey{Task: x.ID, Run: 1}]
		written = written || asked && len(p.Left) > 0
	})
	if !written {
		t.Error("the intent is not in the ledger while its processes live (K7)")
	}
	if err != nil || rep.Status != task.Cancelled || len(rep.Left) != 0 || len(rep.Ended) != 2 {
		t.Fatalf("report %+v %v", rep, err)
	}
	told := time.Now()
	for snap.Tasks[0].Status == task.Running {
		if snap, err = r.Next(ctx, snap.Rev); err != nil {
			t.Fatal(err)
		}
	}
	if d := time.Since(told); d > 3*time.Second {
		t.Errorf("the row learned of the end after %v", d)
	}
	if snap.Tasks[0].Status != task.Cancelled || snap.Tasks[0].StatusSource != stoppedHere {
		t.Errorf("the row says %s by %s", snap.Tasks[0].Status, snap.Tasks[0].StatusSource)
	}
	if rep.Note == "" || snap.Tasks[0].Warning == "" {
		t.Errorf("its agent may start it again, and nothing says so (A6): report %q, row %q", rep.Note, snap.Tasks[0].Warning)
	}
	if err := reader.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the reader was ended too: %v", err)
	}
	if _, err := r.PlanStop(ctx, x.ID); !errors.Is(err, ErrRefused) {
		t.Errorf("a second stop of an ended task: %v", err)
	}
}

// TestStopFromTwoWindows: the second of two stops says that the first is under
// way, and not that nobody writes the output (A6, N1's like).
func TestStopFromTwoWindows(t *testing.T) {
	w, state := newWorld(t), filepath.Join(t.TempDir(), "state")
	x := one1("gone", task.Running)
	x.Output.Path = filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(x.Output.Path, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.Can.Stop, x.Evidence.WritersAreProof = true, true
	r := New(Options{World: w, State: state, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
	defer func() { _ = r.Close() }()
	if _, err := r.Scan(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	before, err := r.PlanStop(t.Context(), x.ID)
	if err != nil || before.Refused == "" || strings.Contains(before.Refused, "another window") {
		t.Fatalf("without another stop: %+v %v", before, err)
	}
	other, err := store.Open(state)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if err := other.PutStop(store.StopIntent{Task: x.ID, Run: 1, At: time.Now(), PID: os.Getpid() + 1}); err != nil {
		t.Fatal(err)
	}
	if got, err := r.PlanStop(t.Context(), x.ID); err != nil || !strings.Contains(got.Refused, "stopped already, from another window") {
		t.Errorf("%+v %v", got, err)
	}
}

// TestEndIsAnEvent: a process that dies by itself is on its row within about a
// second, without waiting for the clock of the process table (budget: end of a
// task → its row).
func TestEndIsAnEvent(t *testing.T) {
	x, c := shellTask(t, `exec sleep 300`)
	w := newWorld(t)
	procs := NewProcs(w)
	r := New(Options{World: w, Procs: procs, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	snap, err := r.Next(ctx, 0)
	if err != nil || snap.Tasks[0].Status != task.Running {
		t.Fatalf("%v %v", snap.Tasks, err)
	}
	_ = c.Process.Kill()
	killed := time.Now()
	for snap.Tasks[0].Status == task.Running {
		if snap, err = r.Next(ctx, snap.Rev); err != nil {
			t.Fatal(err)
		}
	}
	if d := time.Since(killed); d > 5*time.Second {
		t.Errorf("the end was seen after %v", d)
	}
}

// TestRecordingIsSafe: under a root nothing can be stopped and nothing is
// written.
func TestRecordingIsSafe(t *testing.T) {
	w, err := world.New(world.Options{Root: t.TempDir(), Getenv: func(string) string { return "/home/dev" }})
	if err != nil {
		t.Fatal(err)
	}
	x := one1("a", task.Running)
	x.Can.Stop = true
	r := New(Options{World: w, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
	defer func() { _ = r.Close() }()
	snap, err := r.Scan(context.Background(), 0)
	if err != nil || snap.Tasks[0].Can.Stop || snap.Tasks[0].Can.WhyNot == "" {
		t.Fatalf("%+v %v", snap.Tasks, err)
	}
	plan, err := r.PlanStop(context.Background(), x.ID)
	if err != nil || plan.Refused == "" {
		t.Errorf("%+v %v", plan, err)
	}
	if _, err := r.Stop(context.Background(), plan, false, nil); !errors.Is(err, ErrRefused) {
		t.Errorf("a stop in a recording: %v", err)
	}
	if _, err := proc.Scan(w); !errors.Is(err, proc.ErrNoProcs) {
		t.Errorf("processes in an empty recording: %v", err)
	}
}

// TestCountsSurvive: what was counted is not read again after a restart (F2).
func TestCountsSurvive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b1.output")
	log := " RUN  v3.2.4 /srv/app\n\n ✓ src/a.test.ts (3 tests) 4ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)\n   Duration  1.00s\n"
	if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	x := one1("b1", task.Succeeded)
	x.Ended, x.Output.Path = time.Now(), path
	state := filepath.Join(t.TempDir(), "state")
	look := func() task.Snapshot {
		r := New(Options{World: newWorld(t), State: state, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
		defer func() { _ = r.Close() }()
		snap, err := r.Scan(context.Background(), 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return snap
	}
	for i := range 2 {
		snap := look()
		if c := task.TestChip(snap.Tasks[0].Tests); c.Text != "✓ 3" {
			t.Errorf("look %d: chip %q, want ✓ 3", i+1, c.Text)
		}
	}
	r := New(Options{World: newWorld(t), State: state})
	defer func() { _ = r.Close() }()
	c := r.facts.load(path)
	if c == nil {
		t.Fatal("no count of the log was kept")
	}
}

// listenVar makes this test program a server whose output is a task's.
const listenVar = "OFFSTAGE_TEST_LISTEN"

// listen is that server.
func listen() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 1
	}
	if stop := os.Getenv(servedVar); stop != "" {
		return serve(l, stop)
	}
	fmt.Println("listening on", l.Addr().(*net.TCPAddr).Port)
	time.Sleep(time.Minute)
	return 0
}

// TestPortsOfATask: the port that a child of a task listens on is on its row, in
// a listing as in the panel, and :PORT names the task (spec 5, REF).
func TestPortsOfATask(t *testing.T) {
	t.Setenv(listenVar, "1")
	x, _ := shellTask(t, os.Args[0]+" & wait")
	var port int
	for end := time.Now().Add(20 * time.Second); port == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		b, _ := os.ReadFile(x.Output.Path)
		_, _ = fmt.Sscanf(string(b), "listening on %d\n", &port)
	}
	if port == 0 {
		t.Fatal("the server does not listen")
	}
	w := newWorld(t)
	procs := NewProcs(w)
	r := New(Options{World: w, Procs: procs, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	snap, err := r.Scan(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Find(snap, fmt.Sprintf(":%d", port)); err != nil || got.ID != x.ID {
		t.Errorf("a listing does not know port %d: %+v %v", port, snap.Tasks, err)
	}
	panel := New(Options{World: w, Procs: procs, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = panel.Close() }()
	for snap, err = panel.Next(ctx, 0); err == nil && len(snap.Tasks[0].Ports) == 0; snap, err = panel.Next(ctx, snap.Rev) {
	}
	if err != nil || snap.Tasks[0].Ports[0] != port {
		t.Errorf("the panel does not know port %d: %v", port, err)
	}
	plan, err := panel.PlanStop(ctx, x.ID)
	if err != nil || len(plan.Ports) != 1 {
		t.Fatalf("plan %+v %v", plan, err)
	}
	rep, err := panel.Stop(ctx, plan, false, nil)
	if err != nil || len(rep.PortsFreed) != 1 || rep.PortsFreed[0] != port {
		t.Errorf("report %+v %v", rep, err)
	}
}
