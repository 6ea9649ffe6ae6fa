package left

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// row is one process of a recorded table, as testdata/*.jsonl has it.
type row struct {
	PID, PPID, PGID, SID, TTY int
	Comm, State, Cwd          string
	Start                     uint64 `json:"start_ticks"`
	Cmd                       []string
	FDs                       map[string]string
	Env                       map[string]string
}

// claudeEnv is what a child of a Claude Code command carries.
func claudeEnv(more ...string) map[string]string {
	env := map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "CLAUDE_CODE_SESSION_ID": "11111111-2222-4333-8444-555555555555", "CLAUDE_PID": "63"}
	for _, m := range more {
		k, v, _ := strings.Cut(m, "=")
		env[k] = v
	}
	return env
}

// recorded reads a table of the recordings.
func recorded(t *testing.T, name string) []row {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	must(t, err)
	var out []row
	for line := range strings.Lines(string(b)) {
		var r row
		must(t, json.Unmarshal([]byte(line), &r))
		out = append(out, r)
	}
	return out
}

// stage lays rows out as a process folder, and scans it at a moment late enough.
func stage(t *testing.T, rows []row) task.Snapshot {
	t.Helper()
	return stageAt(t, rows, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
}

func stageAt(t *testing.T, rows []row, now time.Time) task.Snapshot {
	t.Helper()
	root := t.TempDir()
	// The machine came up long before; ticks are a hundredth of a second.
	write(t, filepath.Join(root, "proc/stat"), fmt.Sprintf("cpu 0\nbtime %d\n", bootTime.Unix()))
	for _, p := range rows {
		lay(t, root, p)
	}
	w, err := world.New(world.Options{Root: root, Now: now, Getenv: func(k string) string {
		return map[string]string{"HOME": "/home/dev"}[k]
	}})
	must(t, err)
	snap, err := New(w, func() (*proc.Table, error) { return proc.Scan(w) }).Scan(context.Background())
	must(t, err)
	return snap
}

var bootTime = time.Date(2026, 11, 30, 19, 0, 0, 0, time.UTC)

func lay(t *testing.T, root string, p row) {
	t.Helper()
	if p.State == "" {
		p.State = "S"
	}
	if p.Comm == "" && len(p.Cmd) > 0 {
		p.Comm = filepath.Base(p.Cmd[0])
	}
	if p.Start == 0 {
		p.Start = uint64(100 * p.PID)
	}
	dir := filepath.Join(root, "proc", strconv.Itoa(p.PID))
	stat := fmt.Sprintf("%d (%.15s) %s %d %d %d %d", p.PID, p.Comm, p.State, p.PPID, p.PGID, p.SID, p.TTY)
	write(t, filepath.Join(dir, "stat"), stat+strings.Repeat(" 0", 14)+" "+strconv.FormatUint(p.Start, 10)+strings.Repeat(" 0", 30)+"\n")
	write(t, filepath.Join(dir, "cmdline"), strings.Join(p.Cmd, "\x00")+"\x00")
	env := ""
	for k, v := range p.Env {
		env += k + "=" + v + "\x00"
	}
	write(t, filepath.Join(dir, "environ"), env)
	must(t, os.MkdirAll(filepath.Join(dir, "fd"), 0o755))
	must(t, os.Symlink("/srv/app", filepath.Join(dir, "cwd")))
	for fd, text := range p.FDs {
		target, _, _ := strings.Cut(text, " flags=")
		must(t, os.Symlink(target, filepath.Join(dir, "fd", fd)))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
