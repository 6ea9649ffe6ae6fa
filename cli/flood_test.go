//go:build unix

package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A flood is seen by a running panel at once, with the strip that says what it
// takes of the disk; its guard freezes it, the strip says that, and Z lets it go
// on (spec 2 O6). The times are logged; a second is the promise on an idle machine.
func TestFloodIsSeen(t *testing.T) {
	home := t.TempDir()
	env := append(os.Environ(), programVar+"=1", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "XDG_RUNTIME_DIR=", "TMPDIR="+home,
		"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "TMUX=", "OFFSTAGE_PLAIN=")
	offstage := func(args ...string) string {
		c := exec.Command(os.Args[0], args...)
		c.Dir, c.Env = home, env
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	offstage("run", "--wait", "--", "true") // the folder of all tasks is there
	panel := runWith(t, 140, 40, home, env, "--everywhere")
	panel.shows("true") // it is up
	id := offstage("run", "--name", "flood", "--size-limit", "300M:freeze", "--", "while yes; do :; done")
	began := time.Now()
	t.Cleanup(func() { // where it failed half-way
		c := exec.Command(os.Args[0], "stop", id, "--yes")
		c.Dir, c.Env = home, env
		_ = c.Run()
	})
	panel.shows("flood")
	row := time.Since(began)
	panel.keys("k\r") // it stands above the first one
	panel.shows("output takes")
	strip := time.Since(began)
	panel.shows("frozen: it stands still")
	t.Logf("row after %v, strip after %v, frozen seen after %v", row, strip, time.Since(began))
	if row > 10*time.Second || strip > 20*time.Second {
		t.Errorf("row after %v, strip after %v", row, strip)
	}
	if out := offstage("stop", id, "--yes"); !strings.Contains(out, "ended") {
		t.Errorf("the stop says %q", out)
	}
}
