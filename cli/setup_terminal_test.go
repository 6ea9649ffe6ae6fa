//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// On a terminal it asks: an n leaves all as it was; a taken key is asked for again.
func TestSetupAsks(t *testing.T) {
	home := t.TempDir()
	conf := filepath.Join(home, ".tmux.conf")
	if err := os.WriteFile(conf, []byte("bind b break-pane\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), programVar+"=1", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "TMPDIR=/nowhere", "TERM=xterm", "TMUX=", "TMUX_TMPDIR="+home)
	talk := func(lines ...string) string {
		s := runWith(t, 100, 40, home, env, "setup", "tmux")
		for i := 0; i < len(lines); i += 2 {
			s.shows(lines[i])
			s.keys(lines[i+1] + "\r")
		}
		select {
		case <-s.ended:
		case <-time.After(20 * time.Second):
			t.Fatal("it does not end")
		}
		b, err := os.ReadFile(conf)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got := talk("Install it", "y", "Another key", "B", "Write this?", "n"); got != "bind b break-pane\n" {
		t.Errorf("after an n: %q", got)
	}
	if got := talk("Install it", "y", "Another key", "B", "Write this?", "y"); !strings.Contains(got, "bind-key B run-shell") {
		t.Errorf("after a y: %q", got)
	}
}
