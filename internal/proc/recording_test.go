package proc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"offstage/internal/world"
)

// recorded is one line of a recording's procs.jsonl.
type recorded struct {
	PID   int               `json:"pid"`
	PPID  int               `json:"ppid"`
	PGID  int               `json:"pgid"`
	SID   int               `json:"sid"`
	TTY   int               `json:"tty"`
	Start uint64            `json:"start_ticks"`
	State string            `json:"state"`
	Comm  string            `json:"comm"`
	Cwd   string            `json:"cwd"`
	Cmd   []string          `json:"cmd"`
	FDs   map[string]string `json:"fds"`
	Env   map[string]string `json:"env"`
}

// layOut writes one process as a process folder under root shows it.
func layOut(t testing.TB, root string, p recorded) {
	t.Helper()
	dir := filepath.Join(root, "proc", strconv.Itoa(p.PID))
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(dir+"/fd", 0o700))
	must(os.MkdirAll(dir+"/fdinfo", 0o700))
	stat := fmt.Sprintf("%d (%s) %s %d %d %d %d%s %d 0 0\n", p.PID, p.Comm, p.State, p.PPID, p.PGID, p.SID, p.TTY, strings.Repeat(" 0", 14), p.Start)
	must(os.WriteFile(dir+"/stat", []byte(stat), 0o600))
	must(os.WriteFile(dir+"/cmdline", []byte(strings.Join(p.Cmd, "\x00")+"\x00"), 0o600))
	var env strings.Builder
	for k, v := range p.Env {
		env.WriteString(k + "=" + v + "\x00")
	}
	must(os.WriteFile(dir+"/environ", []byte(env.String()), 0o600))
	if p.Cwd != "" {
		must(os.Symlink(p.Cwd, dir+"/cwd"))
	}
	for fd, text := range p.FDs {
		target, flags, _ := strings.Cut(text, " flags=")
		must(os.Symlink(target, dir+"/fd/"+fd))
		must(os.WriteFile(dir+"/fdinfo/"+fd, []byte("pos:\t0\nflags:\t"+flags+"\nmnt_id:\t30\n"), 0o600))
	}
}

// recordedWorld lays out testdata/name.jsonl, and the files that existed then.
func recordedWorld(t testing.TB, name string, files ...string) *world.World {
	t.Helper()
	root := t.TempDir()
	f, err := os.Open(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p recorded
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		layOut(t, root, p)
	}
	for _, path := range files {
		if err := os.MkdirAll(filepath.Dir(root+path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return rooted(t, root)
}

// rooted is the machine whose file system stands in folder root.
func rooted(t testing.TB, root string) *world.World {
	t.Helper()
	w, err := world.New(world.Options{Root: root, Getenv: func(string) string { return "/home/dev" }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
