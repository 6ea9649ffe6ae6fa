package gemini

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

const (
	chats = ".gemini/tmp/app/chats/"
	id    = "00000000-0000-4000-8000-000000000001"
)

func head(id string) string {
	return fmt.Sprintf(`{"sessionId":%q,"projectHash":"x","startTime":%q,"kind":"main"}`+"\n", id, time.Now().UTC().Format(time.RFC3339Nano))
}

// call is a message with one call of a tool and its output.
func call(n int, tool, args, output string) string {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	return fmt.Sprintf(`{"id":"m%d","timestamp":%q,"type":"gemini","content":"","toolCalls":[{"id":"c%d","name":%q,"args":%s,"timestamp":%q,"result":[{"functionResponse":{"response":{"output":%q}}}]}]}`+"\n",
		n, now, n, tool, args, now, output)
}

func launched(n, pid int) string {
	return call(n, "run_shell_command", `{"command":"npm test","is_background":true,"description":"Tests"}`, fmt.Sprintf("Command moved to background (PID: %d). Output hidden.", pid))
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, ".gemini/tmp/app/.project_root", "/srv/app\n")
	h.Put(t, chats+"session-2026-11-30T20-30-00000001.jsonl", head(id)+launched(1, 4194001)+call(2, "list_background_processes", "{}", "- [PID 4194001] EXITED: `npm test` (Exit Code: 3)"))
	h.Put(t, logs4+"background-4194001.log", "fine\n")
	return h
}

const logs4 = ".gemini/" + logs + "/"

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	const secret = "what-stands-outside"
	other := chats + "session-2026-11-30T20-31-00000002.jsonl"
	cases := map[string]func(t *testing.T, h tracetest.Home){
		"half written": func(t *testing.T, h tracetest.Home) { h.Put(t, other, head("x")[:30]) },
		"broken lines": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, "{\n\x00\xff\n[]\n7\n"+head("x")+launched(1, 4194002)[:80]+"\n")
		},
		"a pipe":     func(t *testing.T, h tracetest.Home) { h.Pipe(t, other) },
		"a link out": func(t *testing.T, h tracetest.Home) { h.Link(t, other, filepath.Join(h.Dir, "outside")) },
		"log leads out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, head("x")+launched(1, 4194002))
			h.Link(t, logs4+"background-4194002.log", filepath.Join(h.Dir, "outside"))
		},
		"log is a pipe": func(t *testing.T, h tracetest.Home) {
			h.Put(t, other, head("x")+launched(1, 4194002))
			h.Pipe(t, logs4+"background-4194002.log")
		},
		"root leads out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, ".gemini/tmp/b/.project_root", filepath.Join(h.Dir, "outside"))
			h.Put(t, ".gemini/tmp/b/chats/session-2.jsonl", head("y"))
		},
		"chats leads out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "away/session-1.jsonl", head(secret))
			h.Link(t, ".gemini/tmp/c/chats", filepath.Join(h.Dir, "away"))
		},
		"pids of the house": func(t *testing.T, h tracetest.Home) { h.Put(t, other, head("x")+launched(1, 1)+launched(2, 0)) },
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			h := stage(t)
			h.Put(t, "outside", `{"sessionId":"`+secret+`","startTime":"x"}`+"\n"+secret)
			spoil(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			tracetest.NoLeak(t, snap, secret)
			g := tracetest.Find(t, snap, "4194001")
			if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || !g.Can.Read {
				t.Errorf("the good row: %s %v", g.Status, g.ExitCode)
			}
			for _, x := range snap.Tasks {
				if x.Native == "1" || x.Native == "0" {
					t.Error("the first process of the machine is no task")
				}
				if x.Native == "4194002" && (x.Can.Read || x.Trouble == "") {
					t.Errorf("the bad log: read %v, %q", x.Can.Read, x.Trouble)
				}
			}
		})
	}
}

// TestPidsComeBack: the log of a number is that of its newest command, and one
// that is older than the command is another's.
func TestPidsComeBack(t *testing.T) {
	h := stage(t)
	h.Put(t, chats+"session-2026-11-30T20-32-00000003.jsonl", head("later")+launched(1, 4194001))
	var with []string
	for _, x := range tracetest.All(t, New(h.World, tracetest.NoProcs)).Tasks {
		if x.Native == "4194001" && x.Can.Read {
			with = append(with, x.Session)
		}
	}
	if len(with) != 1 || with[0] != "gemini:later" {
		t.Errorf("the log belongs to %q", with)
	}
}

// TestKilled: a signal wins over the code 0 beside it; one that the agent sent
// itself is a stop (K7).
func TestKilled(t *testing.T) {
	h := stage(t)
	h.Put(t, chats+"session-2026-11-30T20-33-00000004.jsonl", head("k")+launched(1, 4194010)+launched(2, 4194011)+
		call(3, "run_shell_command", `{"command":"kill -- -4194010"}`, "Output: (empty)")+
		call(4, "list_background_processes", "{}", "- [PID 4194010] EXITED: `npm test` (Exit Code: 0) (Signal: 15)\n- [PID 4194011] EXITED: `npm test` (Exit Code: 0) (Signal: 9)"))
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	if x := tracetest.Find(t, snap, "4194010"); x.Status != task.Cancelled || x.Signal != "TERM" || x.ExitCode != nil {
		t.Errorf("stopped by the agent: %s %s %v", x.Status, x.Signal, x.ExitCode)
	}
	if x := tracetest.Find(t, snap, "4194011"); x.Status != task.Failed || x.Signal != "KILL" || x.ExitCode != nil {
		t.Errorf("killed: %s %s %v", x.Status, x.Signal, x.ExitCode)
	}
}

// TestPlan: the list that the agent wrote last (spec 4 T13).
func TestPlan(t *testing.T) {
	h := stage(t)
	h.Put(t, chats+"session-2026-11-30T20-34-00000005.jsonl", head("p")+call(1, "write_todos", `{"todos":[{"description":"one","status":"completed"},{"description":"two","status":"in_progress"}]}`, "ok"))
	for _, s := range tracetest.All(t, New(h.World, tracetest.NoProcs)).Sessions {
		if s.Native == "p" && (len(s.Plan.Entries) != 2 || s.Plan.Entries[1].Status != task.InProgress) {
			t.Errorf("%+v", s.Plan)
		}
	}
}

// TestWrapper: the command in the text that is put around it.
func TestWrapper(t *testing.T) {
	text := "shopt -u promptvars; _bgpids_file=/tmp/x\n(\nnpm run dev\n)\n__code=$?"
	if got := commandOf([]string{"bash", "-c", text}); got != "npm run dev" {
		t.Errorf("%q", got)
	}
	if got := commandOf([]string{"node", "server.js"}); !strings.Contains(got, "node server.js") {
		t.Errorf("%q", got)
	}
}
