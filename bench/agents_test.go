//go:build linux

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"offstage/internal/source/trace/tracetest"
)

// eachAgent is how many sessions of the last day every agent has.
const eachAgent = 500

// BenchmarkStartAgents: from the start of the process to the first frame with what
// runs, on a machine with 500 sessions of each of seven agents and of Claude Code, all of the last day and
// ended, and three live ones of Claude Code (issue 9: ≤ 150 ms without a ledger, ≤ 60 ms
// with one). The sessions are those of testdata, each with ids of its own.
func BenchmarkStartAgents(b *testing.B) {
	s := newStage(b)
	for _, agent := range []string{"kimi", "qwen", "codex", "gemini", "copilot", "opencode", "crush"} {
		s.multiply(agent, eachAgent)
	}
	for i := range eachAgent {
		s.endedSession(fmt.Sprintf("session%03d", i), 20<<10, 3*time.Hour)
	}
	for i := range 3 {
		s.session(fmt.Sprintf("live%d", i), 200<<10, 1)
	}
	s.ages(3 * time.Hour)
	var cold, warm, coldCPU, warmCPU []time.Duration
	for b.Loop() {
		must(b, os.RemoveAll(filepath.Join(s.home, "state")))
		for _, of := range []struct{ took, cpu *[]time.Duration }{{&cold, &coldCPU}, {&warm, &warmCPU}} {
			p := s.offstage("-A", "--state", filepath.Join(s.home, "state"))
			*of.took, *of.cpu = append(*of.took, p.shows("3 background tasks running").Sub(p.began)), append(*of.cpu, p.cpu())
			if of.took == &cold {
				time.Sleep(3 * time.Second) // it goes on to fill the ledger
			}
			p.end()
		}
	}
	spread(b, cold, "cold")
	spread(b, warm, "warm")
	spread(b, coldCPU, "cold-cpu")
	spread(b, warmCPU, "warm-cpu")
	load(b)
}

var (
	// uuids are the ids of all agents but one; ids are that one's.
	uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	ids   = regexp.MustCompile(`\b(ses|msg|prt)_[0-9A-Za-z]+`)
)

// multiply lays a recording of an agent out n times in the home, as so many sessions.
// What they share, an index or a database, has the lines of all.
func (s *stage) multiply(agent string, n int) {
	a, err := txtar.ParseFile(filepath.Join("../internal/source", agent, "testdata/server-agent-exited.txtar"))
	must(s.b, err)
	shared := map[string]*strings.Builder{}
	for i := range n {
		for _, f := range a.Files {
			if f.Name == "expect.json" || f.Name == "procs.jsonl" || strings.HasPrefix(f.Name, "tmp/") {
				continue
			}
			text := string(f.Data)
			name, database := strings.CutSuffix(f.Name, ".sql")
			for _, id := range uuids.FindAllString(f.Name+"\n"+text, -1) {
				fresh := fmt.Sprintf("%08x", i) + id[8:]
				text = strings.ReplaceAll(text, id, fresh)
				name = strings.ReplaceAll(strings.ReplaceAll(name, id, fresh), id[:8], fresh[:8])
			}
			if at := strings.LastIndexByte(name, '-'); agent == "gemini" && strings.HasPrefix(filepath.Base(name), "session-") {
				name = fmt.Sprintf("%s-%08x.jsonl", name[:at], i)
			}
			text = ids.ReplaceAllString(text, fmt.Sprintf("${0}x%d", i))
			text = strings.NewReplacer("/home/dev", s.home, "/srv/app", filepath.Join(s.home, "srv/app")).Replace(text)
			name = strings.TrimPrefix(name, "home/dev/")
			if !database && (name != strings.TrimPrefix(f.Name, "home/dev/") || !strings.HasSuffix(name, ".jsonl")) {
				s.write(s.path(name), text)
				continue
			}
			if shared[name] == nil {
				shared[name] = &strings.Builder{}
			} else if database {
				text = inserts(text)
			}
			shared[name].WriteString(text)
		}
	}
	for name, text := range shared {
		if strings.HasSuffix(name, ".db") {
			tracetest.LayDatabase(s.b, s.path(name), text.String())
			continue
		}
		s.write(s.path(name), text.String())
	}
}

// inserts are the statements that fill tables.
func inserts(words string) string {
	var out strings.Builder
	for line := range strings.Lines(words) {
		if strings.HasPrefix(line, "INSERT ") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// ages makes all files of the home but those of live sessions so old.
func (s *stage) ages(age time.Duration) {
	at := time.Now().Add(-age)
	must(s.b, filepath.WalkDir(s.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "live") || strings.Contains(path, ".claude/sessions") {
			return err
		}
		return os.Chtimes(path, at, at)
	}))
}
