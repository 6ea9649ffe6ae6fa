//go:build unix

package own

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// bench is a state folder with a clock of its own.
type bench struct {
	t     *testing.T
	w     *world.World
	state string
	now   time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, state: filepath.Join(t.TempDir(), "s"), now: time.Now()}
	b.at(0)
	return b
}

// at sets the clock to d after now.
func (b *bench) at(d time.Duration) {
	b.t.Helper()
	w, err := world.New(world.Options{Now: b.now.Add(d), Getenv: func(string) string { return "/" }})
	if err != nil {
		b.t.Fatal(err)
	}
	b.w = w
}

// folder makes a task of which nothing runs.
func (b *bench) folder(r taskdir.Record) taskdir.Dir {
	b.t.Helper()
	d, err := taskdir.Create(b.state)
	if err != nil {
		b.t.Fatal(err)
	}
	if r.Created.IsZero() {
		r.Created = b.now
	}
	if r.Kind == "" {
		r.Kind = task.Shell
	}
	if err := d.Prepare(r, []string{"A=b"}); err != nil {
		b.t.Fatal(err)
	}
	return d
}

// started signs a folder with processes that are gone, or given ones.
func (b *bench) started(d taskdir.Dir, change func(*taskdir.Started)) {
	b.t.Helper()
	m := proc.MachineOf(b.w)
	s := taskdir.Started{Boot: m.Boot, Namespace: m.Namespace, Supervisor: taskdir.Process{PID: 1 << 22, Start: 1}, Child: taskdir.Process{PID: 1<<22 + 1, Start: 1}, At: b.now}
	if change != nil {
		change(&s)
	}
	if err := d.WriteStarted(s); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) source() *Source {
	return New(b.w, b.state, func() (*proc.Table, error) { return proc.Scan(b.w) })
}

// row is the only task that s sees at its present clock.
func (b *bench) row(s *Source) task.Task {
	b.t.Helper()
	s.w = b.w
	snap, err := s.Scan(context.Background())
	if err != nil || len(snap.Tasks) != 1 {
		b.t.Fatalf("%d tasks, %v", len(snap.Tasks), err)
	}
	return snap.Tasks[0]
}

func code(n int) *int { return &n }

// K7, L3: an end is what stands in the exit record, and nothing else.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		e      taskdir.Exit
		status task.Status
	}{
		"succeeded":     {taskdir.Exit{Reason: taskdir.Exited, Code: code(0)}, task.Succeeded},
		"failed":        {taskdir.Exit{Reason: taskdir.Exited, Code: code(2)}, task.Failed},
		"by a signal":   {taskdir.Exit{Reason: taskdir.Exited, Signal: "SEGV"}, task.Failed},
		"timed out":     {taskdir.Exit{Reason: taskdir.TimedOut, Signal: "TERM"}, task.TimedOut},
		"stopped":       {taskdir.Exit{Reason: taskdir.Cancelled, Code: code(0)}, task.Cancelled},
		"too large":     {taskdir.Exit{Reason: taskdir.SizeLimit, Signal: "KILL"}, task.Cancelled},
		"never started": {taskdir.Exit{Reason: taskdir.FailedToStart, Error: "there is no such thing"}, task.Failed},
		"unknown words": {taskdir.Exit{Reason: "vanished", Code: code(0)}, task.Lost},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			d := b.folder(taskdir.Record{Argv: []string{"/usr/bin/make", "all tests"}, Cwd: "/srv/shop"})
			b.started(d, nil)
			c.e.Ended = b.now.UTC().Truncate(time.Second)
			if err := d.WriteExit(c.e); err != nil {
				t.Fatal(err)
			}
			got := b.row(b.source())
			if got.Status != c.status || got.Signal != c.e.Signal || (got.ExitCode == nil) != (c.e.Code == nil) || !got.Ended.Equal(c.e.Ended) || got.StatusSource != fromEnd {
				t.Errorf("%+v", got)
			}
			if got.ID != "own:"+d.ID() || got.Title != "make 'all tests'" || got.Command != "/usr/bin/make 'all tests'" || got.Output.Path != d.Output() || got.Can.Stop {
				t.Errorf("%+v", got)
			}
		})
	}
}

