package world

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func recorded(t *testing.T, root string) *World {
	t.Helper()
	w, err := New(Options{Root: root, Getenv: func(k string) string {
		if k == "HOME" {
			return "/home/dev"
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestPath: under a root every recorded path, and every link on its way, stays
// below the root, whatever it says (spec 5, --root).
func TestPath(t *testing.T) {
	root := t.TempDir()
	for _, d := range []string{"home/dev/real", "tmp", "deep/er"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"tmp/abs": "/home/dev/real", "tmp/rel": "../home/dev", "tmp/out": "../../../../etc/passwd", "tmp/loop": "loop",
		"private": "/", "deep/er/up": "../../tmp/abs",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	w := recorded(t, root)
	for in, want := range map[string]string{
		"/":                  "",
		"/tmp/x.output":      "/tmp/x.output",
		"/tmp/abs/f":         "/home/dev/real/f",
		"/tmp/rel/real/f":    "/home/dev/real/f",
		"/tmp/out":           "/etc/passwd",
		"/private/tmp/abs/f": "/home/dev/real/f",
		"/deep/er/up/f":      "/home/dev/real/f",
		"../../../etc":       "/etc",
		"/tmp/../tmp/./x":    "/tmp/x",
		"/not/there/at/all":  "/not/there/at/all",
	} {
		if got := w.Path(in); got != root+want {
			t.Errorf("%s is %s, want the root and %s", in, got, want)
		}
	}
	if got := w.LinkPath("/tmp/abs"); got != root+"/tmp/abs" {
		t.Errorf("the link itself is %s", got)
	}
	if got := w.Path("/tmp/loop/x"); got == "" {
		t.Error("a link to itself has no answer")
	}
	if got := w.Recover(root + "/home/dev"); got != "/home/dev" {
		t.Errorf("recovered %s", got)
	}
	if !w.Recorded() || w.Home() != "/home/dev" || w.Proc() != "" {
		t.Errorf("recorded %v, home %s, proc %q", w.Recorded(), w.Home(), w.Proc())
	}
}

// TestRealPaths: without a root a path is itself.
func TestRealPaths(t *testing.T) {
	w, err := New(Options{Getenv: func(string) string { return "/h" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Path("/tmp/../x"); got != "/tmp/../x" || w.Recorded() {
		t.Errorf("got %s", got)
	}
}

// TestRoots: what is no folder is refused in one sentence.
func TestRoots(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{file, file + "-missing"} {
		if _, err := New(Options{Root: root, Getenv: func(string) string { return "/h" }}); err == nil {
			t.Errorf("%s was taken as a root", root)
		}
	}
	if _, err := New(Options{Root: t.TempDir(), Getenv: func(string) string { return "" }}); !errors.Is(err, ErrNoHome) {
		t.Errorf("a root without a home: %v", err)
	}
}

// TestAges: an age is never less than zero, also when a clock was set back
// (spec 5, bad input).
func TestAges(t *testing.T) {
	noon := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	w, err := New(Options{Now: noon, Getenv: func(string) string { return "/h" }})
	if err != nil {
		t.Fatal(err)
	}
	for ago, want := range map[time.Duration]time.Duration{time.Minute: time.Minute, 0: 0, -time.Hour: 0} {
		if got := w.Since(noon.Add(-ago)); got != want {
			t.Errorf("age of %v: %v", ago, got)
		}
	}
	if w.Since(time.Time{}) != 0 {
		t.Error("an unknown time has an age")
	}
	if !w.Now().Equal(noon) {
		t.Error("the clock is not fixed")
	}
}
