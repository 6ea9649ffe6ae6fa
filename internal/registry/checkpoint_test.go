package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// TestCountOfACutLog: a log that was cut and written anew is another count; the
// old one is further on and would keep the new one out for good (F2).
func TestCountOfACutLog(t *testing.T) {
	w, state := newWorld(t), filepath.Join(t.TempDir(), "state")
	x := one1("a", task.Running)
	x.Output.Path = filepath.Join(t.TempDir(), "out")
	look := func(text string) {
		t.Helper()
		if err := os.WriteFile(x.Output.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := New(Options{World: w, State: state, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &script{snap: task.Snapshot{Tasks: []task.Task{x}}}}}})
		if _, err := r.Scan(t.Context(), 5*time.Second); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	look(strings.Repeat("the first run\n", 1000))
	look(strings.Repeat("second\n", 500))
	r := New(Options{World: w, State: state})
	defer func() { _ = r.Close() }()
	key, _, ok := keyOf(x.Output.Path)
	if !ok {
		t.Fatal("no key")
	}
	if f, ok, err := r.ledger.store.Fact(key); !ok || err != nil || f.Offset != 3500 {
		t.Errorf("kept up to %d, %v %v; the file has 3500 bytes", f.Offset, ok, err)
	}
}
