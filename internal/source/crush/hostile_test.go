package crush

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/internal/world"
	"offstage/task"
)

const tables = `CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, todos TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL default '[]', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER);
CREATE INDEX idx_messages_session_id ON messages (session_id);
`

// row is a session that was written to at a time.
func row(id string, at time.Time) string {
	return fmt.Sprintf("INSERT INTO sessions VALUES ('%s',NULL,'the work',%d,%d,NULL);\n", id, at.Unix(), at.Unix())
}

// said is a message of the session now, with its parts.
func said(session, role, finish string, parts ...string) string {
	now := time.Now().Unix()
	done := "NULL"
	if finish != "" {
		parts, done = append(parts, fmt.Sprintf(`{"type":"finish","data":{"reason":%q}}`, finish)), fmt.Sprint(now)
	}
	return fmt.Sprintf("INSERT INTO messages VALUES (hex(randomblob(8)),'%s','%s','%s',%d,%d,%s);\n", session, role,
		strings.ReplaceAll("["+strings.Join(parts, ",")+"]", "'", "''"), now, now, done)
}

// quoted is JSON inside of a JSON string.
func quoted(v any) string {
	b, _ := json.Marshal(v)
	b, _ = json.Marshal(string(b))
	return string(b)
}

func call(id, name string, input map[string]any) string {
	return fmt.Sprintf(`{"type":"tool_call","data":{"id":%q,"name":%q,"input":%s,"finished":true}}`, id, name, quoted(input))
}

func gave(id, name, content string, meta map[string]any) string {
	return fmt.Sprintf(`{"type":"tool_result","data":{"tool_call_id":%q,"name":%q,"content":%q,"metadata":%s}}`, id, name, content, quoted(meta))
}

// begun is a command that went to the background.
func begun(session, id, command, number string) string {
	return said(session, "assistant", "tool_use", call(id, "bash", map[string]any{"command": command, "run_in_background": true})) +
		said(session, "tool", "stop", gave(id, "bash", "Background shell started with ID: "+number,
			map[string]any{"start_time": time.Now().UnixMilli(), "background": true, "shell_id": number, "working_directory": "/srv/app"}))
}

func asked(session, id, tool, number, content string, done bool) string {
	return said(session, "assistant", "tool_use", call(id, tool, map[string]any{"shell_id": number})) +
		said(session, "tool", "stop", gave(id, tool, content, map[string]any{"shell_id": number, "done": done}))
}

// project puts one project's database there.
func putProject(t testing.TB, h tracetest.Home, words string) string {
	t.Helper()
	dir := filepath.Join(h.Dir, "app/.crush")
	tracetest.LayDatabase(t, filepath.Join(dir, database), words)
	if err := os.MkdirAll(filepath.Join(h.Dir, ".local/share/crush"), 0o755); err != nil {
		t.Fatal(err)
	}
	list := fmt.Sprintf(`{"projects":[{"path":%q,"data_dir":%q,"last_accessed":"2026-11-30T20:30:42Z"}]}`, filepath.Join(h.Dir, "app"), dir)
	if err := os.WriteFile(filepath.Join(h.Dir, ".local/share/crush/projects.json"), []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, database)
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	putProject(t, h, tables+row("good", time.Now())+begun("good", "call_good", "npm test", "001")+
		asked("good", "call_ask", "job_output", "001", "Status: completed\n\nall of it\n\nExit code 3", true))
	return h
}

// TestHostile: whatever stands in a database, or in the place of one, costs its own
// detail, never another's (issue 9).
func TestHostile(t *testing.T) {
	change := func(words string) func(t *testing.T, h tracetest.Home) {
		return func(t *testing.T, h tracetest.Home) {
			db := tracetest.OpenDatabase(t, filepath.Join(h.Dir, "app/.crush", database))
			_, err := db.Exec(words)
			tracetest.Must(t, err)
		}
	}
	other := func(t *testing.T, h tracetest.Home, dir string) {
		h.Put(t, ".local/share/crush/projects.json", fmt.Sprintf(`{"projects":[{"path":"/srv/x","data_dir":%q},{"path":%q},{"path":5},{"path":"","data_dir":"../.."}]}`,
			filepath.Join(h.Dir, dir), filepath.Join(h.Dir, "app")))
	}
	cases := tracetest.Spoil{
		"broken parts": change(said("good", "assistant", "", `{"type":"tool_call","data":"bash"`)),
		"odd parts": change(said("good", "assistant", "stop", `{"type":"tool_call","data":{"id":7,"name":"bash","input":[]}}`, `7`) +
			said("good", "tool", "stop", `{"type":"tool_result","data":{"tool_call_id":"nobody","name":"bash","metadata":"{"}}`)),
		"odd values":       change("INSERT INTO sessions VALUES ('odd',x'00ff','\x1b[31mred','never',9e99,'{');"),
		"long parts":       change(said("good", "assistant", "stop", `{"type":"text","data":{"text":"\"bash\" `+strings.Repeat("x", 5<<20)+`"}}`)),
		"a project's pipe": func(t *testing.T, h tracetest.Home) { h.Pipe(t, "bad/"+database); other(t, h, "bad") },
		"a project's link": func(t *testing.T, h tracetest.Home) { h.Link(t, "bad/"+database, h.Outside()); other(t, h, "bad") },
		"a project's text": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "bad/"+database, strings.Repeat("no ", 3000))
			other(t, h, "bad")
		},
		"a newer project": func(t *testing.T, h tracetest.Home) {
			tracetest.LayDatabase(t, filepath.Join(h.Dir, "bad", database), "CREATE TABLE sessions (uuid TEXT)")
			other(t, h, "bad")
		},
		"projects gone": func(t *testing.T, h tracetest.Home) { other(t, h, "nowhere") },
	}
	tracetest.Hostile(t, stage, func(h tracetest.Home) tracetest.Scanner { return New(h.World, tracetest.NoProcs) }, tracetest.Secret, cases, func(t *testing.T, snap task.Snapshot) {
		g := tracetest.Find(t, snap, "call_good")
		if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || len(snap.Troubles) > 1 {
			t.Errorf("the good row: %s %v, troubles %v", g.Status, g.ExitCode, snap.Troubles)
		}
	})
}

