package qwen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

const (
	id      = "00000000-0000-4000-8000-000000000001"
	shells  = ".qwen/tmp/aaaa/background-shells/" + id + "/"
	chat    = ".qwen/projects/-srv-app/chats/" + id + ".jsonl"
	helpers = ".qwen/projects/-srv-app/subagents/" + id + "/"
)

func record(name, state, more string) string {
	now := time.Now().UTC().Format(time.RFC3339Nano)
	return fmt.Sprintf(`{"id":%q,"status":%q,"command":"npm test","cwd":"/srv/app","startTime":%q,"updatedAt":%q%s}`, name, state, now, now, more)
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, chat, `{"sessionId":"x","timestamp":"2026-11-30T20:31:12.705Z","type":"user","cwd":"/srv/app","message":{"parts":[{"text":"do it"}]}}`+"\n")
	h.Put(t, shells+"shell-bg_600d0000.status", record("bg_600d0000", "completed", `,"exitCode":0`))
	h.Put(t, shells+"shell-bg_600d0000.output", "fine\n")
	return h
}

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	const secret = "what-stands-outside"
	cases := map[string]func(t *testing.T, h tracetest.Home){
		"half written": func(t *testing.T, h tracetest.Home) {
			h.Put(t, shells+"shell-bg_bad00000.status", record("bg_bad00000", "running", "")[:40])
		},
		"empty": func(t *testing.T, h tracetest.Home) { h.Put(t, shells+"shell-bg_bad00000.status", "") },
		"huge": func(t *testing.T, h tracetest.Home) {
			h.Put(t, shells+"shell-bg_bad00000.status", strings.Repeat(" ", 2<<20))
		},
		"a pipe": func(t *testing.T, h tracetest.Home) { h.Pipe(t, shells+"shell-bg_bad00000.status") },
		"a link out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, shells+"shell-bg_bad00000.status", filepath.Join(h.Dir, "outside"))
		},
		"log is a pipe": func(t *testing.T, h tracetest.Home) {
			h.Put(t, shells+"shell-bg_bad00000.status", record("bg_bad00000", "completed", ""))
			h.Pipe(t, shells+"shell-bg_bad00000.output")
		},
		"log leads out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, shells+"shell-bg_bad00000.status", record("bg_bad00000", "completed", ""))
			h.Link(t, shells+"shell-bg_bad00000.output", filepath.Join(h.Dir, "outside"))
		},
		"meta is broken": func(t *testing.T, h tracetest.Home) { h.Put(t, helpers+"agent-bad00000.meta.json", "{") },
		"meta leads out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, helpers+"agent-bad00000.meta.json", filepath.Join(h.Dir, "outside"))
		},
		"chat leads out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, strings.Replace(chat, "001.", "002.", 1), filepath.Join(h.Dir, "outside"))
		},
		"chat is a pipe": func(t *testing.T, h tracetest.Home) { h.Pipe(t, strings.Replace(chat, "001.", "002.", 1)) },
		"registry is odd": func(t *testing.T, h tracetest.Home) {
			h.Put(t, ".qwen/sessions/7.json", `{"pid":"x","procStart":5}`)
			h.Pipe(t, ".qwen/sessions/8.json")
		},
	}
	for name, spoil := range cases {
		t.Run(name, func(t *testing.T) {
			h := stage(t)
			h.Put(t, "outside", `{"id":"`+secret+`","agentId":"`+secret+`","type":"user","message":{"parts":[{"text":"`+secret+`"}]}}`)
			spoil(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			tracetest.NoLeak(t, snap, secret)
			if g := tracetest.Find(t, snap, "bg_600d0000"); g.Status != task.Succeeded || !g.Can.Read || g.Trouble != "" {
				t.Errorf("the good row: %s, trouble %q", g.Status, g.Trouble)
			}
			for _, x := range snap.Tasks {
				if strings.HasSuffix(x.Native, "bad00000") && (x.Trouble == "" || x.Can.Read || !x.Status.Ended()) {
					t.Errorf("the bad one: %s, read %v, trouble %q", x.Status, x.Can.Read, x.Trouble)
				}
			}
		})
	}
}

