package taskdir

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// What is written is read back, private, and an id is never a path.
func TestRoundTrip(t *testing.T) {
	state := filepath.Join(t.TempDir(), "s")
	if list, err := List(state); err != nil || len(list) > 0 {
		t.Fatalf("no state yet: %v, %v", list, err)
	}
	d, err := Create(state)
	if err != nil || !ValidID(d.ID()) {
		t.Fatal(d, err)
	}
	rec := Record{Version: Version, ID: d.ID(), Name: "n", Kind: task.Shell, Argv: []string{"a", "b c"}, Cwd: "/x", Asker: Asker{Agent: "claude", Session: "s"},
		Size: Size{Limit: 5, Do: Trim}, Run: 1, Created: time.Unix(1_700_000_000, 0).UTC()}
	env := []string{"A=1", "B=x\ny", "C="}
	if err := d.Prepare(rec, env); err != nil {
		t.Fatal(err)
	}
	if err := d.Settle(); err != nil {
		t.Error(err)
	}
	if got, err := ReadRecord(d); err != nil || !reflect.DeepEqual(got, rec) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := ReadEnvironment(d); err != nil || !reflect.DeepEqual(got, env) {
		t.Errorf("%q, %v", got, err)
	}
	one := 1
	want := Exit{Version: Version, Code: &one, Reason: Exited, Ended: rec.Created, Survivors: []Process{{PID: 4, Start: 5, Command: "x"}}}
	for range 2 { // the second time there is no room any more
		if err := d.WriteExit(want); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadExit(d); err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	files, err := os.ReadDir(string(d))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
		if strings.HasSuffix(f.Name(), ".tmp") || f.Name() == roomFile {
			t.Errorf("%s was left", f.Name())
		}
	}
	if list, err := List(state); err != nil || len(list) != 1 || list[0] != d {
		t.Errorf("%v, %v", list, err)
	}
	if err := Remove(d); err != nil || d.Exists() {
		t.Error(err)
	}
	for _, id := range []string{"", "t-", "t-0123456", "t-../../xx", "T-01234567", "t-0123456Z"} {
		if _, err := At(state, id); !errors.Is(err, ErrNoTask) {
			t.Errorf("%q: %v", id, err)
		}
		if err := Remove(Dir(filepath.Join(state, id))); !errors.Is(err, ErrNoTask) {
			t.Errorf("remove %q: %v", id, err)
		}
	}
}

// The socket's path fits into an address; where no place is private there is none.
func TestControlPath(t *testing.T) {
	short := Dir("/s/tasks/t-01234567")
	if p, err := ControlPath(short, "", ""); err != nil || p != "/s/tasks/t-01234567/control.sock" {
		t.Errorf("%q, %v", p, err)
	}
	long := Dir("/" + strings.Repeat("x", 120) + "/t-01234567")
	base, err := os.MkdirTemp("", "o")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	if p, err := ControlPath(long, base, ""); err != nil || len(p) > maxSocketPath || !strings.HasPrefix(p, base) {
		t.Errorf("%q, %v", p, err)
	}
	dir := filepath.Dir(must(ControlPath(long, base, "")))
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if p, err := ControlPath(long, base, ""); err == nil && strings.HasPrefix(p, base) {
		t.Errorf("others may enter %s", p)
	}
}

func must(p string, err error) string {
	if err != nil {
		return err.Error()
	}
	return p
}
