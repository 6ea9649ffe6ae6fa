package demo

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

func source(t *testing.T, dir string) *Source {
	t.Helper()
	w, err := world.New(world.Options{Getenv: func(string) string { return dir }})
	if err != nil {
		t.Fatal(err)
	}
	return New(w, dir, func() (*proc.Table, error) { return nil, proc.ErrNoProcs })
}

// TestScan: what the demo wrote of its children, as tasks; before it wrote
// anything there is nothing, and half a record is an error and no panic.
func TestScan(t *testing.T) {
	dir := t.TempDir()
	s := source(t, dir)
	if snap, err := s.Scan(context.Background()); err != nil || len(snap.Tasks) != 0 {
		t.Fatalf("without a record: %v %v", snap.Tasks, err)
	}
	began := time.Now().Add(-time.Minute)
	ended := began.Add(30 * time.Second)
	rec := Record{PID: os.Getpid(), Session: "tour", Cwd: "/x", Started: began, Plan: []PlanEntry{{ID: "1", Subject: "Fix it", Status: task.InProgress}}, Tasks: []Child{
		{ID: "a", Kind: task.Shell, Title: "Runs", Started: began},
		{ID: "b", Kind: task.Shell, Title: "Fine", Started: began, Ended: &ended},
		{ID: "c", Kind: task.Monitor, Title: "Bad", Started: began, Ended: &ended, Code: 2},
		{ID: "d", Kind: task.Shell, Title: "Killed", Started: began, Ended: &ended, Code: -1, Signal: "killed"},
	}}
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), b, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.output"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	snap, err := s.Scan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []task.Status{task.Running, task.Succeeded, task.Failed, task.Failed} {
		if got := snap.Tasks[i]; got.Status != want || got.Status.Ended() == got.Can.Stop {
			t.Errorf("%s is %s, can be stopped: %v", got.Title, got.Status, got.Can.Stop)
		}
	}
	if a, d := snap.Tasks[0], snap.Tasks[3]; a.Output.Bytes != 5 || d.ExitCode != nil || *snap.Tasks[2].ExitCode != 2 {
		t.Errorf("%+v %+v", a.Output, d.ExitCode)
	}
	if len(snap.Sessions) != 1 || len(snap.Sessions[0].Plan.Entries) != 1 {
		t.Errorf("%+v", snap.Sessions)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), b[:len(b)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Scan(context.Background()); err == nil {
		t.Error("half a record is no error")
	}
}
