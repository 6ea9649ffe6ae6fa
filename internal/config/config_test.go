package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func none(string) string { return "" }

// TestLayers: environment over project over user over default.
func TestLayers(t *testing.T) {
	user := write(t, "quiet_after = \"5m\"\ntheme = \"dark\"\nmouse = false\n[layout]\nstacked = 70\n")
	project := write(t, "theme = \"light\"\n")
	s, wrong := Load([]Layer{{Path: user}, {Path: project}}, func(k string) string {
		return map[string]string{"OFFSTAGE_LAYOUT_STACKED": "80"}[k]
	})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if s.QuietAfter != 5*time.Minute || s.Theme != "light" || s.Mouse || s.Stacked != 80 || s.FinishedMax != 20 {
		t.Errorf("got %+v", s)
	}
}

// TestWrong: each wrong value is one sentence with its place and what is
// allowed, and nothing else is lost (spec 5).
func TestWrong(t *testing.T) {
	p := write(t, "\nquiet_after = \"3h\"\ntheme = \"pink\"\nfinished_max = 0\nnonsense = 1\n[layout]\nside_by_side = \"wide\"\n")
	s, wrong := Load([]Layer{{Path: p}}, func(k string) string {
		return map[string]string{"OFFSTAGE_MOUSE": "maybe"}[k]
	})
	if !reflect.DeepEqual(s, Defaults()) {
		t.Errorf("a default was lost: %+v", s)
	}
	all := strings.Join(wrong, "\n")
	for _, want := range []string{":2: quiet_after = 3h: a duration from 1m to 2h", ":3: theme = pink: one of auto, dark, light", ":4: finished_max = 0", ":5: there is no setting nonsense", ":7: layout.side_by_side = wide", "OFFSTAGE_MOUSE=maybe: true or false"} {
		if !strings.Contains(all, want) {
			t.Errorf("no sentence with %q in:\n%s", want, all)
		}
	}
	if len(wrong) != 6 {
		t.Errorf("%d sentences, want 6:\n%s", len(wrong), all)
	}
}

// TestFiles: a missing file that nobody named is nothing; a named one, a folder
// and broken TOML are each one sentence.
func TestFiles(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "none.toml")
	for _, c := range []struct {
		l    Layer
		want int
	}{{Layer{Path: gone, Optional: true}, 0}, {Layer{Path: gone}, 1}, {Layer{Path: t.TempDir(), Optional: true}, 1}, {Layer{Path: write(t, "a = = 1"), Optional: true}, 1}} {
		if _, wrong := Load([]Layer{c.l}, none); len(wrong) != c.want {
			t.Errorf("%v: %v", c.l, wrong)
		}
	}
}

// TestDuration: a bare number is seconds.
func TestDuration(t *testing.T) {
	for v, want := range map[string]time.Duration{"90s": 90 * time.Second, "5m": 5 * time.Minute, "90": 90 * time.Second} {
		if d, ok := Duration(v); !ok || d != want {
			t.Errorf("%s: %v %v", v, d, ok)
		}
	}
	if _, ok := Duration("soon"); ok {
		t.Error("soon is a duration")
	}
}

// TestKeys: keys by the names of the key table, one or several (B16).
func TestKeys(t *testing.T) {
	p := write(t, "[keys]\n\"list.stop\" = \"ctrl+x\"\nwindow.quit = [\"Q\", \"f12\"]\nlist.open = 3\n")
	s, wrong := Load([]Layer{{Path: p}}, none)
	want := map[string][]string{"list.stop": {"ctrl+x"}, "window.quit": {"Q", "f12"}}
	if !reflect.DeepEqual(s.Keys, want) {
		t.Errorf("got %v", s.Keys)
	}
	if len(wrong) != 1 || !strings.Contains(wrong[0], "keys.list.open") {
		t.Errorf("sentences: %v", wrong)
	}
}
