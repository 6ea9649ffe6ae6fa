//go:build linux

package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// buildOnce is the binary under measurement, built for this run of the tests.
var buildOnce = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("OFFSTAGE_BENCH_BINARY"); path != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "offstage-bench")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "offstage")
	build := exec.Command("go", "build", "-o", path, "offstage")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return path, nil
})

func binary(b testing.TB) string {
	b.Helper()
	path, err := buildOnce()
	must(b, err)
	return path
}

// program is a running program in a pseudo-terminal, seen through an emulator.
type program struct {
	b      testing.TB
	cmd    *exec.Cmd
	master *os.File
	began  time.Time
	bytes  atomic.Int64
	// drawn has one token while something was painted since it was last taken.
	drawn chan struct{}

	mu  sync.Mutex
	emu *vt.Emulator
}

// run starts a program in a terminal of 120×40 cells with home as its home.
func run(b testing.TB, home, name string, args ...string) *program {
	b.Helper()
	p := &program{b: b, cmd: exec.Command(name, args...), emu: vt.NewEmulator(120, 40), drawn: make(chan struct{}, 1)}
	p.cmd.Dir = home
	p.cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "HOME=") || strings.HasPrefix(s, "XDG_") || strings.HasPrefix(s, "TMPDIR=") || strings.HasPrefix(s, "CLAUDE") || strings.HasPrefix(s, "TMUX")
	}), "HOME="+home, "TMPDIR="+filepath.Join(home, "tmp"), "TERM=xterm-256color")
	p.began = time.Now()
	master, err := pty.StartWithSize(p.cmd, &pty.Winsize{Cols: 120, Rows: 40})
	must(b, err)
	p.master = master
	go p.answers()
	go p.paint()
	b.Cleanup(p.end)
	return p
}

// end asks the program to leave and, if it does not, ends it.
func (p *program) end() {
	if p.cmd.ProcessState != nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	gone := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
		<-gone
		p.b.Error("the program did not end when it was asked to")
	}
	_ = p.master.Close()
}

// answers passes on what a terminal says by itself.
func (p *program) answers() {
	buf := make([]byte, 1024)
	for {
		n, err := p.emu.Read(buf)
		if err != nil {
			return
		}
		if _, err := p.master.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (p *program) paint() {
	buf := make([]byte, 32<<10)
	for {
		n, err := p.master.Read(buf)
		if n > 0 {
			p.bytes.Add(int64(n))
			p.mu.Lock()
			_, _ = p.emu.Write(buf[:n])
			p.mu.Unlock()
			select {
			case p.drawn <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *program) keys(keys string) {
	p.b.Helper()
	_, err := p.master.WriteString(keys)
	must(p.b, err)
}

// text is what a person sees.
func (p *program) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emu.String()
}

// patience is how long a screen is waited for before the benchmark fails.
const patience = 30 * time.Second

// shows waits until every one of words is on the screen and gives the time of
// the paint that brought the last of them.
func (p *program) shows(words ...string) time.Time {
	p.b.Helper()
	return p.until(strings.Join(words, " + "), func(text string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

func (p *program) until(what string, ok func(text string) bool) time.Time {
	p.b.Helper()
	for end := time.Now().Add(patience); ; {
		text, at := p.text(), time.Now()
		if ok(text) {
			return at
		}
		if at.After(end) {
			p.b.Fatalf("never on the screen: %s. The screen:\n%s", what, text)
		}
		select {
		case <-p.drawn:
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// cpu is the processor time that the program has taken, to the nanosecond, of
// all its threads and none of its children.
func (p *program) cpu() time.Duration {
	p.b.Helper()
	var ts unix.Timespec
	clock := int32(^p.cmd.Process.Pid)<<3 | 2 // CLOCK_PROCESS_CPUTIME of another process
	must(p.b, unix.ClockGettime(clock, &ts))
	return time.Duration(ts.Nano())
}

// rss is the memory that the program holds, in bytes, and the most it ever held.
func (p *program) rss() (now, most int64) {
	p.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	must(p.b, err)
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "VmRSS:":
			now = n << 10
		case "VmHWM:":
			most = n << 10
		}
	}
	return now, most
}

// load is what else the machine does: the figure that belongs beside every other.
func load(b *testing.B) {
	text, err := os.ReadFile("/proc/loadavg")
	must(b, err)
	n, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	must(b, err)
	b.ReportMetric(n, "load")
}

// spread reports the median and the 99th percentile of what was measured.
func spread(b *testing.B, took []time.Duration, of string) {
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms-"+of)
	b.ReportMetric(ms(took[min(len(took)-1, len(took)*99/100)]), "p99-ms-"+of)
	b.ReportMetric(0, "ns/op")
}

func must(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
