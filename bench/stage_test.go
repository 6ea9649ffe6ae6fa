//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stage is a machine of our own making: a home, and processes.
type stage struct {
	b    testing.TB
	home string
}

func newStage(b testing.TB) *stage {
	s := &stage{b: b, home: b.TempDir()}
	must(b, os.MkdirAll(filepath.Join(s.home, "tmp"), 0o700))
	return s
}

// path is a place below the home; its folder is made.
func (s *stage) path(parts ...string) string {
	p := filepath.Join(append([]string{s.home}, parts...)...)
	must(s.b, os.MkdirAll(filepath.Dir(p), 0o700))
	return p
}

func (s *stage) write(path, text string) {
	must(s.b, os.WriteFile(path, []byte(text), 0o600))
}

// offstage starts the program on this stage.
func (s *stage) offstage(args ...string) *program {
	return run(s.b, s.home, binary(s.b), args...)
}

// peer starts the empty program on this stage.
func (s *stage) peer() *program {
	self, err := os.Executable()
	must(s.b, err)
	s.b.Setenv("OFFSTAGE_BENCH_ROLE", "peer")
	p := run(s.b, s.home, self)
	s.b.Setenv("OFFSTAGE_BENCH_ROLE", "")
	return p
}

// sleeper is a quiet process that holds the log at path as its output.
func (s *stage) sleeper(path string) *exec.Cmd {
	return s.start(path, "sleep", "3600")
}

// writer fills the log at path at a rate in MB/s, up to most MB (0: no end).
func (s *stage) writer(path string, rate, most float64) *exec.Cmd {
	self, err := os.Executable()
	must(s.b, err)
	s.b.Setenv("OFFSTAGE_BENCH_ROLE", "writer")
	cmd := s.start(path, self, fmt.Sprint(rate), fmt.Sprint(most))
	s.b.Setenv("OFFSTAGE_BENCH_ROLE", "")
	return cmd
}

// start runs a process that appends to the log at path until the benchmark ends.
func (s *stage) start(path, name string, args ...string) *exec.Cmd {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	must(s.b, err)
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = f, f
	must(s.b, cmd.Start())
	must(s.b, f.Close())
	s.b.Cleanup(func() { s.stop(cmd) })
	return cmd
}

// stop ends a process of this stage and waits for it; again is no harm.
func (s *stage) stop(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // "signal: killed" is what was wanted
	}
}

// startOf is the start time of a process in ticks, as an agent records it.
func (s *stage) startOf(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	must(s.b, err)
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+2:]))[19]
}

// session is a live session of Claude Code whose client is a process, with a
// transcript of about size bytes that launches n shells at its middle, each with a quiet
// process behind it.
func (s *stage) session(id string, size, n int) {
	client := s.start(os.DevNull, "sleep", "3600").Process.Pid
	s.write(s.path(".claude/sessions", fmt.Sprint(client)+".json"), fmt.Sprintf(
		`{"pid":%d,"sessionId":%q,"cwd":%q,"startedAt":%d,"procStart":%q,"version":"2.1.332","entrypoint":"cli","status":"shell"}`,
		client, id, s.home, time.Now().UnixMilli(), s.startOf(client)))
	var launches strings.Builder
	now := time.Now()
	for i := range n {
		task := fmt.Sprintf("%s-b%d", id, i)
		out := s.path("tmp/claude-0/-srv-app", id, "tasks", task+".output")
		s.write(out, "ready\n")
		s.sleeper(out)
		launches.WriteString(launch(id, task, out, now))
	}
	s.write(s.path(".claude/projects/-srv-app", id+".jsonl"), transcript(id, s.home, size, now, launches.String()))
}

// record is one line of a transcript.
func record(typ, session, cwd string, at time.Time, rest string) string {
	return fmt.Sprintf(`{"parentUuid":"5f3c","isSidechain":false,"type":%q,"uuid":"77aa","timestamp":%q,"userType":"external","entrypoint":"cli","cwd":%q,"sessionId":%q,"version":"2.1.332","gitBranch":"main",%s}`+"\n",
		typ, at.UTC().Format("2006-01-02T15:04:05.000Z"), cwd, session, rest)
}

