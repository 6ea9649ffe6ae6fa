package desk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// B13: what is saved is for its owner alone, and nothing is overwritten.
func TestSaving(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.log")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("kept")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path); !errors.Is(err, ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "kept" {
		t.Errorf("the file holds %q", b)
	}
	if _, err := Create(filepath.Join(path, "x")); err == nil || errors.Is(err, ErrExists) {
		t.Errorf("below a file: %v", err)
	}
	if !Regular(path) || Regular(filepath.Dir(path)) || Regular(path+"x") {
		t.Error("what is a regular file")
	}
}

func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := Scratch("a/../vite dev.log")
	if err != nil {
		t.Fatal(err)
	}
	path := f.Name()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if filepath.Base(path) != "vite dev.log" {
		t.Errorf("named %s", path)
	}
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if st, err := os.Stat(p); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != want {
			t.Errorf("%s: %v %v", p, st.Mode(), err)
		}
	}
	if err := Remove(path); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("the folder is left")
	}
}

func TestEditor(t *testing.T) {
	for _, c := range []struct {
		visual, editor string
		line           int64
		want           []string
	}{
		{"", "", 7, []string{"vi", "+7", "/a b.ts"}},
		{"", "nvim -p", 0, []string{"nvim", "-p", "/a b.ts"}},
		{"code --wait", "vim", 7, []string{"code", "--wait", "--goto", "/a b.ts:7"}},
		{"", "/usr/bin/hx", 7, []string{"/usr/bin/hx", "/a b.ts:7"}},
		{"goland", "", 7, []string{"goland", "--line", "7", "/a b.ts"}},
	} {
		env := map[string]string{"VISUAL": c.visual, "EDITOR": c.editor}
		if got := Editor(func(k string) string { return env[k] }, "/a b.ts", c.line); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
