package registry

import (
	"context"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestInside is item 4 of the row's details: the processes of a task as a tree, with
// what each uses, and nothing of a task that has ended.
func TestInside(t *testing.T) {
	x, _ := shellTask(t, "sh -c 'while :; do :; done' & sleep 60 & wait")
	w := newWorld(t)
	procs := NewProcs(w)
	r := New(Options{World: w, Procs: procs, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := r.Next(ctx, 0); err != nil {
		t.Fatal(err)
	}
	in, err := r.Inside(ctx, x.ID)
	if err != nil || in.CPU >= 0 {
		t.Fatalf("the first look: %+v %v", in, err)
	}
	busy := func(in task.Inside) (name string, depth int) {
		for _, p := range in.Processes {
			if p.CPU > 5 {
				name, depth = p.Command, p.Depth
			}
		}
		return name, depth
	}
	for name := ""; name == "" || len(in.Processes) < 3; { // on a busy machine the shell starts them one look apart
		time.Sleep(300 * time.Millisecond)
		if in, err = r.Inside(ctx, x.ID); err != nil {
			t.Fatal(err)
		}
		depth := 0
		if name, depth = busy(in); name != "" && (!strings.Contains(name, "while") || depth != 1) {
			t.Errorf("what is busy is %q at depth %d", name, depth)
		}
	}
	if len(in.Processes) != 3 || in.CPU < 5 || in.Memory < 1<<18 || in.Trouble != "" {
		t.Errorf("the look: %+v", in)
	}
	plan, err := r.PlanStop(ctx, x.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Stop(ctx, plan, true, nil); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); err == nil && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		_, err = r.Inside(ctx, x.ID)
	}
	if err == nil {
		t.Error("an ended task is looked into")
	}
}
