//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// folder is the one task folder of state.
func folder(t testing.TB, state string) taskdir.Dir {
	t.Helper()
	dirs, err := taskdir.List(state)
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	return dirs[0]
}

// What a supervisor meets before it could say that it is there is told in its own
// words, and stands in the folder.
func TestSaysWhyBeforeItIsThere(t *testing.T) {
	w, state := stage(t)
	_, err := Start(context.Background(), w, Spec{State: state, Argv: []string{"true"}, Prepared: func(r taskdir.Record) {
		at, err := taskdir.ControlPath(taskdir.Dir(filepath.Join(taskdir.Root(state), r.ID)), "", os.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(at, 0o700); err != nil { // nobody can listen there
			t.Error(err)
		}
		t.Cleanup(func() { _ = os.Remove(at) })
	}})
	if err == nil || !strings.Contains(err.Error(), "listen on") {
		t.Errorf("%v", err)
	}
	if e := ended(t, folder(t, state), time.Second); e.Reason != taskdir.FailedToStart || !strings.Contains(e.Error, "listen on") {
		t.Errorf("end %+v", e)
	}
}

// A starter that dies before it gave the word starts nothing, and the folder
// says so.
func TestStarterDiesBeforeTheWord(t *testing.T) {
	w, state := stage(t)
	dir, err := taskdir.Create(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := dir.Prepare(taskdir.Record{Shell: "sleep 300", Cwd: "/", Run: 1}, nil); err != nil {
		t.Fatal(err)
	}
	tell, tellW, err1 := os.Pipe()
	goR, goW, err2 := os.Pipe()
	self, err3 := os.Executable()
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	defer func() { _ = tell.Close() }()
	sh, err := detached([]string{"sh", "-c", detach, self, Verb, string(dir)}, supervisorEnv(os.Environ(), w.Home(), dir.ID()), tellW, goR)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh.Wait()
	_, _, _ = tellW.Close(), goR.Close(), goW.Close() // as the kernel does for the dead
	e := ended(t, dir, 10*time.Second)
	if e.Reason != taskdir.FailedToStart || !strings.Contains(e.Error, "ended before it could be started") || len(marked(t, w, dir.ID())) > 0 {
		t.Errorf("end %+v", e)
	}
}

// A folder that could not be filled is taken away, and no supervisor is left.
func TestNothingIsLeftOfAFolderThatCannotBeFilled(t *testing.T) {
	w, state := stage(t)
	if _, err := Start(context.Background(), w, Spec{State: state, Argv: []string{"true"}, Env: []string{"A=b\x00c"}}); err == nil {
		t.Fatal("an environment with a NUL byte was taken")
	}
	wait(t, "the supervisor's end", func() bool {
		table, err := proc.Scan(w)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range table.All() {
			if args := table.Args(p.PID); !p.Dead() && len(args) == 3 && args[1] == Verb && strings.HasPrefix(args[2], state) {
				return false
			}
		}
		return true
	})
	if dirs, err := taskdir.List(state); err != nil || len(dirs) > 0 {
		t.Errorf("left behind: %v, %v", dirs, err)
	}
}