// launch is the call of a background shell and its answer.
func launch(session, task, out string, at time.Time) string {
	call := fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%s","name":"Bash","input":{"command":"npm run dev","description":"Server %s","run_in_background":true}}],"stop_reason":"tool_use"}`, task, task)
	answer := fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%s","type":"tool_result","content":"Command running in background with ID: %s. Output is being written to: %s."}]},"toolUseResult":{"stdout":"","stderr":"","interrupted":false,"backgroundTaskId":%q}`, task, task, out, task)
	return record("assistant", session, "/srv/app", at, call) + record("user", session, "/srv/app", at, answer)
}

// transcript is a day of real work in about size bytes: short calls, results of
// a few kB, files written whole; launches stand in its middle, at the time of at.
// Before them stand some hours of work; what is behind them was quick.
func transcript(session, cwd string, size int, at time.Time, launches string) string {
	var t strings.Builder
	t.Grow(size + len(launches) + 64<<10)
	out := strings.Repeat(`ok  \tpkg\t0.1s\n\"quoted\"\n`, 60)
	source := strings.Repeat(`package x // \"hi\"\n\tfunc f() {}\n`, 150)
	when, step := at.Add(-time.Duration(size/4000)*time.Second), 2*time.Second
	placed := false
	for i := 0; t.Len() < size || !placed; i++ {
		when = when.Add(step)
		if !placed && t.Len() >= size/2 {
			t.WriteString(launches)
			when, step, placed = at, time.Millisecond, true
		}
		t.WriteString(record("assistant", session, cwd, when, fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test ./... -run X%d","description":"Run"}}],"stop_reason":"tool_use"}`, i, i)))
		t.WriteString(record("user", session, cwd, when, fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}`, i, out, out)))
		t.WriteString(record("assistant", session, cwd, when, fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_w%d","name":"Write","input":{"file_path":"/srv/app/x.go","content":"%s"}}],"stop_reason":"tool_use"}`, i, source)))
	}
	return t.String()
}

// blockSize is how much a writer writes at once.
const blockSize = 64 << 10

// block is blockSize bytes of a usual log in whole lines, each of which begins
// with the block's number: what is on the screen says how far behind it is.
type block struct {
	text  []byte
	lines []int
}

func newBlock() *block {
	k := &block{text: make([]byte, 0, blockSize)}
	for i := 0; len(k.text) < blockSize-200; i++ {
		k.lines = append(k.lines, len(k.text))
		k.text = fmt.Appendf(k.text, "b00000000 2031-05-04T12:00:%02d.123Z INFO  request %d GET /api/items/%d 200 in %d ms from worker %d\n", i%60, i, i*7, i%90, i%8)
	}
	k.lines = append(k.lines, len(k.text))
	k.text = append(k.text, "b00000000 "+strings.Repeat("=", blockSize-len(k.text)-11)+"\n"...)
	return k
}

// number writes n into every line.
func (k *block) number(n int) {
	digits := fmt.Sprintf("%08d", n)
	for _, at := range k.lines {
		copy(k.text[at+1:], digits)
	}
}

// log makes a log of size bytes at path, of which the last real bytes are lines
// and the rest is a hole. It gives the number of lines in it.
func (s *stage) log(path string, size, real int64) (lines int) {
	f, err := os.Create(path)
	must(s.b, err)
	k := newBlock()
	for at := (size - real) / blockSize * blockSize; at < size; at += blockSize {
		k.number(int(at / blockSize))
		_, err := f.WriteAt(k.text, at)
		must(s.b, err)
		lines += len(k.lines)
	}
	must(s.b, f.Close())
	return lines
}

// needsDisk keeps a benchmark that writes gigabytes from running unasked.
func needsDisk(b *testing.B) {
	if os.Getenv("OFFSTAGE_BENCH_DISK") == "" {
		b.Skip("writes gigabytes: set OFFSTAGE_BENCH_DISK=1 to run it")
	}
}
