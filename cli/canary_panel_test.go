//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// canaryKeys are walked in the panel; each is a way to show, copy or hand out. Add
// the keys of a new one. {save} is a path for an export.
var canaryKeys = []struct{ name, keys string }{
	{"down the list", "jjj"}, {"details", "i"}, {"close", "\x1b"}, {"copy of the row", "y"}, {"stop preview", "x"}, {"keep", "\x1b"},
	{"open", "\r"}, {"copy of a row", "y"}, {"copy of all in view", "Y"}, {"select", "vkkky"},
	{"top", "g"}, {"unfold", "\r"}, {"as written", "J"}, {"no wrap", "w"}, {"search", "/redacted\r"}, {"next hit", "n"}, {"filter", "&last\r"}, {"no filter", "\x1b"},
	{"first failure", "!"}, {"details of the console", "i"}, {"close details", "\x1b"}, {"pager", "O"}, {"editor", "\x05"}, {"save", "\x13\x15{save}\r"},
	{"next tasks", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"}, {"next", "]"},
	{"next", "]"}, {"next", "]"}, {"copy", "y"}, {"leave the console", "\x1b"}, {"session", "s"}, {"next session", "s"}, {"results", "\t\r"}, {"help", "?"}, {"close help", "\x1b"},
	{"fold", " "}, {"unfold", " "}, {"everywhere", "A"}, {"ended", "H"}, {"filter of the list", "/redacted\r"},
}

// TestCanaryPanel: what the window paints, copies, saves and hands to pager and
// editor shows no planted secret at any size (C9).
func TestCanaryPanel(t *testing.T) {
	if testing.Short() {
		t.Skip("it walks the whole window")
	}
	home, dir := plant(t)
	handed := filepath.Join(home, "handed")
	reader := logFile(t, home, "reader.sh", "#!/bin/sh\nfor f in \"$@\"; do :; done\ncat \"$f\" >> "+handed+"\necho "+canaryEnd+" >> "+handed+"\n")
	if err := os.Chmod(reader, 0o700); err != nil {
		t.Fatal(err)
	}
	env := append(canaryEnv(home, dir), "PAGER="+reader, "VISUAL="+reader, "COLORTERM=truecolor")
	copies := 0
	for _, size := range [][2]int{{160, 45}, {80, 24}, {48, 14}} {
		save := filepath.Join(t.TempDir(), "saved.log")
		fresh := append(env[:len(env):len(env)], "XDG_STATE_HOME="+t.TempDir()) // no place of the walk before
		s := runWith(t, size[0], size[1], home, fresh, "-A")
		s.until("the panel", func(text string) bool {
			return strings.Contains(text, "[redacted]") || strings.Contains(text, "running")
		})
		for _, k := range canaryKeys {
			for _, key := range canaryTyped(strings.ReplaceAll(k.keys, "{save}", save)) {
				s.keys(key)
				time.Sleep(25 * time.Millisecond)
			}
			time.Sleep(120 * time.Millisecond)
			switch k.name {
			case "pager", "editor": // it has the screen for a moment
				copies++
				waitFor(func() bool { b, _ := os.ReadFile(handed); return strings.Count(string(b), canaryEnd) >= copies })
				time.Sleep(400 * time.Millisecond)
			case "save":
				saved := func() bool { st, err := os.Stat(save); return err == nil && st.Size() > 0 }
				for tries := 0; tries < 3 && !saved(); tries++ { // the window may still come back from the editor
					time.Sleep(time.Second)
					if saved() {
						break
					}
					for _, key := range canaryTyped(strings.ReplaceAll(k.keys, "{save}", save)) {
						s.keys(key)
						time.Sleep(100 * time.Millisecond)
					}
				}
				waitFor(saved)
			}
			if found := leaks(s.text()); len(found) > 0 {
				t.Fatalf("%d×%d, %s: the screen shows %q", size[0], size[1], k.name, found)
			}
		}
		s.keys("\x03")
		s.mu.Lock()
		raw := s.raw.String()
		s.mu.Unlock()
		if found := leaks(wireText(raw)); len(found) > 0 {
			t.Errorf("%d×%d: on the terminal's wire: %q", size[0], size[1], found)
		}
		if b, err := os.ReadFile(save); err != nil || !strings.Contains(string(b), "[redacted]") || len(leaks(string(b))) > 0 {
			t.Errorf("%d×%d: the saved file: %v, %q", size[0], size[1], err, leaks(string(b)))
		}
		if !strings.Contains(wireText(raw), "[redacted]") {
			t.Error("nothing was hidden: the test looks at the wrong place")
		}
	}
	b, err := os.ReadFile(handed)
	if err != nil || !strings.Contains(string(b), "[redacted]") || len(leaks(string(b))) > 0 {
		t.Errorf("what pager and editor got: %v, %q", err, leaks(string(b)))
	}
}

// canaryEnd closes each copy that a pager or editor got.
const canaryEnd = "=== end of a copy ==="

// waitFor waits until something is so; where it never is, a check after it tells.
func waitFor(so func() bool) {
	for end := time.Now().Add(20 * time.Second); !so() && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
}

// canaryTyped cuts keys into presses; a path is typed at once.
func canaryTyped(keys string) []string {
	if len(keys) > 12 {
		return []string{keys[:1], keys[1:2], keys[2 : len(keys)-1], keys[len(keys)-1:]}
	}
	var out []string
	for _, r := range keys {
		out = append(out, string(r))
	}
	return out
}
