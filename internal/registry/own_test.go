package registry

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/runner"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// TestMain lets the test's own binary be the supervisor of the tasks that tests
// start, and a server.
func TestMain(m *testing.M) {
	if os.Getenv(listenVar) != "" {
		os.Exit(listen())
	}
	if len(os.Args) == 3 && os.Args[1] == runner.Verb {
		w, err := world.New(world.Options{})
		if err != nil {
			os.Exit(1)
		}
		os.Exit(runner.Supervise(w, os.Args[2], runner.SuperviseOptions{Ended: func(e runner.End) {
			state := filepath.Dir(filepath.Dir(string(e.Dir)))
			_ = RecordEnd(state, w.Now, e.Dir, e.Record, e.Exit)
		}}))
	}
	os.Exit(m.Run())
}

// ownFolders is the smallest source of our own tasks, enough for what is tested
// here: the real one stands in a room of its own.
type ownFolders struct{ state string }

func (s ownFolders) Dirs() []string { return []string{taskdir.Root(s.state)} }

func (s ownFolders) Scan(context.Context) (task.Snapshot, error) {
	var snap task.Snapshot
	list, err := taskdir.List(s.state)
	for _, d := range list {
		f := taskdir.Read(d)
		t := task.Task{ID: OwnSource + ":" + d.ID(), Source: OwnSource, Native: d.ID(), Kind: f.Record.Kind, Run: 1, Title: f.Record.CommandLine(), Command: f.Record.CommandLine(),
			Status: task.Running, Output: task.OutputRef{Path: d.Output()}, Started: f.Record.Created}
		t.Can = task.Can{Read: true, Stop: true, Answer: f.Record.TTY}
		if f.Started != nil {
			t.Evidence.Roots = []task.ProcessID{{PID: f.Started.Child.PID, Start: f.Started.Child.Start}}
		}
		if f.Exit != nil {
			t.Status, t.ExitCode, t.Signal, t.Ended, t.StatusSource = f.Exit.Status(), f.Exit.Code, f.Exit.Signal, f.Exit.Ended, "exit record"
			t.Can.Answer = false
		}
		snap.Tasks = append(snap.Tasks, t)
	}
	return snap, err
}

func ownDesk(t *testing.T) *Registry {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("tasks of our own need Linux or macOS")
	}
	state := filepath.Join(t.TempDir(), "state")
	r := New(Options{World: here(t), State: state, Everywhere: true, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: OwnSource, Source: ownFolders{state}}}})
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// runs starts a command line and ends it with the test.
func starts(t *testing.T, r *Registry, s RunSpec) Ran {
	t.Helper()
	s.Cwd = t.TempDir()
	ran, err := r.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d, _ := taskdir.At(r.o.State, strings.TrimPrefix(ran.ID, OwnSource+":"))
		_, _ = runner.Stop(context.Background(), r.w, d, runner.StopOptions{Now: true, Inner: true})
	})
	return ran
}

// row waits until a task's row is as wanted.
func row(t *testing.T, r *Registry, id string, want func(task.Task) bool) task.Task {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for rev := uint64(0); ; {
		snap, err := r.Next(ctx, rev)
		if err != nil {
			t.Fatalf("the row of %s is not as wanted: %+v", id, snap.Tasks)
		}
		rev = snap.Rev
		if x, ok := byID(snap.Tasks, id); ok && want(x) {
			return x
		}
	}
}

func is(s task.Status) func(task.Task) bool { return func(t task.Task) bool { return t.Status == s } }

// A task of our own is a row, in the ledger, and stopped with proof (K2, K4, K7).
func TestOwnTaskFromStartToStop(t *testing.T) {
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Shell: "echo up; sleep 300 & sleep 300"})
	row(t, r, ran.ID, is(task.Running))
	plan, err := r.PlanStop(context.Background(), ran.ID)
	for end := time.Now().Add(10 * time.Second); len(plan.Processes) < 3 && time.Now().Before(end); plan, err = r.PlanStop(context.Background(), ran.ID) {
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil || plan.Refused != "" || len(plan.Processes) < 3 {
		t.Fatalf("plan %+v %v", plan, err)
	}
	rep, err := r.Stop(context.Background(), plan, false, nil)
	if err != nil || rep.Status != task.Cancelled || len(rep.Left) != 0 || len(rep.Ended) < 2 {
		t.Fatalf("report %+v %v", rep, err)
	}
	if proc.Lives(proc.ID{PID: plan.Processes[0].PID, Start: plan.Processes[0].Start}) {
		t.Error("its first process lives")
	}
	row(t, r, ran.ID, is(task.Cancelled))
	rec, ok, err := r.ledger.store.Record(ran.ID)
	for end := time.Now().Add(10 * time.Second); ok && err == nil && rec.Open() && time.Now().Before(end); rec, ok, err = r.ledger.store.Record(ran.ID) {
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil || !ok || rec.Status != task.Cancelled || rec.Folder == "" {
		t.Errorf("the ledger says %+v %v %v", rec, ok, err)
	}
}

// The exit code of a task of our own is the command's, also where nobody looked.
func TestOwnExitCode(t *testing.T) {
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Argv: []string{"sh", "-c", "exit 7"}})
	x := row(t, r, ran.ID, is(task.Failed))
	if x.ExitCode == nil || *x.ExitCode != 7 {
		t.Errorf("%+v", x)
	}
}

