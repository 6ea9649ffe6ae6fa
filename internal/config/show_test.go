package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", 10 * time.Minute: "10m", 2 * time.Hour: "2h", 90 * time.Minute: "1h30m", 100 * time.Second: "1m40s", time.Minute: "1m", 20 * time.Hour: "20h", 30 * time.Second: "30s"} {
		if got := short(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
		if back, ok := Duration(short(d)); !ok || back != d {
			t.Errorf("%v does not read back", d)
		}
	}
}

// The commented default changes nothing, and with its comments taken off it is
// every default again: each line of it can be used as it stands.
func TestCommented(t *testing.T) {
	none := func(string) string { return "" }
	path := filepath.Join(t.TempDir(), "config.toml")
	text := Commented()
	for _, uncommented := range []bool{false, true} {
		if uncommented {
			var b strings.Builder
			for line := range strings.Lines(text[:strings.Index(text, "# Keys, by the names")]) {
				if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "# "), " = "); ok && !strings.Contains(name, " ") {
					b.WriteString(name + " = " + rest)
				}
			}
			text = b.String()
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, wrong := Load([]Layer{{Path: path}}, none)
		if len(wrong) > 0 {
			t.Errorf("uncommented %v: %q", uncommented, wrong)
		}
		d := Defaults()
		for i, v := range s.Values() {
			if v.Text != d.Values()[i].Text {
				t.Errorf("%s is %s, the default is %s", v.Name, v.Text, d.Values()[i].Text)
			}
			if (v.Origin == "default") == uncommented {
				t.Errorf("uncommented %v: %s comes from %s", uncommented, v.Name, v.Origin)
			}
		}
	}
}

func TestOrigins(t *testing.T) {
	dir := t.TempDir()
	user, project := filepath.Join(dir, "user.toml"), filepath.Join(dir, "project.toml")
	for path, text := range map[string]string{
		user:    "quiet_after = \"30m\"\ntheme = \"light\"\nmarks = \"wrong\"\n[keys]\n\"list.stop\" = \"f2\"\n[agents]\ncodex = false\n[redact]\npatterns = [\"acme_\"]\n",
		project: "\nquiet_after = \"20m\"\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, _ := Load([]Layer{{Path: user}, {Path: project}}, func(k string) string { return map[string]string{"OFFSTAGE_THEME": "dark"}[k] })
	got := map[string]Value{}
	for _, v := range s.Values() {
		got[v.Name] = v
	}
	for name, want := range map[string]Value{
		"quiet_after": {"quiet_after", `"20m"`, project + ":2"}, "theme": {"theme", `"dark"`, "OFFSTAGE_THEME"}, "marks": {"marks", `"unicode"`, "default"},
		"keys.list.stop": {"keys.list.stop", `["f2"]`, user + ":5"}, "agents.codex": {"agents.codex", "false", user + ":7"}, "redact.patterns": {"redact.patterns", "1 of them", user + ":9"},
	} {
		if got[name] != want {
			t.Errorf("%s: %+v, want %+v", name, got[name], want)
		}
	}
}
