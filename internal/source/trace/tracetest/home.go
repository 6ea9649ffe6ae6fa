package tracetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// Home is a machine of its own with an empty home, on the real clock.
type Home struct {
	// Dir is the home as the agents name it, and where it is.
	Dir   string
	World *world.World
}

// NewHome makes one. Processes are those of a folder without any.
func NewHome(t *testing.T) Home {
	t.Helper()
	dir := t.TempDir()
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	Must(t, err)
	return Home{Dir: dir, World: w}
}

// NoProcs is a machine whose processes cannot be seen.
func NoProcs() (*proc.Table, error) { return nil, proc.ErrNoProcs }

// Put writes a file under the home.
func (h Home) Put(t *testing.T, rel, text string) string {
	t.Helper()
	path := filepath.Join(h.Dir, rel)
	Put(t, path, text)
	return path
}

// Pipe puts a named pipe there, which blocks whoever opens it without care.
func (h Home) Pipe(t *testing.T, rel string) {
	t.Helper()
	path := filepath.Join(h.Dir, rel)
	Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	makePipe(t, path)
}

// Link puts a link there.
func (h Home) Link(t *testing.T, rel, to string) {
	t.Helper()
	path := filepath.Join(h.Dir, rel)
	Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Must(t, os.Symlink(to, path))
}

// Scanner is a source as the registry asks it.
type Scanner interface {
	Scan(ctx context.Context) (task.Snapshot, error)
	Pending() bool
}

// All scans until nothing is left to read, and fails after a minute.
func All(t testing.TB, s Scanner) task.Snapshot {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		snap, err := s.Scan(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !s.Pending() {
			return snap
		}
	}
	t.Fatal("it never has read all")
	return task.Snapshot{}
}

// Find is the task with a native id.
func Find(t *testing.T, snap task.Snapshot, native string) task.Task {
	t.Helper()
	for _, x := range snap.Tasks {
		if x.Native == native {
			return x
		}
	}
	t.Fatalf("%s is not listed", native)
	return task.Task{}
}

// NoLeak fails where a text of another file came into what is told.
func NoLeak(t *testing.T, snap task.Snapshot, secret string) {
	t.Helper()
	if strings.Contains(fmt.Sprintf("%+v", snap), secret) {
		t.Error("what stands outside of the agent's folder was read")
	}
}

// makePipe makes a named pipe; a system without them skips the test.
func makePipe(t *testing.T, path string) {
	t.Helper()
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("mkfifo is not there: %s", out)
	}
}
