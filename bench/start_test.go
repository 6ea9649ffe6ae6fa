//go:build linux

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The shape of the machine that the start is measured on.
const (
	liveSessions = 20
	lastHour     = 20
	lastDay      = 40
	allSessions  = 200
	oneSession   = 25 << 20
)

// From the start of the process to the first frame with every running task of
// every live session: 200 sessions with 5 GB of transcripts, 20 of them live, 20
// ended within the hour and 40 within the day. Budgets: ≤ 150 ms without a
// ledger, ≤ 60 ms with one; all of the last hour ≤ 2 s. The peer is an empty
// Bubble Tea program, until its only frame. The processor time until then is what
// says something on a busy machine.
func BenchmarkStart(b *testing.B) {
	needsDisk(b)
	s := newStage(b)
	s.sessions()
	running := fmt.Sprintf("%d background tasks running", liveSessions)
	finished := fmt.Sprintf("%d finished", lastHour)
	var cold, warm, hour, peer, coldCPU, warmCPU, hourCPU, peerCPU []time.Duration
	for b.Loop() {
		must(b, os.RemoveAll(filepath.Join(s.home, ".local")))
		p := s.offstage("-A")
		cold, coldCPU = append(cold, p.shows(running).Sub(p.began)), append(coldCPU, p.cpu())
		hour, hourCPU = append(hour, p.shows(running, finished).Sub(p.began)), append(hourCPU, p.cpu())
		p.end()
		p = s.offstage("-A")
		warm, warmCPU = append(warm, p.shows(running).Sub(p.began)), append(warmCPU, p.cpu())
		p.end()
		p = s.peer()
		peer, peerCPU = append(peer, p.shows("an empty program").Sub(p.began)), append(peerCPU, p.cpu())
		p.end()
	}
	for of, took := range map[string][]time.Duration{"cold": cold, "warm": warm, "last-hour": hour, "peer": peer,
		"cold-cpu": coldCPU, "warm-cpu": warmCPU, "last-hour-cpu": hourCPU, "peer-cpu": peerCPU} {
		spread(b, took, of)
	}
	load(b)
}

// sessions are all of the machine's.
func (s *stage) sessions() {
	for i := range allSessions {
		id := fmt.Sprintf("session%03d", i)
		if i < liveSessions {
			s.session(id, oneSession, 1)
			continue
		}
		age := 3 * time.Minute
		switch {
		case i >= liveSessions+lastHour+lastDay:
			age = time.Duration(i) * 24 * time.Hour
		case i >= liveSessions+lastHour:
			age = 3 * time.Hour
		}
		s.endedSession(id, oneSession, age)
	}
}

// endedSession is a transcript whose client is gone, with one shell that ended
// well, so long ago.
func (s *stage) endedSession(id string, size int, age time.Duration) {
	at := time.Now().Add(-age)
	task := id + "-b0"
	out := s.path("tmp/claude-0/-srv-app", id, "tasks", task+".output")
	s.write(out, "built\n\n[exited with code 0]\n")
	path := s.path(".claude/projects/-srv-app", id+".jsonl")
	s.write(path, transcript(id, s.home, size, at, strings.ReplaceAll(launch(id, task, out, at), "Server", "Build")))
	must(s.b, os.Chtimes(out, at, at))
	must(s.b, os.Chtimes(path, at, at))
}