// TestProjectsList: a list that is broken, or leads out, is no end of what was known.
func TestProjectsList(t *testing.T) {
	h := stage(t)
	s := New(h.World, tracetest.NoProcs)
	tracetest.All(t, s)
	for _, words := range []string{"{", "", `{"projects":7}`} {
		h.Put(t, ".local/share/crush/projects.json", words)
		tracetest.Age(t, filepath.Join(h.Dir, ".local/share/crush/projects.json"), time.Duration(len(words)+1)*time.Minute)
		if snap := tracetest.All(t, s); words != `{"projects":7}` && len(snap.Tasks) != 1 {
			t.Errorf("%q: %d tasks", words, len(snap.Tasks))
		}
	}
}

// TestEndings: what Crush was told of an end, and what it was not (K7).
func TestEndings(t *testing.T) {
	cases := map[string]struct {
		words string
		want  task.Status
	}{
		"nobody asked":    {"", task.Running},
		"still running":   {asked("s", "a", "job_output", "001", "Status: running\n\nStatus: completed", false), task.Running},
		"completed":       {asked("s", "a", "job_output", "001", "Status: completed\n\nExit code 3 was seen\n", true), task.Succeeded},
		"failed":          {asked("s", "a", "job_output", "001", "Status: completed\n\nx\n\nExit code 2", true), task.Failed},
		"killed":          {asked("s", "a", "job_kill", "001", "Background shell 001 terminated successfully", false), task.Cancelled},
		"another's":       {asked("s", "a", "job_kill", "002", "Background shell 002 terminated successfully", false), task.Running},
		"the number anew": {begun("s", "call_b", "make", "001") + asked("s", "a", "job_kill", "001", "Background shell 001 terminated successfully", false), task.Running},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := tracetest.NewHome(t)
			putProject(t, h, tables+row("s", time.Now())+begun("s", "call_a", "npm run dev", "001")+c.words)
			if x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "call_a"); x.Status != c.want {
				t.Errorf("%s, want %s", x.Status, c.want)
			}
		})
	}
}

// TestFollows: what is added is read once, and a message that is not finished again.
func TestFollows(t *testing.T) {
	h := tracetest.NewHome(t)
	db := tracetest.OpenDatabase(t, putProject(t, h, tables+row("s", time.Now())))
	s := New(h.World, tracetest.NoProcs)
	tracetest.All(t, s)
	do := func(words string) task.Snapshot {
		t.Helper()
		_, err := db.Exec(words)
		tracetest.Must(t, err)
		return tracetest.All(t, s)
	}
	if snap := do(said("s", "assistant", "")); snap.Sessions[0].State != task.RunningTurn {
		t.Errorf("a message under way: %s", snap.Sessions[0].State)
	}
	snap := do(`UPDATE messages SET parts = '[` + call("call_a", "bash", map[string]any{"command": "npm run dev"}) + `,{"type":"finish","data":{"reason":"tool_use"}}]', finished_at = 1;` +
		said("s", "tool", "stop", gave("call_a", "bash", "moved", map[string]any{"start_time": time.Now().UnixMilli(), "background": true, "shell_id": "001"})))
	if x := tracetest.Find(t, snap, "call_a"); x.Status != task.Running || x.Command != "npm run dev" {
		t.Errorf("%s %q", x.Status, x.Command)
	}
	snap = do(said("s", "assistant", "end_turn", `{"type":"text","data":{"text":"ok"}}`) + `UPDATE sessions SET todos = '[{"content":"one","status":"completed"}]';`)
	if x := snap.Sessions[0]; x.State != task.BackgroundOnly || len(x.Plan.Entries) != 1 || x.Plan.Entries[0].Status != task.Completed {
		t.Errorf("%s %+v", x.State, x.Plan)
	}
}

// TestGoesOn: a line of several commands is not stopped by the end of one of them.
func TestGoesOn(t *testing.T) {
	for line, want := range map[string]bool{"npm run dev": false, "cd app && npm run dev": false, "npm run dev;": false, "while true; do sleep 1; done": true, "a\nb": true, "a || b": true} {
		if goesOn(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}

func many(n int, age time.Duration) string {
	var b strings.Builder
	for i := range n {
		id := fmt.Sprintf("s%06d", i)
		b.WriteString(row(id, time.Now().Add(-age)))
		fmt.Fprintf(&b, "INSERT INTO messages VALUES ('m%d','%s','user','[]',%d,%d,1);\n", i, id, time.Now().Add(-age).Unix(), time.Now().Add(-age).Unix())
	}
	return b.String()
}

// oldOnes are few enough for a race detector on a busy machine; ten thousand were
// tried too.
const oldOnes = 2000

// TestOldSessions: old sessions are not told of unless all are asked for (issue 9).
func TestOldSessions(t *testing.T) {
	h := tracetest.NewHome(t)
	putProject(t, h, tables+many(oldOnes, 10*24*time.Hour)+row("good", time.Now()))
	tracetest.Recent(t, New(h.World, tracetest.NoProcs), oldOnes)
}

// BenchmarkStart: until all of 500 sessions of the last day is told.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	putProject(b, tracetest.Home{Dir: dir}, tables+many(500, 3*time.Hour))
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := New(w, tracetest.NoProcs).Scan(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