// if_running: the same command in the same folder is not started twice (spec 6 A).
func TestRunReuses(t *testing.T) {
	r := ownDesk(t)
	s := RunSpec{Shell: "sleep 300", Cwd: t.TempDir(), Reuse: true}
	first, err := r.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := taskdir.At(r.o.State, strings.TrimPrefix(first.ID, OwnSource+":"))
	t.Cleanup(func() { _, _ = runner.Stop(context.Background(), r.w, d, runner.StopOptions{Now: true}) })
	again, err := r.Run(context.Background(), s)
	if err != nil || again.ID != first.ID || !again.Reused || again.PID != first.PID {
		t.Errorf("first %+v, again %+v %v", first, again, err)
	}
	s.Shell = "sleep 301"
	other, err := r.Run(context.Background(), s)
	if err != nil || other.Reused {
		t.Errorf("another command: %+v %v", other, err)
	}
	d2, _ := taskdir.At(r.o.State, strings.TrimPrefix(other.ID, OwnSource+":"))
	t.Cleanup(func() { _, _ = runner.Stop(context.Background(), r.w, d2, runner.StopOptions{Now: true}) })
}

// K8, S3: again as it was; answers where there is a terminal; the sentence where
// it is another's.
func TestRestartAndAnswer(t *testing.T) {
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Shell: "read x; echo got $x", TTY: true})
	row(t, r, ran.ID, is(task.Running))
	if err := r.Answer(context.Background(), ran.ID, "forty-two"); err != nil {
		t.Fatal(err)
	}
	row(t, r, ran.ID, is(task.Succeeded))
	if b, err := os.ReadFile(ran.Output); err != nil || !strings.Contains(string(b), "got forty-two") {
		t.Errorf("output %q %v", b, err)
	}
	if err := r.Answer(context.Background(), ran.ID, "more"); !errors.Is(err, ErrRefused) {
		t.Errorf("an answer after its end: %v", err)
	}
	id, err := r.Restart(context.Background(), ran.ID)
	if err != nil || id == ran.ID {
		t.Fatalf("restart: %q %v", id, err)
	}
	row(t, r, id, is(task.Running))
	if err := r.Answer(context.Background(), id, "again"); err != nil {
		t.Fatal(err)
	}
	row(t, r, id, is(task.Succeeded))

	foreign, _ := desk(t, filepath.Join(t.TempDir(), "state"), task.Snapshot{Tasks: []task.Task{{ID: "x:a", Source: "x", Native: "a", Kind: task.Shell, Run: 1, Status: task.Failed, Command: "npm run dev", Ended: time.Now()}}})
	look(t, foreign)
	_, err = foreign.Restart(context.Background(), "x:a")
	if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "Please start this again in the background: npm run dev") {
		t.Errorf("another's task: %v", err)
	}
	if err := foreign.Answer(context.Background(), "x:a", "y"); !errors.Is(err, ErrRefused) {
		t.Errorf("an answer to another's task: %v", err)
	}
}

// R6: the folder of an ended task goes through the sweeper and no other way; a
// folder elsewhere is refused.
func TestRemoveFolderIsOurs(t *testing.T) {
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Shell: "true"})
	row(t, r, ran.ID, is(task.Succeeded))
	f := folders{r.o.State}
	elsewhere := filepath.Join(t.TempDir(), "t-00000000")
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.removeFolder(elsewhere); err == nil {
		t.Error("a folder elsewhere was removed")
	}
	if err := f.removeFolder(filepath.Dir(ran.Output)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(ran.Output); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// The ledger is a cache of the folders: rebuilt from them it says the same.
func TestFoldersSayWhatTheLedgerSaid(t *testing.T) {
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Shell: "exit 3", Name: "a build"})
	row(t, r, ran.ID, is(task.Failed))
	list, err := folders{r.o.State}.Records(context.Background())
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v %v", list, err)
	}
	x := list[0]
	if x.ID != ran.ID || x.Status != task.Failed || x.ExitCode == nil || *x.ExitCode != 3 || x.Title != "a build" || x.Owner != "person" && x.Session == "" {
		t.Errorf("%+v", x.Record)
	}
}

// D4, S1: a task of ours that reads its terminal waits for input, and says so at
// once; when it was answered it does no more.
func TestReadingItsTerminalIsWaiting(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what a process sleeps in can be seen on Linux only")
	}
	r := ownDesk(t)
	ran := starts(t, r, RunSpec{Shell: "printf 'name: '; read x; echo; echo hello; sleep 300", TTY: true})
	began := time.Now()
	x := row(t, r, ran.ID, func(x task.Task) bool { return x.Waiting != "" })
	if x.Waiting != "waiting for input" || x.WaitingLine != "name:" {
		t.Errorf("%q %q", x.Waiting, x.WaitingLine)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
	if err := r.Answer(context.Background(), ran.ID, "x"); err != nil {
		t.Fatal(err)
	}
	row(t, r, ran.ID, func(x task.Task) bool { return x.Waiting == "" })
}
