//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// screen is the real program on a screen of its own: a process in a
// pseudo-terminal whose bytes go through a terminal emulator.
type screen struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	ended  chan struct{}

	mu  sync.Mutex
	emu *vt.Emulator
	raw strings.Builder
}

// runOn starts the program with args on a screen of w×h cells, in a home of its
// own.
func runOn(t *testing.T, w, h int, args ...string) *screen {
	t.Helper()
	home := t.TempDir()
	return runWith(t, w, h, home, append(os.Environ(), programVar+"=1", "HOME="+home, "XDG_STATE_HOME="+home+"/state", "XDG_CONFIG_HOME="+home+"/config", "TMPDIR="+home,
		"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=", "TMUX=", "OFFSTAGE_PLAIN="), args...)
}

// runWith is runOn in a folder and with variables that are given.
func runWith(t *testing.T, w, h int, home string, env []string, args ...string) *screen {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir, c.Env = home, env
	f, err := pty.StartWithSize(c, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		t.Fatalf("start the program: %v", err)
	}
	s := &screen{t: t, cmd: c, master: f, ended: make(chan struct{}), emu: vt.NewEmulator(w, h)}
	go s.paint()
	go func() { _, _ = io.Copy(f, s.emu) }()
	go func() { _ = c.Wait(); close(s.ended) }()
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.ended:
		case <-time.After(10 * time.Second):
			_ = c.Process.Kill()
			t.Error("the program did not end")
		}
		_ = f.Close()
	})
	return s
}

func (s *screen) paint() {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.master.Read(buf)
		s.mu.Lock()
		_, _ = s.emu.Write(buf[:n])
		s.raw.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *screen) keys(k string) {
	s.t.Helper()
	if _, err := s.master.WriteString(k); err != nil {
		s.t.Fatalf("type: %v", err)
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.String()
}

// until waits for a screen that is so, and shows the last one where it never is.
func (s *screen) until(what string, so func(text string) bool) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if so(s.text()) {
			return
		}
	}
	s.t.Fatalf("never: %s\n%s", what, s.text())
}

func (s *screen) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		s.until("shows "+w, func(text string) bool { return strings.Contains(text, w) })
	}
}

func logFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestScreenOutput: what a console makes of real bytes: redraws settled (B5),
// equal lines once (B6), colours kept and all other codes gone (B7), long lines
// cut with their rest counted (B8), secrets hidden (B9), the end mark drawn as
// the end (B2, B10).
func TestScreenOutput(t *testing.T) {
	dir := t.TempDir()
	secret := "ghp_" + strings.Repeat("Zk3R", 9)
	hostile := "\x1b]0;own title\a\x1b]52;c;aGVsbG8=\a\x1b[?25l\x1b[6n\x1b[3g\x1b]8;;http://evil/\alink\x1b]8;;\a\x1bP+q544e\x1b\\\x1b[?1049l"
	logFile(t, dir, "build.log", "start\n10%\r55%\rdone 100%\n"+strings.Repeat("same line\n", 7)+"\x1b[31mred\x1b[39m plain\n"+
		hostile+"\n"+strings.Repeat("x", 4500)+"\ntoken "+secret+" used\n\n[exited with code 3]\n")
	s := runOn(t, 100, 90, "--files", dir, "--task", "build.log")
	s.shows("done 100%", "same line", "×7", "red plain", "+500 characters", "token [redacted] used", "exit code 3", "link")
	text := s.text()
	for _, gone := range []string{"10%", "55%", "[exited with code", secret[:12]} {
		if strings.Contains(text, gone) {
			t.Errorf("%q is on the screen:\n%s", gone, text)
		}
	}
	s.keys("\x03")
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, bad := range map[string]string{"a title": "own title", "the clipboard": "]52;", "a link": "evil", "a query": "\x1b[6n", "a device string": "544e", "a secret": secret[:12]} {
		if strings.Contains(s.raw.String(), bad) {
			t.Errorf("%s of a task reached the terminal", name)
		}
	}
	if m := regexp.MustCompile("\x1b\\[[0-9;:]*31m").FindString(s.raw.String()); m == "" {
		t.Error("the colour of the task is lost")
	}
}

