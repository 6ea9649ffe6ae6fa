package tmux

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/setup"
)

// stand is what the key calls in these tests: it opens and closes a split as the
// program does, and follows a file for the pill. Setup is what is tried here. Each
// line is said again a good second later: tmux draws a status line once in a second
// for a #() that goes on, and leaves a second line within it for the interval.
const stand = `#!/bin/sh
case "$1" in
pill) last=; n=0; while :; do now=$(cat "$STAND/pill" 2>/dev/null); n=$((n+1))
  [ "$now" = "$last" ] || { printf '%s\n' "$now"; last=$now; n=0; }
  [ $n = 11 ] && printf '%s\n' "$now"; sleep 0.1; done;;
open) [ "$2 $3" = "--toggle --tmux-pane" ] || exit 2
  echo "$4" >> "$STAND/opened"
  was=$(tmux show-options -gqv @stand)
  if [ -n "$was" ] && tmux kill-pane -t "$was" 2>/dev/null; then tmux set-option -gu @stand; exit; fi
  tmux set-option -g @stand "$(tmux split-window -h -d -P -F '#{pane_id}' -t "$4" 'sleep 60')";;
esac
`

// lab is a tmux server with a configuration of its own, seen through a client that
// runs in the pane of another server.
type lab struct {
	t         *testing.T
	dir, conf string
	e         setup.Env
}

func newLab(t *testing.T, config string) *lab {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux")
	}
	dir, err := os.MkdirTemp("", "ot") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, dir: dir, conf: filepath.Join(dir, ".tmux.conf")}
	t.Cleanup(func() { // the servers are gone before their folder is
		_, _ = l.try("tmux", "-S", l.outer(), "kill-server")
		_, _ = l.try("tmux", "kill-server")
		_ = os.RemoveAll(dir)
	})
	l.put(".tmux.conf", config, 0o644)
	l.put("offstage", stand, 0o755)
	l.e = setup.Env{Home: dir, Program: filepath.Join(dir, "offstage"), Getenv: func(string) string { return "" }, Ask: l.try}
	return l
}

func (l *lab) outer() string { return filepath.Join(l.dir, "outer") }

func (l *lab) put(name, text string, mode os.FileMode) {
	l.t.Helper()
	if err := os.WriteFile(filepath.Join(l.dir, name), []byte(text), mode); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) get(name string) string {
	b, _ := os.ReadFile(filepath.Join(l.dir, name))
	return string(b)
}

func (l *lab) try(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = l.dir
	cmd.Env = append(os.Environ(), "HOME="+l.dir, "XDG_CONFIG_HOME=", "TMUX=", "TMUX_PANE=", "TMUX_TMPDIR="+l.dir, "STAND="+l.dir, "TERM=xterm-256color")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return string(out), nil
}

func (l *lab) tmux(args ...string) string {
	l.t.Helper()
	out, err := l.try("tmux", args...)
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimRight(out, "\n")
}

