package codex

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/codex/control"
	"offstage/internal/source/codex/control/controltest"
	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

// call_open is a command that runs, handed to the background.
const running = "call_open"

func running1(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, file, meta(thread)+start("call_good", "npm test", 1)+end("call_good", 3, "all of it\n")+start(running, "npm run dev", 2))
	return h
}

func daemon(t *testing.T, h tracetest.Home) (*controltest.World, *controltest.Server) {
	t.Helper()
	w := &controltest.World{}
	return w, controltest.Start(t, filepath.Join(h.Dir, ".codex"), w.Talk)
}

func only(t *testing.T, snap task.Snapshot, troubles int) {
	t.Helper()
	seen := map[string]bool{}
	for _, x := range snap.Tasks {
		if seen[x.ID] {
			t.Errorf("%s is listed twice", x.ID)
		}
		seen[x.ID] = true
	}
	if len(snap.Troubles) != troubles {
		t.Errorf("troubles: %+v, want %d", snap.Troubles, troubles)
	}
}

// TestListed: what the daemon lists is joined with the rollout by the id of the
// item, so that nothing is listed twice; what only it knows is listed too (K7, A7).
func TestListed(t *testing.T) {
	h := running1(t)
	w, s := daemon(t, h)
	w.Run(thread, running, "2", "npm run dev", "/srv/app")
	w.Run(thread, "call_unseen", "3", "make watch", "/srv/app/sub")
	w.Run("00000000-0000-4000-8000-000000000009", "exec-bare", "4", "tail -f x", "/srv/other")
	src := New(h.World, tracetest.NoProcs)
	snap := tracetest.All(t, src)
	for end := time.Now().Add(20 * time.Second); len(snap.Tasks) < 4 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		snap = tracetest.All(t, src) // a command of code mode is no row in its first second
	}
	only(t, snap, 0)
	for id, want := range map[string]string{running: "npm run dev", "call_unseen": "make watch", "exec-bare": "tail -f x"} {
		x := tracetest.Find(t, snap, id)
		if x.Status != task.Running || x.Command != want || !x.Can.Stop || !x.Can.Read || x.Channel == nil || x.StatusSource != byDaemon || x.Foreground || x.Output.Path != "" && !x.Output.Unheard {
			t.Errorf("%s: %s by %q, %q, can %+v, foreground %v", id, x.Status, x.StatusSource, x.Command, x.Can, x.Foreground)
		}
	}
	if x := tracetest.Find(t, snap, "call_good"); x.Status != task.Failed || x.Channel != nil {
		t.Errorf("what ended: %s, %v", x.Status, x.Channel)
	}
	if bare := tracetest.Find(t, snap, "exec-bare"); bare.Session != "codex:00000000-0000-4000-8000-000000000009" || len(snap.Sessions) != 2 {
		t.Errorf("session %s of %d", bare.Session, len(snap.Sessions))
	}
	if slices.Contains(s.Asked(), "thread/resume") || s.Open() != 0 {
		t.Errorf("a look said %q and left %d connections", s.Asked(), s.Open())
	}
}

// TestEndAfterTheList: an end record counts more than a list that is older.
func TestEndAfterTheList(t *testing.T) {
	h := running1(t)
	w, _ := daemon(t, h)
	w.Run(thread, running, "2", "npm run dev", "/srv/app")
	h.Put(t, file, meta(thread)+start(running, "npm run dev", 2)+end(running, -1, "all\n"))
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	only(t, snap, 0)
	if x := tracetest.Find(t, snap, running); x.Status != task.Cancelled || x.Channel != nil {
		t.Errorf("%s, %v", x.Status, x.Channel)
	}
}

// TestChannel: what was printed before is what the model was given; what comes is
// heard; an end ends it in the daemon and nowhere else.
func TestChannel(t *testing.T) {
	h := running1(t)
	w, s := daemon(t, h)
	w.Run(thread, running, "2", "npm run dev", "/srv/app")
	w.Run(thread, "call_other", "3", "make", "/srv/app")
	x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), running)
	if got := string(x.Channel.Before(context.Background())); got != "first words\n" {
		t.Errorf("before: %q", got)
	}
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- x.Channel.Listen(context.Background(), &out) }()
	for end := time.Now().Add(10 * time.Second); w.Listeners() == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	w.Say(thread, running, "\x1b[32mready\x1b[0m\n")
	if err := x.Channel.End(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil || out.String() != "\x1b[32mready\x1b[0m\n" {
		t.Errorf("heard %q, %v", out.String(), err)
	}
	if err := x.Channel.End(context.Background()); err != nil {
		t.Errorf("ended already: %v", err)
	}
	if l, err := (control.Daemon{Home: filepath.Join(h.Dir, ".codex")}).List(context.Background()); err != nil || len(l.Terminals) != 1 {
		t.Errorf("left: %+v, %v", l, err)
	}
	if n := len(slices.DeleteFunc(s.Asked(), func(m string) bool { return m != "thread/backgroundTerminals/terminate" })); n != 1 {
		t.Errorf("it was ended %d times", n)
	}
}

