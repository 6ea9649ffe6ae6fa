package cursor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace/tracetest"
	"offstage/internal/world"
	"offstage/task"
)

const folder = ".cursor/projects/srv-app/terminals/"

// The form as it is documented by those who read it: there is no recording.
func head(pid int, command string) string {
	return fmt.Sprintf("---\npid: %d\ncwd: \"/srv/app\"\ncommand: %q\ntitle: the work\nstatus: running          \nstarted_at: %s\nrunning_for_ms: 1200      \n---\n",
		pid, command, time.Now().UTC().Format(time.RFC3339Nano))
}

func foot(first string) string {
	return fmt.Sprintf("\n---\n%s\nelapsed_ms: 4100\nended_at: %s\n---\n", first, time.Now().UTC().Format(time.RFC3339Nano))
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, folder+"600001.txt", head(0, "npm test")+"---\nexit_code: 0\n---\nall of it\n"+foot("exit_code: 3"))
	h.Put(t, ".cursor/projects/srv-app/.workspace-trusted", `{"workspacePath":"/srv/app"}`)
	return h
}

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	const other = folder + "600002.txt"
	cases := tracetest.Spoil{
		"empty":       func(t *testing.T, h tracetest.Home) { h.Put(t, other, "") },
		"half a head": func(t *testing.T, h tracetest.Home) { h.Put(t, other, head(7, "make")[:50]) },
		"no head":     func(t *testing.T, h tracetest.Home) { h.Put(t, other, "words\n---\ncommand: x\n---\n") },
		"binary":      func(t *testing.T, h tracetest.Home) { h.Put(t, other, "---\n\x00\xff: \xfe\ncommand\n---\n") },
		"a person's": func(t *testing.T, h tracetest.Home) {
			h.Put(t, folder+"1.txt", "---\npid: 7\ncwd: /srv\nlast_command: ls\nlast_exit_code: 0\n---\n$ ")
		},
		"an endless head": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, "---\ncommand: x\n"+strings.Repeat("k: v\n", 40_000))
		},
		"a pipe":     func(t *testing.T, h tracetest.Home) { h.Pipe(t, other) },
		"a link out": func(t *testing.T, h tracetest.Home) { h.Link(t, other, h.Outside()) },
		"a project out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "away/terminals/1.txt", head(0, tracetest.Secret))
			h.Link(t, ".cursor/projects/x", filepath.Join(h.Dir, "away"))
		},
		"trusted is odd": func(t *testing.T, h tracetest.Home) {
			h.Put(t, ".cursor/projects/srv-app/.workspace-trusted", `{"workspacePath":[]}`)
		},
		"trusted leads out": func(t *testing.T, h tracetest.Home) {
			tracetest.Must(t, os.Remove(filepath.Join(h.Dir, ".cursor/projects/srv-app/.workspace-trusted")))
			h.Link(t, ".cursor/projects/srv-app/.workspace-trusted", h.Outside())
		},
		"200 MB": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, head(0, "make"))
			tracetest.Must(t, os.Truncate(filepath.Join(h.Dir, other), 200<<20))
		},
	}
	outside := head(0, tracetest.Secret) + `{"workspacePath":"` + tracetest.Secret + `"}`
	tracetest.Hostile(t, stage, func(h tracetest.Home) tracetest.Scanner { return New(h.World, tracetest.NoProcs) }, outside, cases, func(t *testing.T, snap task.Snapshot) {
		g := tracetest.Find(t, snap, "600001")
		if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || !g.Can.Read || g.Cwd != "/srv/app" || g.ID != "cursor:srv-app:600001" {
			t.Errorf("the good row: %s %s %v, read %v", g.ID, g.Status, g.ExitCode, g.Can.Read)
		}
		for _, x := range snap.Tasks {
			if x.Native == "1" || x.Native == "600002" && x.Command != "make" && x.Trouble == "" && x.Command != "x" {
				t.Errorf("%s is listed and is no task: %q", x.Native, x.Command)
			}
		}
	})
}

