// Package tracetest lays recordings of real agents out as a machine of their own,
// for the tests of their sources: home, folders, and a process table. It compares
// what a source tells with what was really there. Only tests call it.
package tracetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Recording is one archive of testdata.
type Recording struct {
	// Root is the folder that stands for "/".
	Root  string
	World *world.World
	// Tasks are what was on disk; Session is the id that its agent gave, Alive
	// whether the agent lived.
	Tasks []Want
	// State is the truth in words, also where the disk cannot tell it.
	State   string
	Session string
	Alive   bool
	Now     time.Time
}

// Want is one task as it was recorded; its words are those of the recorder.
type Want struct {
	ID, Kind, Status, Command string
	NativeStatus              string `json:"native_status"`
	ExitCode                  *int   `json:"exit_code"`
	OutputFile                string `json:"output_file"`
	PID                       int
	Start, End                time.Time
	AlivePIDs                 []int `json:"alive_pids"`
}

// Each runs a test over every recording in testdata.
func Each(t *testing.T, test func(t *testing.T, r Recording)) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { test(t, Open(t, name)) })
	}
}

// Open lays one recording out in a temporary folder.
func Open(t *testing.T, name string) Recording {
	t.Helper()
	a, err := txtar.ParseFile(name)
	Must(t, err)
	r := Recording{Root: t.TempDir()}
	for _, f := range a.Files {
		switch f.Name {
		case "expect.json":
			r.expect(t, f.Data)
		case "procs.jsonl":
			Must(t, os.MkdirAll(filepath.Join(r.Root, "proc"), 0o755))
			for line := range strings.Lines(string(f.Data)) {
				if strings.TrimSpace(line) != "" {
					LayProcess(t, r.Root, []byte(line))
				}
			}
		default:
			if name, ok := strings.CutSuffix(f.Name, ".sql"); ok {
				LayDatabase(t, filepath.Join(r.Root, name), string(f.Data))
				continue
			}
			Put(t, filepath.Join(r.Root, f.Name), string(f.Data))
			Must(t, os.Chtimes(filepath.Join(r.Root, f.Name), r.Now, r.Now))
		}
	}
	r.World, err = world.New(world.Options{Root: r.Root, Now: r.Now, Getenv: func(k string) string {
		return map[string]string{"HOME": "/home/dev"}[k]
	}})
	Must(t, err)
	return r
}

func (r *Recording) expect(t *testing.T, b []byte) {
	t.Helper()
	var e struct {
		Tasks   []Want
		TakenAt string `json:"taken_at"`
		Truth   struct{ State string }
		Session struct {
			ID    string
			Alive bool
		}
	}
	Must(t, json.Unmarshal(b, &e))
	at, err := time.Parse(time.RFC3339Nano, "2026-11-30T"+e.TakenAt+"Z")
	Must(t, err)
	r.Tasks, r.Now, r.State, r.Session, r.Alive = e.Tasks, at, e.Truth.State, e.Session.ID, e.Session.Alive
}

// Procs reads the recorded process table.
func (r Recording) Procs() (*proc.Table, error) { return proc.Scan(r.World) }

// LayProcess puts one line of a recorded process table into the process folder
// under root.
func LayProcess(t *testing.T, root string, line []byte) {
	t.Helper()
	var p struct {
		PID, PPID, PGID, SID, TTY int
		Comm, Cwd, Cmd            string
		Start                     uint64
		FDs                       map[string]string
		Env                       []string
	}
	Must(t, json.Unmarshal(line, &p))
	dir := filepath.Join(root, "proc", strconv.Itoa(p.PID))
	Put(t, filepath.Join(dir, "stat"), fmt.Sprintf("%d (%.15s) S %d %d %d %d%s %d%s\n", p.PID, p.Comm, p.PPID, p.PGID, p.SID, p.TTY,
		strings.Repeat(" 0", 14), p.Start, strings.Repeat(" 0", 30)))
	Put(t, filepath.Join(dir, "cmdline"), strings.ReplaceAll(p.Cmd, " ", "\x00")+"\x00")
	Put(t, filepath.Join(dir, "environ"), strings.Join(p.Env, "\x00")+"\x00")
	Must(t, os.MkdirAll(filepath.Join(dir, "fd"), 0o755))
	if p.Cwd != "" {
		Must(t, os.Symlink(p.Cwd, filepath.Join(dir, "cwd")))
	}
	for fd, to := range p.FDs {
		to, _, _ = strings.Cut(to, " flags=")
		Must(t, os.Symlink(to, filepath.Join(dir, "fd", fd)))
	}
}