// G2, G3, L3: without supervisor, processes and end it waits for its worker, and
// after 90 s its result is unknown; a late record corrects that.
func TestWorkerDoesNotComeBack(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "make"})
	b.started(d, nil)
	s := b.source()
	b.at(89 * time.Second)
	if got := b.row(s); got.Status != task.Running || got.Warning != task.WaitingForWorker || got.Can.Stop || got.Can.WhyNot == "" {
		t.Errorf("%+v", got)
	}
	b.at(91 * time.Second)
	if got := b.row(s); got.Status != task.Lost || !strings.HasPrefix(got.Summary, "Ended, result unknown") || got.ExitCode != nil || got.Ended.After(b.now.Add(time.Second)) {
		t.Errorf("%+v", got)
	}
	if err := d.WriteExit(taskdir.Exit{Reason: taskdir.Exited, Code: code(0), Ended: b.now}); err != nil {
		t.Fatal(err)
	}
	if got := b.row(s); got.Status != task.Succeeded {
		t.Errorf("a late record: %+v", got)
	}
}

// The record of a stop says how a task ended whose supervisor died of it (K7).
func TestStopWithoutEnd(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "make"})
	b.started(d, nil)
	if err := d.WriteStop(taskdir.StopMark{Reason: taskdir.Cancelled, At: b.now}); err != nil {
		t.Fatal(err)
	}
	if got := b.row(b.source()); got.Status != task.Cancelled || got.ExitCode != nil {
		t.Errorf("%+v", got)
	}
}

// A reboot is found by the boot id, and its time is that of the boot.
func TestReboot(t *testing.T) {
	b := newBench(t)
	m := proc.MachineOf(b.w)
	if m.Boot == "" {
		t.Skip("this system has no boot id")
	}
	d := b.folder(taskdir.Record{Shell: "make"})
	b.started(d, func(s *taskdir.Started) {
		s.Boot = "00000000-0000-0000-0000-000000000000"
		s.Supervisor = me(t) // its pid lives, in another life of the machine
	})
	if got := b.row(b.source()); got.Status != task.Lost || !got.Ended.Equal(m.Since) || !strings.Contains(got.Summary, "restarted") {
		t.Errorf("%+v", got)
	}
}

func me(t *testing.T) taskdir.Process {
	t.Helper()
	id, err := proc.Identify(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	return taskdir.Process{PID: id.PID, Start: id.Start}
}

// G6: pids of another namespace mean nothing here.
func TestOtherNamespace(t *testing.T) {
	b := newBench(t)
	if proc.MachineOf(b.w).Namespace == 0 {
		t.Skip("this system has no pid namespaces")
	}
	d := b.folder(taskdir.Record{Shell: "make"})
	b.started(d, func(s *taskdir.Started) { s.Namespace = 4; s.Supervisor = me(t) })
	b.at(time.Hour)
	if got := b.row(b.source()); got.Status != task.Running || got.Can.Stop || !strings.HasPrefix(got.Can.WhyNot, "Cannot see its processes") || !got.StatusAt.Equal(b.now) {
		t.Errorf("%+v", got)
	}
}

// A supervised task runs; its supervisor is watched and never signalled. A pid
// that came back as another process is believed by nobody.
func TestSupervised(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "make", TTY: true, TimeoutMS: 60_000})
	child := sleeper(t)
	b.started(d, func(s *taskdir.Started) { s.Supervisor, s.Child, s.Awake = me(t), child, true })
	got := b.row(b.source())
	if !got.Awake {
		t.Error("that the machine is kept awake is not told")
	}
	if got.Status != task.Running || !got.Can.Stop || !got.Can.Answer || got.Evidence.AgentPID != os.Getpid() || !got.Timeout.Equal(b.now.Add(time.Minute)) {
		t.Errorf("%+v", got)
	}
	b.started(d, func(s *taskdir.Started) {
		s.Supervisor = me(t)
		s.Supervisor.Start++
		s.Child = child
		s.Child.Start++
	})
	b.at(2 * time.Minute)
	if got := b.row(b.source()); got.Status != task.Lost {
		t.Errorf("reused pids: %+v", got)
	}
}

