package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/internal/proc"
)

// longTranscript is a transcript of about size bytes that looks like a day of
// real work: short calls, results of a few kB, files written whole.
func longTranscript(session string, size int, launch string) string {
	var unit strings.Builder
	record := func(typ, rest string) {
		fmt.Fprintf(&unit, `{"parentUuid":"5f3c","isSidechain":false,"type":"%s","uuid":"77aa","timestamp":"2026-11-30T19:00:00.000Z","userType":"external","entrypoint":"cli","cwd":"/srv/app","sessionId":"%s","version":"2.1.332","gitBranch":"main",%s}`+"\n", typ, session, rest)
	}
	for i := range 50 {
		record("assistant", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test ./... -run X%d","description":"Run"}}],"stop_reason":"tool_use"}`, i, i))
		record("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s"}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}`,
			i, strings.Repeat(`ok  \tpkg\t0.1s\n\"quoted\"\n`, 60), strings.Repeat(`ok  \tpkg\t0.1s\n`, 60)))
		record("assistant", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_w%d","name":"Write","input":{"file_path":"/srv/app/x.go","content":"%s"}}],"stop_reason":"tool_use"}`, i, strings.Repeat(`package x // \"hi\"\n\tfunc f() {}\n`, 150)))
		record("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"toolu_w%d","type":"tool_result","content":"The file was written"}]},"toolUseResult":{"type":"create","content":"%s"}`, i, strings.Repeat(`package x\n`, 150)))
		fmt.Fprintf(&unit, `{"type":"api-request-shape","sessionId":"%s","shape":"%s"}`+"\n", session, strings.Repeat("x", 8000))
	}
	n := max(1, size/unit.Len())
	return strings.Repeat(unit.String(), n/2) + launch + strings.Repeat(unit.String(), n-n/2)
}

// A whole transcript is read once; this is how fast.
func BenchmarkReadTranscript(b *testing.B) {
	file := filepath.Join(b.TempDir(), "s.jsonl")
	text := longTranscript("s", 32<<20, "")
	must(b, os.WriteFile(file, []byte(text), 0o600))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r := newReader(file, filepath.Dir(file), "s", false)
		for !r.complete() {
			r.read(8 << 20)
		}
	}
}

// The first look at 200 sessions with 4.6 GB of transcripts, 20 of them live
// with a running task each that was launched in the middle of its transcript:
// all live sessions and their tasks are there after one Scan. The ended
// sessions share one file by hard links.
func BenchmarkFirstLook(b *testing.B) {
	const live, ended = 20, 180
	s := newStage(b)
	dir := "home/dev/.claude/projects/-srv-app/"
	old := s.transcript("old", longTranscript("old", 25<<20, ""))
	for i := range ended - 1 {
		must(b, os.Link(old, s.at(fmt.Sprintf("%sold-%d.jsonl", dir, i))))
	}
	for i := range live {
		session, pid := fmt.Sprintf("live-%d", i), 100+2*i
		out := fmt.Sprintf("/tmp/claude-1000/-srv-app/%s/tasks/b%d.output", session, i)
		s.client(pid, session, "shell", "")
		s.process(pid, 1, "claude", []string{"claude"}, "")
		s.process(pid+1, pid, "node", []string{"node"}, out)
		s.output(out, "x\n")
		launch := strings.NewReplacer("/tmp/x/tasks/b1.output", out, `"b1"`, fmt.Sprintf(`"b%d"`, i), `"sessionId":"s"`, `"sessionId":"`+session+`"`).
			Replace(strings.Join(devServer, "\n") + "\n")
		s.transcript(session, longTranscript(session, 5<<20, launch))
	}
	for b.Loop() {
		src := recorded(b, s.root, s.now, Options{})
		snap := scanned(b, src)
		if n := len(snap.Tasks); n != live {
			b.Fatalf("%d of %d running tasks after the first look", n, live)
		}
	}
}

// A look when nothing has changed.
func BenchmarkIdleLook(b *testing.B) {
	s := newStage(b)
	for i := range 20 {
		session, pid := fmt.Sprintf("live-%d", i), 100+2*i
		out := fmt.Sprintf("/tmp/claude-1000/-srv-app/%s/tasks/b%d.output", session, i)
		s.client(pid, session, "shell", "")
		s.process(pid, 1, "claude", []string{"claude"}, "")
		s.process(pid+1, pid, "node", []string{"node"}, out)
		s.output(out, "x\n")
		s.transcript(session, strings.NewReplacer("/tmp/x/tasks/b1.output", out, `"b1"`, fmt.Sprintf(`"b%d"`, i)).Replace(strings.Join(devServer, "\n")))
	}
	src := s.source()
	table, err := src.o.Procs()
	must(b, err)
	src.o.Procs = func() (*proc.Table, error) { return table, nil }
	scanned(b, src)
	for b.Loop() {
		scanned(b, src)
	}
}
