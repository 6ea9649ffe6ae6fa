package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTheme: a theme file stands beside the settings that name it, on one of the
// built-in themes; what is wrong in it is a sentence, and the rest counts.
func TestTheme(t *testing.T) {
	p := write(t, "theme = \"mine.toml\"\n")
	mine := filepath.Join(filepath.Dir(p), "mine.toml")
	if err := os.WriteFile(mine, []byte("base = \"light\"\ngood = \"#00aa00\"\nbad = 160\npink = 1\nlink = \"blue\"\ndim = 300\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, wrong := Load([]Layer{{Path: p}}, none)
	if s.Theme != "light" || !reflect.DeepEqual(s.Colours, map[string]string{"good": "#00aa00", "bad": "160"}) {
		t.Errorf("theme %q, colours %v", s.Theme, s.Colours)
	}
	all := strings.Join(wrong, "\n")
	for _, want := range []string{"mine.toml:4: there is no colour pink", `mine.toml:5: link = blue: "#rrggbb"`, "mine.toml:6: dim = 300"} {
		if !strings.Contains(all, want) {
			t.Errorf("no sentence with %q in:\n%s", want, all)
		}
	}
	if len(wrong) != 3 {
		t.Errorf("%d sentences:\n%s", len(wrong), all)
	}
	// A layer above that names a built-in one takes the colours away.
	if s, _ := Load([]Layer{{Path: p}, {Path: write(t, "theme = \"dark\"\n")}}, none); s.Theme != "dark" || s.Colours != nil || s.ThemeFile != "" {
		t.Errorf("over a theme file: %q %v %q", s.Theme, s.Colours, s.ThemeFile)
	}
}

// TestThemeWrong: a theme that is not there, a folder, broken TOML, and one that a
// project names are each one sentence, and the built-in theme is used.
func TestThemeWrong(t *testing.T) {
	for name, c := range map[string]struct {
		make func(path string) error
		l    Layer
		want string
	}{
		"gone":    {func(string) error { return nil }, Layer{}, "cannot be read"},
		"folder":  {func(p string) error { return os.Mkdir(p, 0o700) }, Layer{}, "is no theme file"},
		"broken":  {func(p string) error { return os.WriteFile(p, []byte("good = = 1"), 0o600) }, Layer{}, "is no TOML"},
		"project": {func(p string) error { return os.WriteFile(p, []byte("good = 1"), 0o600) }, Layer{Project: true}, "cannot name a theme file"},
	} {
		p := write(t, "theme = \"x.toml\"\nmouse = false\n")
		if err := c.make(filepath.Join(filepath.Dir(p), "x.toml")); err != nil {
			t.Fatal(err)
		}
		c.l.Path = p
		s, wrong := Load([]Layer{c.l}, none)
		if len(wrong) != 1 || !strings.Contains(wrong[0], c.want) || s.Theme != "auto" || s.Colours != nil || s.Mouse {
			t.Errorf("%s: %q, theme %q %v", name, wrong, s.Theme, s.Colours)
		}
	}
}