// A task that was started since the last look at the processes runs, as its own
// record says: that look cannot hold its supervisor (G2). Once a look could, it
// decides.
func TestStartedSinceTheLook(t *testing.T) {
	b := newBench(t)
	table, err := proc.Scan(b.w)
	if err != nil {
		t.Fatal(err)
	}
	table.At = b.now.Add(-time.Second)
	d := b.folder(taskdir.Record{Shell: "make"})
	b.started(d, nil)
	s := New(b.w, b.state, func() (*proc.Table, error) { return table, nil })
	if got := b.row(s); got.Status != task.Running || !got.Can.Stop || got.Warning != "" {
		t.Errorf("not seen yet: %+v", got)
	}
	table.At = b.now.Add(time.Second)
	if got := b.row(s); got.Warning != task.WaitingForWorker || got.Can.Stop {
		t.Errorf("seen to be gone: %+v", got)
	}
}

func sleeper(t *testing.T, env ...string) taskdir.Process {
	t.Helper()
	cmd := exec.Command("sleep", "60")
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	id, err := proc.Identify(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	return taskdir.Process{PID: id.PID, Start: id.Start, Command: "sleep 60"}
}

// Without its supervisor a task is found by its command, and by the mark in an
// environment where that is gone too.
func TestUnsupervised(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "make"})
	child := sleeper(t)
	b.started(d, func(s *taskdir.Started) { s.Child = child })
	b.at(time.Hour)
	if got := b.row(b.source()); got.Status != task.Running || !got.Can.Stop || !strings.HasPrefix(got.Warning, "Running, unsupervised") || len(got.Evidence.Roots) != 1 {
		t.Errorf("by its command: %+v", got)
	}
	b.started(d, nil)
	marked := sleeper(t, taskdir.MarkVar+"="+d.ID())
	if got := b.row(b.source()); got.Status != task.Running || len(got.Evidence.Roots) != 1 || got.Evidence.Roots[0].PID != marked.PID {
		t.Errorf("by its mark: %+v", got)
	}
}

// A folder that nobody signed is being started, for a while.
func TestUnstarted(t *testing.T) {
	b := newBench(t)
	b.folder(taskdir.Record{Shell: "make"})
	if got := b.row(b.source()); got.Status != task.Queued || got.Can.Stop {
		t.Errorf("%+v", got)
	}
	b.at(2 * time.Minute)
	if got := b.row(b.source()); got.Status != task.Lost || !strings.HasPrefix(got.Summary, "It was never started") {
		t.Errorf("%+v", got)
	}
}

// What outlived its task is a row of its own with a Stop.
func TestLeftBehind(t *testing.T) {
	b := newBench(t)
	d := b.folder(taskdir.Record{Shell: "server &", Name: "srv"})
	b.started(d, nil)
	left := sleeper(t)
	stranger := left
	stranger.Start++
	if err := d.WriteExit(taskdir.Exit{Reason: taskdir.Exited, Code: code(0), Ended: b.now, Survivors: []taskdir.Process{left, stranger}}); err != nil {
		t.Fatal(err)
	}
	snap, err := b.source().Scan(context.Background())
	if err != nil || len(snap.Tasks) != 2 {
		t.Fatalf("%+v, %v", snap.Tasks, err)
	}
	x := snap.Tasks[1]
	if !x.LeftBehind || !x.Can.Stop || x.Status != task.Running || x.Parent != snap.Tasks[0].ID || len(x.Evidence.Roots) != 1 || x.Title != "left behind by srv" || x.Command != "sleep 60" {
		t.Errorf("%+v", x)
	}
}

// The session is that of the agent which asked, else the person's for the project.
func TestSessions(t *testing.T) {
	b := newBench(t)
	repo := t.TempDir()
	if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.folder(taskdir.Record{Shell: "a", Cwd: filepath.Join(repo, "sub", "gone")})
	b.folder(taskdir.Record{Shell: "b", Cwd: repo})
	b.folder(taskdir.Record{Shell: "c", Cwd: repo, Asker: taskdir.Asker{Agent: "claude", Session: "5f6e", Task: "t-00000000"}})
	snap, err := b.source().Scan(context.Background())
	if err != nil || len(snap.Tasks) != 3 || len(snap.Sessions) != 2 {
		t.Fatalf("%+v, %v", snap, err)
	}
	if s := snap.Sessions[0]; s.ID != "claude:5f6e" || s.Cwd != "" || s.State != task.BackgroundOnly {
		t.Errorf("what its own source does not tell is that work goes on: %+v", s)
	}
	if s := snap.Sessions[1]; s.ID != "own:"+repo || s.Title != "Started by you in "+filepath.Base(repo) || s.State != task.BackgroundOnly {
		t.Errorf("%+v", s)
	}
	for _, x := range snap.Tasks {
		want := "own:" + repo
		if x.Title == "c" {
			want = "claude:5f6e"
			if x.Parent != "own:t-00000000" {
				t.Errorf("%+v", x)
			}
		}
		if x.Session != want {
			t.Errorf("%s is in %s", x.Title, x.Session)
		}
	}
}

