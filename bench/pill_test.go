//go:build linux

package bench

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// One pill, as a status bar asks for it each second: the whole process, from its
// start to its end, on a machine with 200 sessions, 20 of them live with a quiet
// shell each; and the same while a session's transcript grows with every call, as
// in a turn. Budget: ≤ 20 ms (W3). Beside it the time of a program that does
// nothing, and of this one for its version alone.
func BenchmarkPill(b *testing.B) {
	s := newStage(b)
	for i := range allSessions {
		id := fmt.Sprintf("session%03d", i)
		if i < liveSessions {
			s.session(id, 200<<10, 1)
			continue
		}
		s.endedSession(id, 200<<10, time.Duration(i)*time.Hour)
	}
	name := binary(b)
	once := func(argv ...string) (string, time.Duration) {
		c := exec.Command(argv[0], argv[1:]...)
		c.Env = []string{"HOME=" + s.home, "TMPDIR=" + s.path("tmp"), "CLAUDE_CODE_TMPDIR=" + s.path("tmp"), "PATH=" + os.Getenv("PATH")}
		began := time.Now()
		out, err := c.CombinedOutput()
		took := time.Since(began)
		if err != nil {
			b.Fatalf("%v: %v: %s", argv, err, out)
		}
		return string(out), took
	}
	pill := []string{name, "pill", "--format", "json"}
	want := fmt.Sprintf(`"running":{"shell":%d}`, liveSessions)
	once(name, "pill", "--catch-up")
	if got, _ := once(pill...); !strings.Contains(got, want) || strings.Contains(got, "part") {
		b.Fatalf("the pill says %s, want %s", got, want)
	}
	transcript, err := os.OpenFile(s.path(".claude/projects/-srv-app", "session000.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	must(b, err)
	defer func() { _ = transcript.Close() }()
	var still, turn, version, nothing []time.Duration
	parts := 0
	for b.Loop() {
		_, took := once(pill...)
		still = append(still, took)
		_, err := transcript.WriteString(record("assistant", "session000", s.home, time.Now(), `"message":{"role":"assistant","content":[{"type":"text","text":"It says so."}]}`))
		must(b, err)
		got, took := once(pill...)
		turn = append(turn, took)
		if strings.Contains(got, "part") {
			parts++
		} else if !strings.Contains(got, want) {
			b.Fatalf("in a turn the pill says %s", got)
		}
		_, took = once(name, "version")
		version = append(version, took)
		_, took = once("true")
		nothing = append(nothing, took)
	}
	for of, took := range map[string][]time.Duration{"still": still, "turn": turn, "version": version, "nothing": nothing} {
		spread(b, took, of)
	}
	b.ReportMetric(float64(parts), "in-part")
	load(b)
}
