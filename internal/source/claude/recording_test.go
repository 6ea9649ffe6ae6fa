package claude

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
)

// truth is expect.json of a recording.
type truth struct {
	Version string    `json:"version"`
	Now     time.Time `json:"now"`
	Tasks   []struct {
		ID         string    `json:"id"`
		Kind       string    `json:"kind"`
		Status     string    `json:"status"`
		ExitCode   *int      `json:"exit_code"`
		Title      string    `json:"description"`
		Command    string    `json:"command"`
		Output     string    `json:"output_file"`
		ToolUseID  string    `json:"tool_use_id"`
		Start      time.Time `json:"start"`
		End        time.Time `json:"end"`
		Session    string    `json:"session"`
		Foreground bool      `json:"foreground"`
		Notified   *bool     `json:"notified"`
	} `json:"tasks"`
	Todo []struct {
		ID         string   `json:"id"`
		Subject    string   `json:"subject"`
		Status     string   `json:"status"`
		ActiveForm string   `json:"activeForm"`
		Owner      string   `json:"owner"`
		Blocks     []string `json:"blocks"`
		BlockedBy  []string `json:"blockedBy"`
	} `json:"todo"`
	Session struct {
		ID    string `json:"id"`
		Cwd   string `json:"cwd"`
		State string `json:"state"`
	} `json:"session"`
}

// entry is one path of layout.json.
type entry struct {
	Path   string  `json:"path"`
	Type   string  `json:"type"`
	Mode   string  `json:"mode"`
	Target string  `json:"target"`
	MTime  float64 `json:"mtime"`
}

// recordings are the names of all recordings.
func recordings(t testing.TB) []string {
	t.Helper()
	dirs, err := os.ReadDir("testdata/recordings")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range dirs {
		names = append(names, d.Name())
	}
	if len(names) < 27 {
		t.Fatalf("only %d recordings", len(names))
	}
	return names
}

// lay puts a recording into a folder of its own as the file system that it was
// taken from: links, modes and times from its layout, processes as a /proc.
func lay(t testing.TB, name string) (root string, want truth) {
	t.Helper()
	from := filepath.Join("testdata/recordings", name)
	root = t.TempDir()
	readInto(t, filepath.Join(from, "expect.json"), &want)
	var layout []entry
	readInto(t, filepath.Join(from, "layout.json"), &layout)
	at := func(path string) string {
		if rest, ok := strings.CutPrefix(path, "home/"); ok {
			path = "home/dev/" + rest
		}
		return filepath.Join(root, path)
	}
	must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || d.IsDir() || !strings.Contains(rel, string(filepath.Separator)) {
			return err
		}
		b, err := os.ReadFile(path)
		must(t, err)
		write(t, at(rel), b)
		return nil
	}))
	for _, e := range layout {
		switch e.Type {
		case "dir":
			must(t, os.MkdirAll(at(e.Path), 0o755))
		case "link":
			must(t, os.MkdirAll(filepath.Dir(at(e.Path)), 0o755))
			must(t, os.Symlink(e.Target, at(e.Path)))
		}
	}
	for _, e := range layout {
		if _, err := os.Lstat(at(e.Path)); err != nil || e.Type == "link" || e.Type == "socket" {
			continue
		}
		mode, err := strconv.ParseUint(e.Mode, 8, 32)
		must(t, err)
		must(t, os.Chmod(at(e.Path), fs.FileMode(mode)|0o200))
		when := time.UnixMicro(int64(e.MTime * 1e6))
		must(t, os.Chtimes(at(e.Path), when, when))
	}
	layProcs(t, root, filepath.Join(from, "procs.jsonl"))
	return root, want
}

// layProcs writes a process folder with what a recording knows.
func layProcs(t testing.TB, root, file string) {
	t.Helper()
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return
	}
	must(t, err)
	defer func() { _ = f.Close() }()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var p struct {
			PID, PPID, PGID, SID, TTY int
			Comm, State, Cwd, Exe     string
			Start                     uint64 `json:"start_ticks"`
			Cmd                       []string
			FDs                       map[string]string
			Env                       map[string]string
		}
		must(t, json.Unmarshal(sc.Bytes(), &p))
		dir := filepath.Join(root, "proc", strconv.Itoa(p.PID))
		stat := fmt.Sprintf("%d (%s) %s %d %d %d %d", p.PID, p.Comm, p.State, p.PPID, p.PGID, p.SID, p.TTY)
		stat += strings.Repeat(" 0", 14) + " " + strconv.FormatUint(p.Start, 10) + strings.Repeat(" 0", 30) + "\n"
		write(t, filepath.Join(dir, "stat"), []byte(stat))
		write(t, filepath.Join(dir, "cmdline"), []byte(strings.Join(p.Cmd, "\x00")+"\x00"))
		env := ""
		for k, v := range p.Env {
			env += k + "=" + v + "\x00"
		}
		write(t, filepath.Join(dir, "environ"), []byte(env))
		must(t, os.MkdirAll(filepath.Join(dir, "fd"), 0o755))
		must(t, os.Symlink(p.Cwd, filepath.Join(dir, "cwd")))
		for fd, text := range p.FDs {
			target, flags, _ := strings.Cut(text, " flags=")
			must(t, os.Symlink(target, filepath.Join(dir, "fd", fd)))
			write(t, filepath.Join(dir, "fdinfo", fd), []byte("pos:\t0\nflags:\t"+flags+"\n"))
		}
	}
	must(t, sc.Err())
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, b, 0o644))
}

func readInto(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	must(t, json.Unmarshal(b, v))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// recorded is a source over a recording at the moment it was taken.
func recorded(t testing.TB, root string, now time.Time, o Options) *Source {
	t.Helper()
	w, err := world.New(world.Options{Root: root, Now: now, Getenv: func(k string) string {
		return map[string]string{"HOME": "/home/dev"}[k]
	}})
	must(t, err)
	if o.Procs == nil {
		o.Procs = func() (*proc.Table, error) { return proc.Scan(w) }
	}
	return New(w, o)
}