// TestScreenLongLog: the end first, Home at once, paging without limit, back to
// the end with the number of new lines, and the first failure far above what is
// loaded (B1–B4, B11).
func TestScreenLongLog(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString(" RUN  v3.2.4 /srv/app\n\n")
	for i := range 60_000 {
		if i == 9_000 {
			b.WriteString(" ❯ src/cart.test.ts (2 tests | 1 failed) 9ms\n   × keeps the cents 4ms\n")
		}
		fmt.Fprintf(&b, " ✓ src/file%d.test.ts (1 test) 1ms\n", i)
	}
	path := logFile(t, dir, "vitest.log", b.String())
	s := runOn(t, 100, 30, "--files", dir, "--task", "vitest.log")
	s.shows("src/file59999.test.ts", "✓ 60001 ✘ 1")
	s.keys("g")
	s.shows("RUN", "src/file0.test.ts", "Jump to end")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(strings.Repeat("late line\nother late line\n", 20)); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	s.shows("40 new", "src/file0.test.ts")
	s.keys("!")
	s.shows("keeps the cents", "src/file8999.test.ts")
	s.keys("G")
	s.shows("other late line")
	number := regexp.MustCompile(`src/file(\d+)\.test\.ts`)
	s.until("pages past what was loaded", func(text string) bool { // a frame may show two pages as one
		s.keys("b")
		top := number.FindStringSubmatch(text)
		n, _ := strconv.Atoi(append(top, "", "")[1])
		return len(top) > 0 && n < 57_000
	})
}

// TestScreenOldTask: --task opens the console of a task whose row is long gone
// (spec 5, A5).
func TestScreenOldTask(t *testing.T) {
	dir := t.TempDir()
	path := logFile(t, dir, "old.log", "the last words of an old task\n\n[exited with code 0]\n")
	logFile(t, dir, "new.log", "new\n\n[exited with code 0]\n")
	old := time.Now().Add(-5 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	s := runOn(t, 100, 30, "--files", dir)
	s.shows("new.log")
	if strings.Contains(s.text(), "old.log") {
		t.Fatalf("the row of an old task stays:\n%s", s.text())
	}
	s = runOn(t, 100, 30, "--files", dir, "--task", "old.log")
	s.shows("the last words of an old task", "completed")
}

// TestScreenQuiet: a running task that has written nothing says for how long,
// from the file's own time, amber past the setting; a question says that it may
// wait (D1–D4).
func TestScreenQuiet(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"server.log": "listening\n", "ask.log": "Overwrite the file? (y/N) "} {
		p := logFile(t, dir, name, text)
		f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("sleep", "300")
		c.Stdout, c.Stderr = f, f
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
		old := time.Now().Add(-12 * time.Minute)
		if err := os.Chtimes(p, old, old); err != nil {
			t.Fatal(err)
		}
	}
	s := runOn(t, 120, 30, "--files", dir)
	s.shows("2 background tasks running", "no output for 12 min", "may be waiting for input")
	s.keys("q")
	<-s.ended
	s = runOn(t, 120, 30, "--files", dir)
	s.shows("no output for 12 min")
}

// TestScreenStop: Stop of a real process from the panel, to the proof, while a
// reader of its log lives on (A6, K3, K4).
func TestScreenStop(t *testing.T) {
	dir := t.TempDir()
	p := logFile(t, dir, "server.log", "")
	f, err := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", "echo ready; exec sleep 300")
	c.Stdout, c.Stderr = f, f
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	gone := make(chan struct{})
	go func() { _ = c.Wait(); close(gone) }()
	t.Cleanup(func() { _ = c.Process.Kill() })
	reader := exec.Command("tail", "-f", p)
	if err := reader.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Process.Kill(); _ = reader.Wait() })
	s := runOn(t, 100, 24, "--files", dir)
	s.shows("server.log", "ready", "Stop")
	s.keys("x")
	s.shows("y stop", "sleep")
	s.keys("y")
	s.shows("stopped · 1 process ended")
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Error("the process lives on")
	}
	if err := reader.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the reader was ended too: %v", err)
	}
}

// TestScreenDemo: the tour shows what there is, and leaves nothing behind.
func TestScreenDemo(t *testing.T) {
	s := runOn(t, 100, 30, "demo")
	s.shows("Start the dev server", "Check the types", "failed, exit code 2", "Fixing the totals in the cart", "completed")
	s.keys("\x03")
	<-s.ended
	if left, _ := filepath.Glob(filepath.Join(s.cmd.Dir, "offstage-demo-*")); len(left) > 0 {
		t.Errorf("the demo left %v behind", left)
	}
	s.shows("The demo has ended")
}
