//go:build unix

package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/taskdir"
	"offstage/task"
)

// A task runs, writes into its file, and its end is what the kernel told.
func TestEnds(t *testing.T) {
	w, state := stage(t)
	for _, c := range []struct {
		name, shell, signal, out string
		code                     int
		status                   task.Status
	}{
		{"succeeds", "echo out; echo err >&2", "", "out\nerr\n", 0, task.Succeeded},
		{"fails", "printf x; exit 7", "", "x", 7, task.Failed},
		{"by a signal", "kill -TERM $$", "TERM", "", -1, task.Failed},
		{"by a shell's 128+N", "sh -c 'kill -9 $$'; exit $?", "", "", 137, task.Failed},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := start(t, w, Spec{State: state, Shell: c.shell})
			e := ended(t, st.Dir, 10*time.Second)
			if e.Status() != c.status || e.Signal != c.signal || (c.code >= 0) != (e.Code != nil) || e.Code != nil && *e.Code != c.code {
				t.Errorf("end %+v (%v)", e, e.Status())
			}
			if got := output(t, st.Dir); c.signal == "" && !strings.HasPrefix(got, c.out) {
				t.Errorf("output %q", got)
			}
		})
	}
}

// A state folder that may not be written is said with what to do (R11).
func TestStateThatMayNotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write every folder")
	}
	w, _ := stage(t)
	shut := filepath.Join(t.TempDir(), "shut")
	if err := os.Mkdir(shut, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{shut, filepath.Join(shut, "state")} {
		_, err := Start(context.Background(), w, Spec{Argv: []string{"true"}, State: state})
		if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "may not be written: give --state DIR") {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A folder of PATH that may not be entered hides no command from the others, and
// a command that is nowhere is just that.
func TestPathWithAShutFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may enter every folder")
	}
	shut := filepath.Join(t.TempDir(), "shut")
	if err := os.Mkdir(shut, 0); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + shut + ":/usr/bin:/bin"}
	if _, err := findProgram("no-such-command-at-all", "/", env); !errors.Is(err, ErrNoCommand) {
		t.Errorf("%v", err)
	}
	if path, err := findProgram("sh", "/", env); err != nil {
		t.Errorf("%s, %v", path, err)
	}
}

// Every refusal has its sentence, and none leaves a folder behind.
func TestRefusals(t *testing.T) {
	w, state := stage(t)
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	script := filepath.Join(dir, "script")
	for path, mode := range map[string]os.FileMode{plain: 0o600, script: 0o700} {
		if err := os.WriteFile(path, []byte("#!/no/such/interpreter\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		s    Spec
		is   error
		says string
	}{
		{"no such command", Spec{Argv: []string{"no-such-command-at-all"}}, ErrNoCommand, `there is no command "no-such-command-at-all" in PATH`},
		{"no such path", Spec{Argv: []string{"./gone"}}, ErrNoCommand, "there is no file ./gone"},
		{"a folder", Spec{Argv: []string{dir}}, ErrNotExecutable, "is a folder"},
		{"not executable", Spec{Argv: []string{plain}}, ErrNotExecutable, "chmod +x"},
		{"cwd gone", Spec{Argv: []string{"true"}, Cwd: filepath.Join(dir, "gone")}, ErrNoFolder, "is gone"},
		{"cwd a file", Spec{Argv: []string{"true"}, Cwd: plain}, ErrNoFolder, "is no folder"},
		{"nothing", Spec{}, ErrNoCommand, "there is no command to start"},
		{"interpreter gone", Spec{Argv: []string{script}}, ErrNotExecutable, "interpreter"},
		{"state is a file", Spec{Argv: []string{"true"}, State: plain}, ErrState, "cannot be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.s.State == "" {
				c.s.State = state
			}
			_, err := Start(context.Background(), w, c.s)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
	dirs, err := taskdir.List(state)
	if err != nil || len(dirs) != 1 {
		t.Fatalf("folders %v %v, want that of the missing interpreter alone", dirs, err)
	}
	if e := ended(t, dirs[0], time.Second); e.Reason != taskdir.FailedToStart || e.Code != nil || e.Error == "" {
		t.Errorf("its end %+v", e)
	}
}