// TestScriptWords: in code mode what the model was given of a command is known by
// the daemon's number of it.
func TestScriptWords(t *testing.T) {
	h := tracetest.NewHome(t)
	h.Put(t, file, meta(thread)+
		line("response_item", `{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"Script completed"},{"type":"input_text","text":"{\"session_id\":38323,\"output\":\"ready\\n\"}"},{"type":"input_text","text":"{\"session_id\":38324,\"output\":\"another\\n\"}"}]}`))
	w, _ := daemon(t, h)
	w.Run(thread, "exec-dev", "38323", "node server.js", "/srv/app")
	x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "exec-dev")
	if got := string(x.Channel.Before(context.Background())); got != "ready\n" {
		t.Errorf("before: %q", got)
	}
	if got := read(t, x); got != "ready" {
		t.Errorf("in the record: %q", got)
	}
}

// TestHostileDaemon: whatever is in the socket's place costs one line, no row, and
// no look more than a moment (issue 9).
func TestHostileDaemon(t *testing.T) {
	cases := map[string]struct {
		spoil    func(t *testing.T, h tracetest.Home)
		troubles int
	}{
		"no daemon": {func(*testing.T, tracetest.Home) {}, 0},
		"garbage": {func(t *testing.T, h tracetest.Home) {
			controltest.Start(t, filepath.Join(h.Dir, ".codex"), func(c *controltest.Client) { _, _ = c.Read(); c.Send("}{") })
		}, 1},
		"a file": {func(t *testing.T, h tracetest.Home) { h.Put(t, ".codex/"+control.Name, "x") }, 1},
		"a pipe": {func(t *testing.T, h tracetest.Home) { h.Pipe(t, ".codex/"+control.Name) }, 1},
		"a loop": {func(t *testing.T, h tracetest.Home) {
			h.Link(t, ".codex/"+control.Name, filepath.Join(h.Dir, ".codex", control.Name))
		}, 1},
		"an escape in a list": {func(t *testing.T, h tracetest.Home) {
			w, _ := daemon(t, h)
			w.Run(thread, running, "2", "npm run dev\x1b]0;x\a", "/srv/app")
		}, 0},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			h := running1(t)
			x.spoil(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			only(t, snap, x.troubles)
			g := tracetest.Find(t, snap, "call_good")
			if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || len(snap.Tasks) != 2 {
				t.Errorf("the good row: %s %v, of %d", g.Status, g.ExitCode, len(snap.Tasks))
			}
			for _, r := range snap.Troubles {
				if !strings.HasPrefix(r.Text, "The control socket of Codex is not used: ") || !strings.HasSuffix(r.Text, "alone.") {
					t.Errorf("the line: %q", r.Text)
				}
			}
		})
	}
}

// TestSilentDaemon: one that never answers holds no look up, and is one line.
func TestSilentDaemon(t *testing.T) {
	h := running1(t)
	controltest.Start(t, filepath.Join(h.Dir, ".codex"), func(c *controltest.Client) {
		for {
			if _, ok := c.Read(); !ok {
				return
			}
		}
	})
	src := New(h.World, tracetest.NoProcs)
	began := time.Now()
	snap := tracetest.All(t, src)
	if took := time.Since(began); took > control.Patience {
		t.Errorf("the first looks took %s", took)
	}
	only(t, snap, 0)
	for end := time.Now().Add(20 * time.Second); len(snap.Troubles) == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		snap = tracetest.All(t, src)
	}
	only(t, snap, 1)
}

// TestQuietDaemon: while nothing changes and all that it listed is seen, the daemon
// is not asked again, and no connection stays open.
func TestQuietDaemon(t *testing.T) {
	h := running1(t)
	w, s := daemon(t, h)
	cmd := exec.Command("sleep", "300")
	cmd.Env = []string{callMark + "=" + running, threadMark + "=" + thread}
	tracetest.Must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	server := exec.Command("bash", "-c", "exec -a codex bash -c 'sleep 300; true' app-server")
	tracetest.Must(t, server.Start())
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	w.Run(thread, running, "2", "npm run dev", "/srv/app")
	table := func() (*proc.Table, error) { return proc.Scan(h.World) }
	src := New(h.World, table)
	var x task.Task
	for end := time.Now().Add(20 * time.Second); x.Channel == nil || x.StatusSource != task.SeenProcesses; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s by %q, %v", x.Status, x.StatusSource, x.Channel)
		}
		x = tracetest.Find(t, tracetest.All(t, src), running)
	}
	if len(x.Evidence.Roots) != 1 || x.Evidence.Roots[0].PID != cmd.Process.Pid {
		t.Errorf("roots %+v, want %d", x.Evidence.Roots, cmd.Process.Pid)
	}
	time.Sleep(50 * time.Millisecond)
	asked := len(s.Asked())
	for range 20 {
		tracetest.All(t, src)
	}
	if n := len(s.Asked()); n > asked {
		t.Errorf("20 quiet looks said %d words", n-asked)
	}
	if s.Open() != 0 {
		t.Errorf("%d connections", s.Open())
	}
}
