package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1536": 1536, "100M": 100 << 20, "5GiB": 5 << 30, "1.5 GB": 3 << 29, "2kb": 2048, "1T": 1 << 40} {
		if got, ok := Size(text); !ok || got != want {
			t.Errorf("%q is %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-1", "x", "1X", "1e300G", "NaN", "GiB"} {
		if got, ok := Size(text); ok {
			t.Errorf("%q was read as %d", text, got)
		}
	}
	for text, want := range map[string]SizeLimit{"100M:freeze": {100 << 20, "freeze"}, "5GiB": {5 << 30, "trim"}, "0": {0, "trim"}, "1G:stop": {1 << 30, "stop"}} {
		if got, ok := ParseSizeLimit(text); !ok || got != want {
			t.Errorf("%q is %+v %v", text, got, ok)
		}
	}
	if _, ok := ParseSizeLimit("1G:burn"); ok {
		t.Error("an action that is none was read")
	}
}

// H1, O6, spec 5: the settings of tasks, in every form that TOML allows, and what
// is said of a wrong one.
func TestTaskSettings(t *testing.T) {
	none := func(string) string { return "" }
	load := func(text string) (Settings, []string) {
		path := filepath.Join(t.TempDir(), "c.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Load([]Layer{{Path: path}}, none)
	}
	d := Defaults()
	if d.Timeout != 4*time.Hour || d.TimeoutObserved != 0 || d.SizeLimit != (SizeLimit{5 << 30, "trim"}) || d.AfterStop != "tell" || d.Notify != "bell" || d.KeepAwake {
		t.Errorf("defaults: %+v", d)
	}
	for _, text := range []string{"timeout = \"30m\"\n\"timeout.observed\" = \"2h\"\n", "[timeout]\nown = \"30m\"\nobserved = \"2h\"\n"} {
		if s, wrong := load(text); len(wrong) > 0 || s.Timeout != 30*time.Minute || s.TimeoutObserved != 2*time.Hour {
			t.Errorf("%s: %+v %v", text, s, wrong)
		}
	}
	s, wrong := load("timeout = 0\nsize_limit = \"100M:freeze\"\nafter_stop = \"silent\"\nnotify = \"desktop\"\nkeep_awake = true\n")
	if len(wrong) > 0 || s.Timeout != 0 || s.SizeLimit.Do != "freeze" || s.AfterStop != "silent" || s.Notify != "desktop" || !s.KeepAwake {
		t.Errorf("%+v %v", s, wrong)
	}
	for _, text := range []string{"timeout = \"7m\"\n", "timeout = \"11h\"\n", "size_limit = \"lots\"\n", "after_stop = \"shout\"\n", "notify = 3\n"} {
		s, wrong := load(text)
		s.Keys, s.Patterns = nil, nil
		if len(wrong) != 1 || !strings.Contains(wrong[0], "c.toml:1: ") || !strings.Contains(wrong[0], "is wanted") || s.Timeout != d.Timeout || s.SizeLimit != d.SizeLimit {
			t.Errorf("%s: %v", text, wrong)
		}
	}
}
