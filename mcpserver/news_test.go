package mcpserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/store"
	"offstage/task"
)

// book is the ledger of a stage, as a supervisor of another process has it.
func (s *stage) book() *ledger.Book {
	s.Helper()
	st, err := store.Open(filepath.Join(s.dir, "state"))
	must(s, err)
	s.Cleanup(func() { _ = st.Close() })
	return ledger.NewBook(st, time.Now, nil)
}

// ended is a task of our own of an owner that has failed just now.
func ended(id, owner string) ledger.Report {
	code := 1
	return ledger.Report{Proof: ledger.Witnessed, Record: task.Record{ID: "own:" + id, Run: 1, Kind: task.Shell, Owner: owner, Session: owner, Title: "npm test",
		Status: task.Failed, ExitCode: &code, Started: time.Now().Add(-time.Minute), Ended: time.Now()}}
}

// N1: what ended is told once, at the head of the text and in the data: clients
// show their model the one, the other or both.
func TestNewsOnceInTextAndData(t *testing.T) {
	s := newStage(t, nil)
	b := s.book()
	_, err := b.Report(ended("t-one", session))
	must(t, err)
	_, err = b.Report(ended("t-other", "codex:c"))
	must(t, err)
	const want = "Since your last call: task t-one (npm test) failed, exit code 1 — offstage logs t-one"
	text, data, _ := s.call("list_tasks", `{}`)
	if !strings.HasPrefix(text, want+"\n\n") || data["news"] != want || data["tasks"] == nil {
		t.Errorf("text %q, data %v", text, data["news"])
	}
	text, data, _ = s.call("list_tasks", `{}`)
	if strings.Contains(text, "Since your last call") || data["news"] != nil {
		t.Errorf("told twice: %q %v", text, data)
	}
	rec, _, err := b.Store().Record("own:t-one")
	must(t, err)
	if rec.Delivery.State != task.Delivered {
		t.Errorf("delivery: %+v", rec.Delivery)
	}
	if rec, _, _ = b.Store().Record("own:t-other"); rec.Delivery.Notified {
		t.Error("another session's news was taken")
	}
}

// An end that the result itself tells of is not told before it once more, and
// counts as told; a note about the call stands in the data too.
func TestResultTellsItsOwnEnd(t *testing.T) {
	s := newStage(t, nil)
	b := s.book()
	_, err := b.Report(ended("t-one", session))
	must(t, err)
	text, data, bad := s.call("wait_task", `{"tasks": ["t-one"], "timeout_s": 90}`)
	notes, _ := data["notes"].([]any)
	if bad || strings.Contains(text, "Since your last call") || !strings.Contains(text, "failed, exit code 1") || len(notes) != 1 || !strings.Contains(notes[0].(string), "at most 50") {
		t.Errorf("%q %v", text, data)
	}
	if text, _, _ = s.call("list_sessions", `{}`); strings.Contains(text, "Since your last call") {
		t.Errorf("told twice: %q", text)
	}
}

// What Claude Code and Codex show is the data alone: the rows have to be in it; for
// clients that show both they are not sent twice.
func TestOutputStandsInTheData(t *testing.T) {
	s := newStage(t, nil)
	for client, want := range map[string]any{"claude-code": "two\nthree", "codex-mcp-client": "two\nthree", "qwen-cli-mcp-client": nil, "kimi-code": nil, "somebody": "two\nthree"} {
		s.connect(Options{Registry: s.reg, Cwd: s.dir, Getenv: func(string) string { return "" }}, client)
		text, data, _ := s.call("read_task_output", `{"task": "b1", "lines": 2}`)
		if text != "two\nthree" || data["text"] != want {
			t.Errorf("%s: text %q, data %v", client, text, data)
		}
	}
}

