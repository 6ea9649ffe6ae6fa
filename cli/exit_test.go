package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/task"
)

// TestCodeOf: each kind of error has its exit code, also among others (spec 5).
func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0}, {errors.New("a stated reason"), 1}, {usage("wrong"), 2}, {fmt.Errorf("x: %w", registry.ErrNoTask), 3},
		{&registry.AmbiguousError{Ref: "b7"}, 4}, {fmt.Errorf("x: %w", registry.ErrRefused), 5},
		{errors.Join(errors.New("x"), incompleteError{errors.New("1 process is still alive")}), 6},
	} {
		if got := codeOf(c.err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

// TestUseColor: no colour into a pipe, unless it is forced; NO_COLOR wins over
// that, and a plain word over both (spec 5).
func TestUseColor(t *testing.T) {
	for _, c := range []struct {
		when, no, force string
		want            bool
	}{
		{"auto", "", "", false}, {"auto", "", "1", true}, {"auto", "", "0", false}, {"auto", "1", "1", false},
		{"always", "1", "", true}, {"never", "", "1", false},
	} {
		a := &app{out: &strings.Builder{}, getenv: func(k string) string { return map[string]string{"NO_COLOR": c.no, "CLICOLOR_FORCE": c.force}[k] }}
		if got, err := a.useColor(c.when); got != c.want || err != nil {
			t.Errorf("%+v: %v %v", c, got, err)
		}
	}
}

// chatty is a source of one task that prints a new line at each look.
type chatty struct{ n int }

func (c *chatty) Dirs() []string { return nil }

func (c *chatty) Scan(context.Context) (task.Snapshot, error) {
	c.n++
	x := task.Task{ID: "x:a", Native: "a", Title: "dev server", Kind: task.Shell, Status: task.Running, Run: 1, Activity: fmt.Sprint("line ", c.n)}
	if c.n > 3 {
		x.Status, x.Ended = task.Succeeded, time.Now()
	}
	return task.Snapshot{Tasks: []task.Task{x}}, nil
}

// TestWatch: ls --watch prints a line at each change of a task, and none for a
// line of its output (spec 5).
func TestWatch(t *testing.T) {
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	src := &chatty{}
	r := registry.New(registry.Options{World: w, Keep: registry.Keep{For: time.Hour, Max: 20}, Sources: []registry.Named{{Name: "x", Source: src}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out strings.Builder
	a := &app{out: writing(func(b []byte) {
		out.Write(b)
		if strings.Contains(out.String(), "completed") {
			cancel()
		}
	})}
	if err := a.watchList(ctx, r, false); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSpace(out.String()), "\n"); len(got) != 2 || !strings.Contains(got[0], "dev server  running") || !strings.Contains(got[1], "completed") {
		t.Errorf("%d looks gave:\n%s", src.n, out.String())
	}
}

type writing func([]byte)

func (w writing) Write(b []byte) (int, error) { w(b); return len(b), nil }

// TestStopWithoutTerminal: an agent's task is not stopped where nobody can be
// asked, whatever comes on standard input (spec 5).
func TestStopWithoutTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	if _, err := w.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]io.Reader{"a pipe that says yes": r, "no file at all": strings.NewReader("y\n")} {
		var words strings.Builder
		a := &app{in: in, errw: &words}
		err := a.askStop(task.Task{ID: "claude:b1", Title: "dev server"}, task.StopPlan{Task: "claude:b1"})
		if codeOf(err) != ExitRefused || !strings.Contains(err.Error(), "--yes") || words.Len() > 0 {
			t.Errorf("%s: %v, said %q", name, err, words.String())
		}
	}
}
