package config

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ThemeColours are the names that a theme file may give a colour.
var ThemeColours = []string{"text", "dim", "rule", "good", "alive", "bad", "amber", "link", "accent", "key"}

// themeBases are the built-in themes; a file stands on one of them.
var themeBases = []string{"auto", "dark", "light"}

// maxTheme bounds a theme file.
const maxTheme = 64 << 10

// theme is the setting of that name: a built-in one, or a TOML file.
func theme() value {
	return value{set: func(s *Settings, v string) string {
		switch {
		case slices.Contains(themeBases, v):
			s.Theme, s.ThemeFile, s.Colours = v, "", nil
		case strings.HasSuffix(v, ".toml") && !strings.ContainsRune(v, 0):
			s.ThemeFile = v
		default:
			return "one of auto, dark, light, or a file whose name ends with .toml is wanted"
		}
		return ""
	}, get: func(s *Settings) string {
		if s.ThemeFile != "" {
			return s.ThemeFile
		}
		return s.Theme
	}}
}

// readTheme reads the theme file that the last layer named; a name that is not
// absolute is looked for in dir. The sentences say what is wrong in it; the rest of
// it counts.
func (s *Settings) readTheme(dir string) []string {
	path := s.ThemeFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	s.Theme, s.ThemeFile, s.Colours = "auto", path, nil
	st, err := os.Stat(path)
	if err != nil {
		return []string{"the theme " + path + " cannot be read: " + cause(err) + "; the built-in one is used"}
	}
	if !st.Mode().IsRegular() || st.Size() > maxTheme {
		return []string{"the theme " + path + " is no theme file: a TOML file of at most 64 KiB is wanted; the built-in one is used"}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return []string{"the theme " + path + " cannot be read: " + cause(err) + "; the built-in one is used"}
	}
	var doc map[string]any
	if err := toml.Unmarshal(b, &doc); err != nil {
		return []string{"the theme " + path + " is no TOML: " + err.Error() + "; the built-in one is used"}
	}
	lines, colours := keyLines(b), map[string]string{}
	var wrong []string
	for name, v := range flat("", doc) {
		switch {
		case name == "base" && slices.Contains(themeBases, v):
			s.Theme = v
		case name == "base":
			wrong = append(wrong, place(path, lines[name])+": base = "+v+": one of auto, dark, light is wanted; auto is used")
		case !slices.Contains(ThemeColours, name):
			wrong = append(wrong, place(path, lines[name])+": there is no colour "+name+": give "+strings.Join(ThemeColours, ", ")+"; it is left out")
		case !isColour(v):
			wrong = append(wrong, place(path, lines[name])+": "+name+" = "+v+": \"#rrggbb\" or a number from 0 to 255 is wanted; it is left out")
		default:
			colours[name] = v
		}
	}
	if len(colours) > 0 {
		s.Colours = colours
	}
	slices.Sort(wrong)
	return wrong
}

func isColour(v string) bool {
	if n, err := strconv.Atoi(v); err == nil {
		return n >= 0 && n <= 255
	}
	if len(v) != 7 || v[0] != '#' {
		return false
	}
	_, err := strconv.ParseUint(v[1:], 16, 32)
	return err == nil
}
