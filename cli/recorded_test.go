package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/registry"
	"offstage/internal/source/claude"
	"offstage/task"
)

// recorded is a recording of the real client, laid out as the root of a machine
// of its own.
type recorded struct {
	t         *testing.T
	root, now string
}

func layRecording(t *testing.T, name string) recorded {
	t.Helper()
	from, root := filepath.Join("..", "internal", "source", "claude", "testdata", "recordings", name), t.TempDir()
	at := func(path string) string { return filepath.Join(root, strings.Replace(path, "home/", "home/dev/", 1)) }
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || d.IsDir() || !strings.Contains(rel, string(filepath.Separator)) {
			return err
		}
		b, err := os.ReadFile(path)
		must(err)
		must(os.MkdirAll(filepath.Dir(at(rel)), 0o755))
		return os.WriteFile(at(rel), b, 0o600)
	}))
	var layout []struct {
		Path, Type, Target string
		MTime              float64
	}
	var truth struct{ Now string }
	for file, into := range map[string]any{"layout.json": &layout, "expect.json": &truth} {
		b, err := os.ReadFile(filepath.Join(from, file))
		must(err)
		must(json.Unmarshal(b, into))
	}
	for _, e := range layout {
		switch e.Type {
		case "dir":
			must(os.MkdirAll(at(e.Path), 0o755))
		case "link":
			must(os.MkdirAll(filepath.Dir(at(e.Path)), 0o755))
			must(os.Symlink(e.Target, at(e.Path)))
		}
	}
	for _, e := range layout {
		when := time.UnixMilli(int64(e.MTime * 1000))
		if _, err := os.Lstat(at(e.Path)); err == nil && e.Type == "file" && e.MTime > 0 { // some files were left out
			must(os.Chtimes(at(e.Path), when, when))
		}
	}
	return recorded{t, root, truth.Now}
}

// run is the program on the recording: its output, its words and its code.
func (r recorded) run(args ...string) (stdout, stderr string, code int) {
	r.t.Helper()
	var out, words strings.Builder
	a := &app{out: &out, errw: &words, in: strings.NewReader(""), getenv: func(k string) string {
		return map[string]string{"HOME": "/home/dev", "TERM": "xterm"}[k]
	}, wire: Wiring{Version: "test", Sources: func(o SourceOptions) []registry.Named {
		return []registry.Named{{Name: claude.Name, Source: claude.New(o.World, claude.Options{Procs: o.Procs.Table})}}
	}}}
	code = a.run(r.t.Context(), append([]string{"--root", r.root, "--now", r.now}, args...))
	return out.String(), words.String(), code
}

func (r recorded) json(into any, args ...string) {
	r.t.Helper()
	out, words, code := r.run(args...)
	if err := json.Unmarshal([]byte(out), into); err != nil || code != ExitDone {
		r.t.Fatalf("%q: %v, code %d\n%s%s", args, err, code, out, words)
	}
}

// TestSubAgents: a finished sub-agent has left ls, and is in ls --ended, in its
// session and as steps (A5, A12, O4); --raw is its JSON, and wants to be asked
// twice.
func TestSubAgents(t *testing.T) {
	r := layRecording(t, "agents")
	var now, all []task.Wire
	r.json(&now, "ls", "--json", "-A")
	r.json(&all, "ls", "--json", "-A", "--ended")
	if len(now) != 1 || now[0].Kind != task.Agent || now[0].Status != task.Running || now[0].Activity == "" || now[0].Tokens == nil {
		t.Fatalf("%+v", now)
	}
	if len(all) != 4 {
		t.Errorf("%d tasks are kept, want 4", len(all))
	}
	ended := all[slices.IndexFunc(all, func(w task.Wire) bool { return w.Title == "Explore the code" })]
	if ended.Result != "Found one server file." {
		t.Errorf("%+v", ended)
	}
	native := strings.TrimPrefix(ended.ID, "claude:")
	for _, ref := range []string{ended.ID, native, native[:6], "explore the"} {
		out, words, code := r.run("logs", ref, "--json")
		var first lineWire
		line, _, _ := strings.Cut(out, "\n")
		if err := json.Unmarshal([]byte(line), &first); err != nil || code != ExitDone || first.At == nil || first.Text == "" {
			t.Errorf("logs %s: code %d, %v, %q %s", ref, code, err, line, words)
		}
		if !strings.Contains(out, "▸ Bash sleep 2; echo looked") {
			t.Errorf("no step of a tool in:\n%s", out)
		}
	}
	if _, _, code := r.run("logs", native, "--raw"); code != ExitRefused {
		t.Errorf("--raw alone: code %d", code)
	}
	out, words, code := r.run("logs", native, "--raw", "--no-redact")
	if code != ExitDone || !strings.HasPrefix(out, `{"parentUuid":`) || !strings.Contains(words, "nothing is hidden") {
		t.Errorf("--raw: code %d %q %.80q", code, words, out)
	}
	if _, words, code = r.run("logs", "the code"); code != ExitAmbiguous || !strings.Contains(words, ended.ID) {
		t.Errorf("an ambiguous REF: code %d\n%s", code, words)
	}
	if _, words, code = r.run("stop", "Slow agent", "--yes"); code != ExitRefused || !strings.Contains(words, "recording") {
		t.Errorf("a stop in a recording: code %d\n%s", code, words)
	}
	// All of a session is what runs of it (K6): here one of four.
	var sessions []struct{ ID string }
	r.json(&sessions, "sessions", "--json")
	if _, words, code = r.run("stop", "--session", sessions[0].ID, "--yes"); code != ExitRefused || strings.Count(words, "recording") != 1 || !strings.Contains(words, now[0].Title) {
		t.Errorf("a stop of a session: code %d\n%s", code, words)
	}
}

// TestSessionShapes: sessions, session ID and todo, word by word (spec 5, T7).
func TestSessionShapes(t *testing.T) {
	r := layRecording(t, "todo-and-dev")
	var list []map[string]any
	r.json(&list, "sessions", "--json")
	if len(list) != 1 {
		t.Fatalf("%v", list)
	}
	for _, k := range []string{"id", "agent", "cwd", "title", "state", "pid", "started_at", "updated_at", "tasks"} {
		if list[0][k] == nil {
			t.Errorf("sessions: no %q", k)
		}
	}
	for _, k := range []string{"running", "finished", "failed"} {
		if _, ok := list[0]["tasks"].(map[string]any)[k]; !ok {
			t.Errorf("sessions: no tasks.%s", k)
		}
	}
	id := list[0]["id"].(string)
	var one map[string]any
	r.json(&one, "session", strings.TrimPrefix(id, "claude:")[:8], "--json")
	for _, k := range []string{"tasks", "todo", "workflows"} {
		if _, ok := one[k].([]any); !ok {
			t.Errorf("session: %q is no list: %v", k, one[k])
		}
	}
	var todo []task.WireEntry
	r.json(&todo, "todo", "--json", "--session", id)
	if len(todo) == 0 || len(todo) != len(one["todo"].([]any)) || todo[0].ID == "" || todo[0].Subject == "" || todo[0].Status == "" {
		t.Errorf("todo: %+v", todo)
	}
	if out, _, code := r.run("todo", "--session", id); code != ExitDone || !strings.Contains(out, todo[0].Subject) {
		t.Errorf("todo: code %d\n%s", code, out)
	}
}
