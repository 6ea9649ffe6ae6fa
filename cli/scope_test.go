package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"offstage/internal/world"
)

// TestScopeOfAView: which folders a verb looks at: the repository, --here only
// the folder, -A all of them with the project to turn back to (spec 5).
func TestScopeOfAView(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(base, "web")
	if err := os.MkdirAll(filepath.Join(base, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	w, err := world.New(world.Options{Getenv: func(string) string { return base }})
	if err != nil {
		t.Fatal(err)
	}
	a := &app{w: w}
	for _, c := range []struct {
		name string
		v    view
		dirs []string
	}{
		{"the repository", view{dir: sub}, []string{base}},
		{"--here", view{dir: sub, here: true}, []string{sub}},
		{"-A", view{dir: sub, everywhere: true}, []string{base}},
		{"--session", view{dir: sub, session: "ab"}, nil},
		{"--files", view{files: sub}, nil},
	} {
		got, err := a.scope(c.v)
		if err != nil || !slices.Equal(got.Dirs, c.dirs) || got.Session != c.v.session {
			t.Errorf("%s: %+v %v, want %q", c.name, got, err, c.dirs)
		}
	}
}