// M3: a client whose session is known only after its first call keeps what it
// started before, and hears of its end.
func TestSessionKnownLate(t *testing.T) {
	s := newStage(t, nil)
	none := func(string) string { return "" }
	s.connect(Options{Registry: s.reg, Cwd: "/srv/gem", Getenv: none}, "gemini-cli-mcp-client")
	_, _, _ = s.call("list_tasks", `{}`)
	s.src.set(func(x *task.Snapshot) {
		x.Tasks = append(x.Tasks, task.Task{ID: "claude:g1", Source: "claude", Native: "g1", Session: "gemini:/srv/gem", Kind: task.Shell, Run: 1, Title: "early", Status: task.Running, Started: time.Now()})
		x.Sessions = append(x.Sessions, task.Session{ID: "gemini:s1", Agent: "gemini", Native: "s1", Cwd: "/srv/gem", State: task.RunningTurn})
	})
	_, err := s.book().Report(ended("t-early", "gemini:/srv/gem"))
	must(t, err)
	text, _, _ := s.call("list_tasks", `{}`)
	if !strings.Contains(text, "task t-early (npm test) failed") || !strings.Contains(text, "\n\nt-early · ") && !strings.Contains(text, "\n\ng1 · ") {
		t.Errorf("%q", text)
	}
	if text, data, _ := s.call("read_session", `{}`); data["id"] != "gemini:s1" {
		t.Errorf("the session that began meanwhile is its own: %q", text)
	}
	if text, _, bad := s.call("stop_task", `{"task": "g1"}`); bad && strings.Contains(text, "another session") {
		t.Errorf("%q", text)
	}
	if text, _, bad := s.call("stop_task", `{"task": "other"}`); !bad || !strings.Contains(text, "another session") {
		t.Errorf("%q", text)
	}
}

// The words that go before data leave valid JSON of any data.
func TestWithWords(t *testing.T) {
	for _, data := range []any{map[string]any{}, map[string]any{"a": 1}, struct{}{}, read{ID: "x"}} {
		b, err := json.Marshal(withWords(data, words{News: `n "q"`, Notes: []string{"x"}}))
		var m map[string]any
		if err != nil || json.Unmarshal(b, &m) != nil || m["news"] != `n "q"` {
			t.Errorf("%v: %s %v", data, b, err)
		}
	}
	if got := withWords([]int{1}, words{News: "news"}); len(got.([]int)) != 1 {
		t.Errorf("what is no object stays as it is: %v", got)
	}
}

// S1: a task of ours that stands still at a question is told of once a stall, as a
// notice without a status; what is secret in its rows stays hidden.
func TestStallIsToldOnce(t *testing.T) {
	s := newStage(t, nil)
	b := s.book()
	dir := filepath.Join(s.dir, "state", "tasks", "t-0000000a")
	must(t, os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, "output")
	quiet := func(text string, since time.Duration) {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		at := time.Now().Add(-since)
		must(t, os.Chtimes(path, at, at))
	}
	_, err := b.Report(ledger.Report{Record: task.Record{ID: "own:t-0000000a", Run: 1, Kind: task.Shell, Owner: session, Session: session, Title: "npm init", Status: task.Running}})
	must(t, err)
	quiet("token gh"+"p_0123456789abcdefghijABCDEFGHIJ012345\n</summary>\nOverwrite? (y/n) ", 10*time.Second)
	if text, _, _ := s.call("list_sessions", `{}`); strings.Contains(text, "task-notification") {
		t.Errorf("after ten seconds: %q", text)
	}
	quiet("token gh"+"p_0123456789abcdefghijABCDEFGHIJ012345\n</summary>\nOverwrite? (y/n) ", time.Minute)
	text, data, _ := s.call("list_sessions", `{}`)
	if !strings.HasPrefix(text, "<task-notification>\n<task-id>t-0000000a</task-id>\n") || strings.Contains(text, "<status>") || !strings.Contains(text, "Overwrite? (y/n)") ||
		strings.Contains(text, "ghp_0123") || strings.Count(text, "</summary>") != 1 || !strings.Contains(text, "answer_task") || data["news"] == nil {
		t.Errorf("%q", text)
	}
	if text, _, _ = s.call("list_sessions", `{}`); strings.Contains(text, "task-notification") {
		t.Errorf("told twice: %q", text)
	}
	quiet("Overwrite? (y/n) n\nReally? (y/n) ", 50*time.Second)
	if text, _, _ = s.call("list_sessions", `{}`); !strings.Contains(text, "Really?") {
		t.Errorf("the next stall is another: %q", text)
	}
	quiet("built in 3 s\n", 55*time.Second)
	if text, _, _ = s.call("list_sessions", `{}`); strings.Contains(text, "task-notification") {
		t.Errorf("silence alone is no question: %q", text)
	}
}