// TestEndings: the foot counts, not what the head says (K7).
func TestEndings(t *testing.T) {
	cases := map[string]struct {
		text string
		want task.Status
	}{
		"success":        {head(0, "make") + "x\n" + foot("exit_code: 0"), task.Succeeded},
		"failure":        {head(0, "make") + "x\n" + foot("exit_code: 2"), task.Failed},
		"unknown":        {head(0, "make") + "x\n" + foot("exit_code: unknown"), task.Lost},
		"error":          {head(0, "make") + "x\n" + foot(`error: "spawn ENOENT"`), task.Failed},
		"windows' lines": {strings.ReplaceAll(head(0, "make")+"x\n"+foot("exit_code: 0"), "\n", "\r\n"), task.Succeeded},
		"goes on":        {head(0, "make") + foot("exit_code: 0") + "more words\n", task.Running},
		"printed fences": {head(0, "make") + "\n---\nname: x\n---\n", task.Running},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := tracetest.NewHome(t)
			h.Put(t, folder+"600001.txt", c.text)
			s := New(h.World, tracetest.NoProcs)
			if x := tracetest.Find(t, tracetest.All(t, s), "600001"); x.Status != c.want || x.Command != "make" || x.Title != "the work" {
				t.Errorf("%s %q %q, want %s", x.Status, x.Command, x.Title, c.want)
			}
			tracetest.Age(t, filepath.Join(h.Dir, folder, "600001.txt"), time.Minute)
			if x := tracetest.Find(t, tracetest.All(t, s), "600001"); c.want == task.Running && x.Status != task.Lost {
				t.Errorf("without a heartbeat: %s", x.Status)
			}
		})
	}
}

// TestProcess: a terminal is proven by its process, which can be stopped; a pid
// that came back is none of it.
func TestProcess(t *testing.T) {
	h := tracetest.NewHome(t)
	cmd := exec.Command("sleep", "30")
	if err := cmd.Start(); err != nil {
		t.Skip("sleep is not there")
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if _, err := proc.Scan(h.World); err != nil {
		t.Skipf("processes cannot be seen here: %v", err)
	}
	h.Put(t, folder+"600001.txt", head(cmd.Process.Pid, "sleep 30"))
	h.Put(t, folder+"600002.txt", strings.Replace(head(cmd.Process.Pid, "npm run dev"), "started_at: 20", "started_at: 19", 1))
	for _, name := range []string{"600001.txt", "600002.txt"} {
		tracetest.Age(t, filepath.Join(h.Dir, folder, name), time.Minute)
	}
	s := New(h.World, func() (*proc.Table, error) { return proc.Scan(h.World) })
	snap := tracetest.All(t, s)
	if x := tracetest.Find(t, snap, "600001"); x.Status != task.Running || !x.Can.Stop || len(x.Evidence.Roots) != 1 {
		t.Errorf("%s, can be stopped: %v, %q", x.Status, x.Can.Stop, x.Can.WhyNot)
	}
	if x := tracetest.Find(t, snap, "600002"); x.Can.Stop || len(x.Evidence.Roots) != 0 {
		t.Errorf("another's pid can be stopped: %+v", x.Evidence)
	}
}

// old are terminals of another day.
func old(t testing.TB, dir string, many int, age time.Duration) {
	for i := range many {
		path := filepath.Join(dir, ".cursor/projects", fmt.Sprintf("p%03d/terminals/%d.txt", i%500, 600000+i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(head(0, "make")+strings.Replace(foot("exit_code: 0"), "ended_at: ", "was: ", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		tracetest.Age(t, path, age)
	}
}

// TestOldTerminals: old ones are neither read nor told of (issue 9).
func TestOldTerminals(t *testing.T) {
	h := stage(t)
	old(t, h.Dir, 2000, 10*24*time.Hour)
	if n := len(tracetest.All(t, New(h.World, tracetest.NoProcs)).Tasks); n != 1 {
		t.Errorf("%d tasks, want the one of today", n)
	}
}

// BenchmarkStart: until all of 500 terminals of the last day is told.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	old(b, dir, 500, 3*time.Hour)
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := New(w, tracetest.NoProcs)
		if _, err := s.Scan(context.Background()); err != nil {
			b.Fatal(err)
		}
		tracetest.All(b, s)
	}
}