// A folder into which its starter has put nothing yet is no row, and no task that
// was lost; one that stays so is.
func TestFolderBeingMade(t *testing.T) {
	b := newBench(t)
	d, err := taskdir.Create(b.state)
	if err != nil {
		t.Fatal(err)
	}
	s := b.source()
	if snap, err := s.Scan(context.Background()); err != nil || len(snap.Tasks) != 0 || len(snap.Troubles) != 0 {
		t.Errorf("%+v, %v", snap, err)
	}
	if !slices.Contains(s.Dirs(), string(d)) {
		t.Error("what comes next would be no news")
	}
	b.at(2 * time.Minute)
	if got := b.row(s); got.Status != task.Lost || got.Trouble == "" {
		t.Errorf("%+v", got)
	}
	b.at(0)
	if err := d.Prepare(taskdir.Record{Shell: "make", Created: b.now, Kind: task.Shell}, nil); err != nil {
		t.Fatal(err)
	}
	if got := b.row(s); got.Status != task.Queued || got.Trouble != "" {
		t.Errorf("%+v", got)
	}
}

// Broken, newer and hostile folders are the trouble of their own rows.
func TestBrokenFolders(t *testing.T) {
	for name, spoil := range map[string]func(d string) error{
		"half written": func(d string) error {
			return os.WriteFile(filepath.Join(d, "exit.json"), []byte(`{"version":1,"code":0,"rea`), 0o600)
		},
		"empty": func(d string) error { return os.WriteFile(filepath.Join(d, "started.json"), nil, 0o600) },
		"a link": func(d string) error {
			return os.Symlink("/etc/passwd", filepath.Join(d, "exit.json"))
		},
		"a folder":    func(d string) error { return os.Mkdir(filepath.Join(d, "exit.json"), 0o700) },
		"no record":   func(d string) error { return os.Remove(filepath.Join(d, "task.json")) },
		"wrong shape": func(d string) error { return os.WriteFile(filepath.Join(d, "exit.json"), []byte(`[1]`), 0o600) },
		"newer": func(d string) error {
			return os.WriteFile(filepath.Join(d, "guard.json"), []byte(`{"version":9}`), 0o600)
		},
		"control text": func(d string) error { return os.WriteFile(filepath.Join(d, "task.json"), []byte("\x1b]0;x\a"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			d := b.folder(taskdir.Record{Shell: "make"})
			if err := spoil(string(d)); err != nil {
				t.Fatal(err)
			}
			got := b.row(b.source())
			if got.Trouble == "" || strings.ContainsAny(got.Trouble, "\x1b\x07") || got.Status == task.Succeeded {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A thousand ended tasks are read once.
func BenchmarkScanEnded(b *testing.B) {
	w, err := world.New(world.Options{})
	if err != nil {
		b.Fatal(err)
	}
	state := filepath.Join(b.TempDir(), "s")
	for range 1000 {
		d, err := taskdir.Create(state)
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Prepare(taskdir.Record{Shell: "make", Created: w.Now()}, nil); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(string(d), "exit.json"), []byte(`{"version":1,"code":0,"reason":"exited"}`), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	s := New(w, state, func() (*proc.Table, error) { return proc.Scan(w) })
	table, _ := proc.Scan(w)
	s.procs = func() (*proc.Table, error) { return table, nil }
	for b.Loop() {
		if snap, err := s.Scan(context.Background()); err != nil || len(snap.Tasks) != 1000 {
			b.Fatal(len(snap.Tasks), err)
		}
	}
}
