//go:build unix

package proc

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shapes are the nine of the field and some more, each with how many processes
// of the task there are at least when it stands.
var shapes = []struct {
	name, command string
	n             int
	// exit is what the agent reads of its wrapper, "" where several are true.
	exit string
}{
	{"plain", "sleep 300", 2, "exit 143"},
	{"chain", "sh -c 'sh -c \"sleep 300; exit \\$?\"; exit $?'", 4, "exit 143"},
	{"background jobs", "sleep 300 & sleep 300 & wait", 3, ""},
	{"setsid", "setsid sleep 300 & sleep 301", 3, "exit 143"},
	{"double fork", "(setsid sh -c 'sleep 300 & exec sleep 301' > /dev/null 2>&1 < /dev/null &) ; (setsid sh -c 'sleep 302 & exec sleep 303' &); sleep 304", 4, "exit 143"},
	{"shell gone", "sleep 300 & exit 0", 1, "exit 0"},
	{"exec", "exec sleep 300", 1, "exit 1015"},
	{"ignores TERM", "bash -c 'trap \"\" TERM; while :; do sleep 0.2; done'", 3, "exit 137"},
	{"respawns in the wrapper", "while :; do sleep 300; done", 2, "exit 1015"},
	{"respawns below it", "bash -c 'while :; do sleep 300; done'", 3, "exit 143"},
	{"pipeline into tail", "while :; do echo x; sleep 0.1; done | tail -40", 4, "exit 0"},
	{"server into tail", "(echo listening; exec sleep 300) 2>&1 | tail -40", 3, "exit 0"},
	{"fan-out", "for i in 0 1 2 3 4 5 6 7 8 9; do setsid sh -c 'sleep 300 & sleep 301' & done; wait", 31, ""},
	{"leader ends, member ignores TERM", "bash -c 'trap \"\" TERM; sleep 300; :' & exec sleep 301", 3, ""},
	{"zombie child", "sleep 0.01 & exec sleep 300", 1, "exit 1015"},
	{"a hundred", "for i in $(seq 100); do sleep 300 & done; wait", 101, ""},
	{"stopped by ^Z", "sleep 300 & kill -STOP $!; wait $!", 2, "exit 143"},
	{"one after another", "sleep 300; sleep 301; sleep 302", 2, ""},
	{"node detached", "node -e 'require(\"child_process\").spawn(\"sleep\",[\"300\"],{detached:true,stdio:\"inherit\"}); setInterval(()=>{},1e3)'", 3, "exit 143"},
}

// K3, K4: of every shape nothing lives on; the agent, a reader and an editor do,
// and the agent reads the true end of its wrapper.
func TestStopEndsEveryShape(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			if shape.name == "node detached" {
				if _, err := exec.LookPath("node"); err != nil {
					t.Skip("there is no node on this machine")
				}
			}
			once := func(t *testing.T) { stopsForeign(t, shape.name, shape.command, shape.exit, shape.n) }
			if rounds() == 1 {
				once(t)
				return
			}
			for i := range rounds() { // each round ends its own agent, reader and editor
				if !t.Run(strconv.Itoa(i), once) {
					return
				}
			}
		})
	}
}

// rounds is 1 in an ordinary run; OFFSTAGE_FULL=1 repeats each shape a hundred
// times, OFFSTAGE_STOP_ROUNDS=20 as often as it says.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("OFFSTAGE_STOP_ROUNDS")); err == nil && n > 0 {
		return n
	}
	if os.Getenv("OFFSTAGE_FULL") != "" {
		return 100
	}
	return 1
}

// stopsForeign starts an agent with one task, a reader and an editor, stops the
// task, and looks who lives.
func stopsForeign(t *testing.T, name, command, exit string, n int) {
	a := newAgent(t, command)
	a.settled(n)
	reader := start(t, exec.Command("tail", "-f", a.output))
	editor := holder(t, a.output)
	time.Sleep(100 * time.Millisecond) // the wrapper of "shell gone" is still there at first
	_, r := a.stop(a.settled(n), a.target(), StopOptions{Grace: 300 * time.Millisecond, Step: 300 * time.Millisecond})
	if len(r.Left) > 0 || len(r.Ended) < n {
		t.Errorf("ended %v, left %v", r.Ended, r.Left)
	}
	if left := a.living(name == "double fork"); len(left) > 0 {
		t.Errorf("alive after a stop that said otherwise: %v", left)
	}
	if said := a.next(); exit != "" && said != exit {
		t.Errorf("the agent read %q, want %q", said, exit)
	}
	for who, id := range map[string]ID{"agent": a.id, "reader": reader, "editor": editor} {
		if err := id.check(); err != nil {
			t.Errorf("the %s did not survive: %v", who, err)
		}
	}
	if strings.Contains(command, "| tail") {
		if b, err := os.ReadFile(a.output); err != nil || len(b) == 0 {
			t.Errorf("what tail kept is lost: %q %v", b, err)
		}
	}
	t.Logf("took %v for %d processes", r.Took, len(r.Ended))
}

// living is marked without those that left the task for good: their files,
// session and parents are others, nothing but the environment speaks for them
// (they are shown as left behind, K3 does not reach them).
func (a *agent) living(escapees bool) []Proc {
	var out []Proc
	table, err := Scan(thisWorld(a.t))
	if err != nil {
		a.t.Fatal(err)
	}
	for _, p := range a.marked() {
		if escapees && table.Link(p.PID, 1) == "/dev/null" {
			continue
		}
		out = append(out, p)
	}
	return out
}

// holder starts a process that has path open for reading and writing.
func holder(t *testing.T, path string) ID {
	t.Helper()
	cmd := role("holder", path)
	_, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	id := start(t, cmd)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "open\n" {
		t.Fatalf("holder: %q %v", line, err)
	}
	return id
}