// accepted are the words of the recordings in ours; nil is anything.
var accepted = map[string][]task.Status{
	"running": {task.Running}, "succeeded": {task.Succeeded}, "failed": {task.Failed}, "stopped": {task.Cancelled},
	"killed": {task.Failed, task.Cancelled}, "timed_out": {task.TimedOut}, "ended_unknown": {task.Lost},
}

// Compare says where a snapshot differs from what was recorded: every task with
// its kind, state, code, command and start, none that is none, and the session
// ended exactly where the agent was gone.
func (r Recording) Compare(t *testing.T, snap task.Snapshot) {
	t.Helper()
	got := map[string]task.Task{}
	for _, x := range snap.Tasks {
		if !x.Foreground {
			got[x.Native] = x
		}
	}
	for _, w := range r.Tasks {
		if w.Kind == "foreground" {
			continue
		}
		g, ok := got[w.ID]
		delete(got, w.ID)
		if !ok {
			t.Errorf("%s is not listed", w.ID)
			continue
		}
		r.compare(t, w, g)
	}
	for id := range got {
		t.Errorf("%s is listed and is no task", id)
	}
	for _, tr := range snap.Troubles {
		t.Errorf("trouble: %s", tr.Text)
	}
	i := slices.IndexFunc(snap.Sessions, func(s task.Session) bool { return s.Native == r.Session })
	if i < 0 {
		t.Errorf("session %s is not listed", r.Session)
	} else if ended := snap.Sessions[i].State == task.EndedSession; ended == r.Alive {
		t.Errorf("session is %s, its agent alive: %v", snap.Sessions[i].State, r.Alive)
	}
}

func (r Recording) compare(t *testing.T, w Want, g task.Task) {
	t.Helper()
	if w.Kind == "detached" { // a command that its agent let go
		w.Kind = string(task.Shell)
	}
	if string(g.Kind) != w.Kind {
		t.Errorf("%s is a %s, want %s", w.ID, g.Kind, w.Kind)
	}
	if want := accepted[w.Status]; want != nil && !slices.Contains(want, g.Status) {
		t.Errorf("%s is %s, want one of %v", w.ID, g.Status, want)
	}
	if w.ExitCode != nil && (w.Status == "succeeded" || w.Status == "failed") && (g.ExitCode == nil || *g.ExitCode != *w.ExitCode) {
		t.Errorf("%s: exit code %v, want %d", w.ID, g.ExitCode, *w.ExitCode)
	}
	if w.Kind == "shell" && g.Command != w.Command {
		t.Errorf("%s runs %q, want %q", w.ID, g.Command, w.Command)
	}
	if !w.Start.IsZero() && g.Started.Sub(w.Start).Abs() > 2*time.Second {
		t.Errorf("%s started %v, want %v", w.ID, g.Started, w.Start)
	}
	if w.OutputFile != "" && g.Output.Path != "" && g.Kind == task.Shell && g.Output.Path != filepath.Join(r.Root, w.OutputFile) {
		t.Errorf("%s: output %s, want %s", w.ID, g.Output.Path, w.OutputFile)
	}
	if gone := !r.Alive && g.Status == task.Running; gone != (g.Warning == trace.GoneNote) {
		t.Errorf("%s: its agent lives: %v, and the row says %q", w.ID, r.Alive, g.Warning)
	}
	if len(w.AlivePIDs) > 0 && g.Kind == task.Shell && g.Status == task.Running && !slices.ContainsFunc(g.Evidence.Roots, func(p task.ProcessID) bool { return p.PID == w.AlivePIDs[0] }) {
		t.Errorf("%s: its process %d is not among %v", w.ID, w.AlivePIDs[0], g.Evidence.Roots)
	}
}

// Put writes a file, with its folders.
func Put(t *testing.T, path, text string) {
	t.Helper()
	Must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Must(t, os.WriteFile(path, []byte(text), 0o644))
}

// Must ends the test on an error.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
