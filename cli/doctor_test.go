package cli

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/task"
)

// told is a source with one truth.
type told struct{ snap task.Snapshot }

func (s told) Scan(context.Context) (task.Snapshot, error) { return s.snap, nil }

func (told) Dirs() []string { return nil }

// TestDoctorNamesTheCommand: of a session whose processes cannot be seen from here
// doctor names the command that opens the panel there; of others it names none (G6).
func TestDoctorNamesTheCommand(t *testing.T) {
	w, err := world.New(world.Options{Getenv: func(string) string { return t.TempDir() }})
	if err != nil {
		t.Fatal(err)
	}
	src := told{task.Snapshot{Sessions: []task.Session{
		{ID: "x:far", Native: "far", Agent: "x", State: task.Idle, Trouble: task.CannotSee + " or on another host. Open offstage there to see and stop them."},
		{ID: "x:odd", Native: "odd", Agent: "x", State: task.Idle, Trouble: "Its record is half-written."},
	}}}
	r := registry.New(registry.Options{World: w, State: filepath.Join(t.TempDir(), "state"), Everywhere: true, Sources: []registry.Named{{Name: "x", Source: src}}})
	defer func() { _ = r.Close() }()
	a := &app{w: w, getenv: w.Getenv, out: &strings.Builder{}}
	d, err := a.examine(t.Context(), r, false)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(d.Agents)
	if text := string(b); strings.Count(text, "docker exec -it NAME offstage --session far") != 1 || strings.Contains(text, "--session odd") {
		t.Errorf("%s", text)
	}
}
