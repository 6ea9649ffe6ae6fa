package claude

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
)

// On a real machine, with a process table of its own: a task runs while its
// process writes the file, can be stopped, and is lost when the process went
// without a word (A5, A6, K7).
func TestRealProcesses(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("no sleep program here to stand for a dev server")
	}
	home := t.TempDir()
	w, err := world.New(world.Options{Getenv: func(k string) string {
		return map[string]string{"HOME": home, "TMPDIR": home + "/tmp"}[k]
	}})
	must(t, err)
	table, err := proc.Scan(w)
	if err != nil {
		t.Skipf("no process table here: %v", err)
	}
	us, ok := table.Get(os.Getpid())
	if !ok {
		t.Fatal("we are not in the process table")
	}
	write(t, fmt.Sprintf("%s/.claude/sessions/%d.json", home, us.PID), []byte(fmt.Sprintf(
		`{"pid":%d,"sessionId":"s","cwd":"/srv/app","procStart":"%d","version":"2.1.332","entrypoint":"cli","status":"shell"}`, us.PID, us.Start)))
	out := home + "/tmp/claude-1000/-srv-app/s/tasks/b1.output"
	write(t, out, []byte("ready\n"))
	f, err := os.OpenFile(out, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	cmd := exec.Command("sleep", "60")
	cmd.Stdout = f
	must(t, cmd.Start())
	ended := false
	defer func() {
		if !ended {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}()
	must(t, f.Close())
	lines := strings.ReplaceAll(strings.Join(devServer, "\n"), "/tmp/x/tasks/b1.output", out)
	write(t, home+"/.claude/projects/-srv-app/s.jsonl", []byte(lines+"\n"))

	src := New(w, Options{Procs: func() (*proc.Table, error) { return proc.Scan(w) }})
	snap := scanned(t, src)
	expect(t, "while it writes", said(snap, "b1"), "running by processes, claude:s")
	expect(t, "session", sessionOf(snap, "s"), "background_only")
	x := snap.Tasks[0]
	if !x.Can.Stop || x.Evidence.AgentPID != us.PID || x.Evidence.AgentStart != us.Start || !x.Evidence.WritersAreProof || len(x.Evidence.Markers) != 2 {
		t.Errorf("%+v %+v", x.Can, x.Evidence)
	}

	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	ended = true
	expect(t, "just gone", said(scanned(t, src), "b1"), "running by transcript, claude:s")
	src.lastSeen["b1"] = time.Now().Add(-time.Minute)
	must(t, os.Chtimes(out, time.Now().Add(-time.Minute), time.Now().Add(-time.Minute)))
	expect(t, "gone without a word", said(scanned(t, src), "b1"), "lost by processes, claude:s")
	appendTo(t, out, "\n[exited with code 0]\n")
	expect(t, "lost yields to proof", said(scanned(t, src), "b1"), "succeeded by end mark, claude:s, code 0")
}