// start starts the server under test and looks at it from outside.
func (l *lab) start() {
	l.t.Helper()
	l.tmux("-f", l.conf, "new-session", "-d", "-x", "150", "-y", "20", "cat")
	l.tmux("-S", l.outer(), "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "20", "TMUX= exec tmux attach")
	l.tmux("-S", l.outer(), "set-option", "-g", "status", "off")
	l.until("a client", func() bool { return l.tmux("list-clients") != "" && l.bar() != "" })
}

// bar is the status line as a person sees it.
func (l *lab) bar() string {
	lines := strings.Split(l.tmux("-S", l.outer(), "capture-pane", "-p"), "\n")
	return lines[len(lines)-1]
}

func (l *lab) press(keys ...string) {
	l.t.Helper()
	l.tmux(append([]string{"-S", l.outer(), "send-keys"}, keys...)...)
}

func (l *lab) panes() int { return strings.Count(l.tmux("list-panes"), "\n") + 1 }

func (l *lab) until(what string, ok func() bool) time.Duration {
	l.t.Helper()
	from := time.Now()
	for time.Since(from) < 15*time.Second {
		if ok() {
			return time.Since(from)
		}
		time.Sleep(50 * time.Millisecond)
	}
	l.t.Fatalf("in vain waited for %s; status line %q", what, l.bar())
	return 0
}

func (l *lab) add() {
	l.t.Helper()
	changes, err := setup.Add(Host(), l.e)
	if err == nil {
		err = setup.Apply(Host(), filepath.Join(l.dir, "state"), changes)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) remove() {
	l.t.Helper()
	changes, err := setup.Remove(Host(), l.e, filepath.Join(l.dir, "state"))
	if err == nil {
		err = setup.Apply(Host(), filepath.Join(l.dir, "state"), changes)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

const persons = "set -g status-right 'mine'\nset -g status-interval 15\nset -g mouse on\n"

// click presses on a column of the status line, as a terminal tells it.
func (l *lab) click(column int) {
	l.press("-l", fmt.Sprintf("\x1b[<0;%d;20M", column))
	l.press("-l", fmt.Sprintf("\x1b[<0;%d;20m", column))
}

// C2, in a real tmux that runs already: the pill stands before the person's own
// value and follows, key and click open the split and close it, and a removal
// leaves server and file as they were.
func TestInARunningServer(t *testing.T) {
	l := newLab(t, persons)
	l.start()
	keys, right := l.tmux("list-keys"), l.tmux("show-options", "-g", "status-right")
	length := l.tmux("show-options", "-g", "status-right-length")
	l.put("pill", "one shell", 0o600)
	l.add()
	if !Host().Running(l.e) {
		t.Fatal("the server is not found")
	}
	for range 2 {
		if err := Host().Tell(l.e); err != nil {
			t.Fatal(err)
		}
	}
	l.until("the pill", func() bool { return strings.HasSuffix(l.bar(), "one shell mine") })
	l.put("pill", "2 failed", 0o600)
	t.Logf("a new pill after %v", l.until("the next pill", func() bool { return strings.HasSuffix(l.bar(), "2 failed mine") }))

	pane := l.tmux("display-message", "-p", "#{pane_id}")
	l.press("C-b", "b")
	l.until("the split", func() bool { return l.panes() == 2 })
	if got := strings.TrimSpace(l.get("opened")); got != pane {
		t.Errorf("opened for pane %q, want %q", got, pane)
	}
	l.press("C-b", "b")
	l.until("no split", func() bool { return l.panes() == 1 })

	on := strings.Index(l.bar(), "failed")
	l.click(on + 1)
	l.until("the split by a click", func() bool { return l.panes() == 2 })
	time.Sleep(700 * time.Millisecond) // a second click at once is a double click
	l.click(on + 1)
	l.until("no split by a click", func() bool { return l.panes() == 1 })

	l.remove()
	if err := Host().Untell(l.e); err != nil {
		t.Fatal(err)
	}
	if l.get(".tmux.conf") != persons {
		t.Errorf("the file is not as it was: %q", l.get(".tmux.conf"))
	}
	if got := l.tmux("list-keys"); got != keys {
		t.Errorf("the keys are not as they were:\n%s", got)
	}
	if got := l.tmux("show-options", "-g", "status-right"); got != right {
		t.Errorf("status-right is %q, want %q", got, right)
	}
	if got := l.tmux("show-options", "-g", "status-right-length"); got != length {
		t.Errorf("the length is %q, want %q", got, length)
	}
	if got := l.tmux("show-options", "-g"); strings.Contains(got, "offstage") {
		t.Errorf("an option is left:\n%s", got)
	}
	l.until("the bar as it was", func() bool { return strings.HasSuffix(l.bar(), "mine") && !strings.Contains(l.bar(), "failed") })
}

// A server that starts with the file has all of it, and a reload puts it in once.
func TestFromTheFile(t *testing.T) {
	l := newLab(t, persons+"bind r source-file ~/.tmux.conf\n")
	l.put("pill", "one shell", 0o600)
	l.add()
	l.start()
	l.until("the pill", func() bool { return strings.HasSuffix(l.bar(), "one shell mine") })
	l.tmux("source-file", l.conf)
	l.press("C-b", "b")
	l.until("the split", func() bool { return l.panes() == 2 })
	if got := l.tmux("show-options", "-gv", "status-right"); got != inStatus+"mine" {
		t.Errorf("status-right after a reload: %q", got)
	}
}

// A key that only the running server has, as a plugin binds it, is noticed.
func TestKeyTakenInTheServer(t *testing.T) {
	l := newLab(t, persons)
	l.start()
	l.tmux("bind-key", "-N", "a note", "b", "display-message", "plugin")
	_, err := setup.Add(Host(), l.e)
	if err == nil || !strings.Contains(err.Error(), "taken already by display-message plugin") || !strings.Contains(err.Error(), "--key B") {
		t.Errorf("%v", err)
	}
	l.e.Key = "B"
	l.add()
	if got := Host().After(l.e); !strings.Contains(got, "then B in") {
		t.Error(got)
	}
	l.e.Key = ""
	if changes, err := setup.Add(Host(), l.e); err != nil || !changes[0].None() {
		t.Errorf("the key of the earlier setup is not kept: %v", err)
	}
	l.e.Key = "c"
	if _, err := setup.Add(Host(), l.e); err == nil {
		t.Error("a key of tmux itself is given away")
	}
}

// Where no server runs none is started by a question.
func TestNoServerIsStarted(t *testing.T) {
	l := newLab(t, persons)
	l.add()
	if Host().Running(l.e) {
		t.Error("a server was started")
	}
	if out, err := l.try("tmux", "list-sessions"); err == nil {
		t.Errorf("a server was started: %s", out)
	}
}

func TestBindings(t *testing.T) {
	for line, want := range map[string]binding{
		"bind b break-pane":                       {"prefix", "b", "break-pane"},
		"  bind-key -r -N 'a note' -T root C-b x": {"root", "C-b", "x"},
		"bind -n M-b select-pane -L":              {"root", "M-b", "select-pane -L"},
		"bind-key    -T prefix \\;  last-pane":    {"prefix", ";", "last-pane"},
		"bind -rN \"one\" b x y":                  {"prefix", "b", "x y"},
		"unbind b":                                {"prefix", "b", ""},
		"unbind-key -T root b":                    {"root", "b", ""},
	} {
		if got := bindings(line + "\n"); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
	if got := bindings("# bind b x\nset -g b c\nbind\nbind -n\n"); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