// TestEndings: codes and signals as the record has them in words (K7).
func TestEndings(t *testing.T) {
	cases := []struct {
		state, more string
		want        task.Status
		code        int
		signal      string
	}{
		{"completed", `,"exitCode":0`, task.Succeeded, 0, ""},
		{"completed", `,"exitCode":2`, task.Failed, 2, ""},
		{"failed", `,"error":"exited with code 3"`, task.Failed, 3, ""},
		{"failed", `,"error":"terminated by signal 9"`, task.Failed, -1, "KILL"},
		{"failed", `,"error":"terminated by signal SIGTERM"`, task.Failed, -1, "TERM"},
		{"failed", `,"error":"spawn ENOENT"`, task.Failed, -1, ""},
		{"cancelled", "", task.Cancelled, -1, ""},
		{"vanished", `,"endTime":"2026-11-30T20:31:12.705Z"`, task.Lost, -1, ""},
	}
	for i, c := range cases {
		h := stage(t)
		h.Put(t, shells+"shell-bg_00000001.status", record("bg_00000001", c.state, c.more))
		s := New(h.World, tracetest.NoProcs)
		s.SetDeep(true)
		x := tracetest.Find(t, tracetest.All(t, s), "bg_00000001")
		got := -1
		if x.ExitCode != nil {
			got = *x.ExitCode
		}
		if x.Status != c.want || got != c.code || x.Signal != c.signal {
			t.Errorf("%d %s %s: %s, code %d, signal %q", i, c.state, c.more, x.Status, got, x.Signal)
		}
	}
}

// TestLogAlone: versions before there were records left only a log.
func TestLogAlone(t *testing.T) {
	h := stage(t)
	h.Put(t, ".qwen/projects/-srv-app/tasks/"+id+"/shell-bg_0ld00000.output", "old\n")
	x := tracetest.Find(t, tracetest.All(t, New(h.World, tracetest.NoProcs)), "bg_0ld00000")
	if !x.Can.Read || x.Trouble == "" || x.ExitCode != nil {
		t.Errorf("%+v", x)
	}
	h.Put(t, shells+"shell-bg_00000002.output", "first\n")
	s := New(h.World, tracetest.NoProcs)
	tracetest.All(t, s)
	h.Put(t, shells+"shell-bg_00000002.status", record("bg_00000002", "running", ""))
	n := 0
	for _, x := range tracetest.All(t, s).Tasks {
		if x.Native == "bg_00000002" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("a log whose record came later is %d rows", n)
	}
}

// TestToken: the secret that stands beside the agent's pid goes nowhere.
func TestToken(t *testing.T) {
	h := stage(t)
	h.Put(t, ".qwen/sessions/71.json", `{"pid":71,"procStart":"b:5","sessionId":"`+id+`","cwd":"/srv/app","ipcToken":"tok⟂en-4711"}`)
	snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
	tracetest.NoLeak(t, snap, "4711")
}

// TestSteps: what a sub-agent did reads as steps (O4).
func TestSteps(t *testing.T) {
	r := tracetest.Open(t, "testdata/subagent.txtar")
	x := tracetest.Find(t, tracetest.All(t, New(r.World, r.Procs)), "general-purpose-call_3da29837b693ec4681f0")
	b, err := os.ReadFile(x.Output.Path)
	tracetest.Must(t, err)
	var text []string
	for line := range strings.Lines(string(b)) {
		for _, row := range x.Decoder.Decode([]byte(strings.TrimRight(line, "\n")), 0) {
			text = append(text, row.Text)
		}
	}
	got := strings.Join(text, "\n")
	for _, w := range []string{"» Please run it (sub).", "▸ run_shell_command for i in", "Sub-agent: linted, no problems."} {
		if !strings.Contains(got, w) {
			t.Errorf("no step %q in\n%s", w, got)
		}
	}
	if x.ToolCalls != 1 || x.Tokens == nil || x.Result != "Sub-agent: linted, no problems." {
		t.Errorf("calls %d, tokens %v, result %q", x.ToolCalls, x.Tokens, x.Result)
	}
}

// TestRemoved: a session that is gone from the disk is gone.
func TestRemoved(t *testing.T) {
	h := stage(t)
	s := New(h.World, tracetest.NoProcs)
	if n := len(tracetest.All(t, s).Sessions); n != 1 {
		t.Fatalf("%d sessions", n)
	}
	tracetest.Must(t, os.RemoveAll(filepath.Join(h.Dir, ".qwen/projects")))
	tracetest.Must(t, os.RemoveAll(filepath.Join(h.Dir, ".qwen/tmp")))
	if snap := tracetest.All(t, s); len(snap.Sessions)+len(snap.Tasks) != 0 {
		t.Errorf("still there: %v %v", snap.Sessions, snap.Tasks)
	}
}
