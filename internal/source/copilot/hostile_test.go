package copilot

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace/tracetest"
	"offstage/internal/world"
	"offstage/task"
)

const (
	root  = ".copilot/session-state/"
	first = "00000000-0000-4000-8000-000000000001"
	other = "00000000-0000-4000-8000-000000000002"
	file  = root + first + "/events.jsonl"
	spare = root + other + "/events.jsonl"
)

func line(kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"timestamp":%q}`+"\n", kind, data, time.Now().UTC().Format(time.RFC3339Nano))
}

func head(id string) string {
	return line("session.start", fmt.Sprintf(`{"sessionId":%q,"copilotVersion":"1.0.102","context":{"cwd":"/srv/app","branch":"main"}}`, id))
}

func start(call, command, more string) string {
	return line("tool.execution_start", fmt.Sprintf(`{"toolCallId":%q,"toolName":"bash","arguments":{"command":%q,"mode":"async"%s}}`, call, command, more))
}

func gave(call, text string) string {
	return line("tool.execution_complete", fmt.Sprintf(`{"toolCallId":%q,"success":true,"result":{"content":%q}}`, call, text))
}

func asks(call, tool string) string {
	return line("tool.execution_start", fmt.Sprintf(`{"toolCallId":%q,"toolName":%q,"arguments":{"shellId":"0"}}`, call, tool))
}

// good is a command that ran in the background and ended with 3.
func good() string {
	return head(first) + start("call_good", "npm test", "") + gave("call_good", "<command started in background with shellId: 0>") +
		asks("call_read", "read_bash") + gave("call_read", "all of it\n<shellId: 0 completed with exit code 3>")
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	h.Put(t, file, good())
	return h
}

// source is one on a machine whose processes and temporary folder are its own.
func source(h tracetest.Home) *Source {
	s := New(h.World, tracetest.NoProcs)
	s.tmp = filepath.Join(h.Dir, "tmp")
	return s
}

// TestHostile: whatever lies there costs its own row, never another (issue 9).
func TestHostile(t *testing.T) {
	cases := tracetest.Spoil{
		"half written": func(t *testing.T, h tracetest.Home) { h.Put(t, spare, head(other)[:60]) },
		"broken lines": func(t *testing.T, h tracetest.Home) {
			h.Put(t, spare, "{\n\x00\xff\"session.start\"\n[]\n7\n"+`{"type":"tool.execution_start","data":7}`+"\n"+start("", "x", "")+gave("nobody", "<shellId: 0 completed with exit code 0>"))
		},
		"a newline inside a record": func(t *testing.T, h tracetest.Home) {
			h.Put(t, file, head(first)+`{"type":"tool.execution_complete","data":{"toolCallId":"x","result":{"content":"one`+"\n"+`two"}}}`+"\n"+strings.TrimPrefix(good(), head(first)))
		},
		"newer kinds": func(t *testing.T, h tracetest.Home) {
			h.Put(t, spare, head(other)+line("shell.v2", `{"toolCallId":["a"],"kind":"text","context":[],"error":[1]}`)+line("system.notification", `{"kind":{"type":"shell_completed","shellId":7,"exitCode":"zero"}}`))
		},
		"a pipe":     func(t *testing.T, h tracetest.Home) { h.Pipe(t, spare) },
		"a link out": func(t *testing.T, h tracetest.Home) { h.Link(t, spare, h.Outside()) },
		"a session out": func(t *testing.T, h tracetest.Home) {
			h.Put(t, "away/events.jsonl", head(tracetest.Secret))
			h.Link(t, root+other, filepath.Join(h.Dir, "away"))
		},
		"names out": func(t *testing.T, h tracetest.Home) { h.Link(t, root+first+"/workspace.yaml", h.Outside()) },
		"odd locks": func(t *testing.T, h tracetest.Home) {
			h.Put(t, root+first+"/inuse.x.lock", "")
			h.Put(t, root+first+"/inuse.-5.lock", "")
			h.Pipe(t, root+first+"/inuse.7.lock")
		},
		"lease is broken": func(t *testing.T, h tracetest.Home) { h.Put(t, root+first+"/detached-shells/0.lease.json", "{") },
		"lease leads out": func(t *testing.T, h tracetest.Home) {
			h.Link(t, root+first+"/detached-shells/0.lease.json", h.Outside())
		},
	}
	outside := head(tracetest.Secret) + "name: " + tracetest.Secret + "\n"
	tracetest.Hostile(t, stage, func(h tracetest.Home) tracetest.Scanner { return source(h) }, outside, cases, func(t *testing.T, snap task.Snapshot) {
		g := tracetest.Find(t, snap, "call_good")
		if g.Status != task.Failed || g.ExitCode == nil || *g.ExitCode != 3 || !g.Can.Read || len(snap.Tasks) != 1 {
			t.Errorf("the good row: %s %v, of %d", g.Status, g.ExitCode, len(snap.Tasks))
		}
	})
}

// TestDetachedFiles: a log, a pid and a code are taken from the temporary folder
// only where they are plain files with a name that fits the command.
func TestDetachedFiles(t *testing.T) {
	begin := head(first) + start("call_d", "npm run dev", `,"detach":true`) + gave("call_d", "<command started in detached background with shellId: 0>")
	name := func(shell string, off time.Duration) string {
		return fmt.Sprintf("tmp/copilot-detached-%s-%d-bbdecbd3-cd8b-4d25-8305-4842e2f8014e", shell, time.Now().Add(off).UnixMilli())
	}
	cases := []struct {
		name string
		put  func(h tracetest.Home)
		want task.Status
		read bool
	}{
		{"ended", func(h tracetest.Home) {
			n := name("0", 0)
			h.Put(t, n+".log", "fine\n")
			h.Put(t, n+".exit", "0\n")
		}, task.Succeeded, true},
		{"failed", func(h tracetest.Home) {
			n := name("0", 0)
			h.Put(t, n+".log", "bad\n")
			h.Put(t, n+".exit", "7")
		}, task.Failed, true},
		{"another shell's", func(h tracetest.Home) { h.Put(t, name("1", 0)+".log", "x\n") }, task.Running, false},
		{"of another hour", func(h tracetest.Home) { h.Put(t, name("0", -time.Hour)+".log", "x\n") }, task.Running, false},
		{"log leads out", func(h tracetest.Home) { h.Link(t, name("0", 0)+".log", filepath.Join(h.Dir, "outside")) }, task.Running, false},
		{"code is odd", func(h tracetest.Home) {
			n := name("0", 0)
			h.Put(t, n+".log", "x\n")
			h.Put(t, n+".exit", "no number")
		}, task.Running, true},
		{"code is a pipe", func(h tracetest.Home) {
			n := name("0", 0)
			h.Put(t, n+".log", "x\n")
			h.Pipe(t, n+".exit")
		}, task.Running, true},
		{"lease names another file", func(h tracetest.Home) {
			h.Put(t, root+first+"/detached-shells/0.lease.json", fmt.Sprintf(`{"logPath":"/etc/passwd","createdUnixMs":%d}`, time.Now().UnixMilli()))
		}, task.Running, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := tracetest.NewHome(t)
			h.Put(t, "outside", tracetest.Secret)
			h.Put(t, file, begin)
			c.put(h)
			x := tracetest.Find(t, tracetest.All(t, source(h)), "call_d")
			if x.Status != c.want || x.Can.Read != c.read || strings.Contains(x.Output.Path, "passwd") {
				t.Errorf("%s, read %v, %s", x.Status, x.Can.Read, x.Output.Path)
			}
		})
	}
}

// TestEndings: what Copilot's own last lines say, and what they only seem to (K7).
func TestEndings(t *testing.T) {
	back := gave("call_a", "<command started in background with shellId: 0>")
	cases := map[string]struct {
		events string
		want   task.Status
	}{
		"waited for":      {gave("call_a", "x\n<shellId: 0 completed with exit code 0>"), ""},
		"refused":         {line("tool.execution_complete", `{"toolCallId":"call_a","success":false,"error":"denied"}`), ""},
		"took too long":   {gave("call_a", "x\n<command with shellId: 0 is still running after 20 seconds. The command is still running. Use stop_bash to stop it.>"), task.Running},
		"printed its end": {back + asks("r", "read_bash") + gave("r", "<shellId: 0 completed with exit code 0>\nmore\n<shellId: 0 is still running after 1 seconds.>"), task.Running},
		"notified":        {back + line("system.notification", `{"kind":{"type":"shell_completed","shellId":"0","exitCode":0}}`), task.Succeeded},
		"stopped":         {back + asks("s", "stop_bash") + gave("s", "<command with id: 0 stopped>"), task.Cancelled},
		"of another one":  {back + asks("r", "read_bash") + gave("r", "<shellId: 5 completed with exit code 0>"), task.Running},
		"agent left":      {back + line("session.shutdown", `{}`), task.Lost},
		"resumed":         {back + line("session.resume", `{}`), task.Lost},
		"used again": {back + line("session.resume", `{}`) + start("call_b", "make", "") + gave("call_b", "<command started in background with shellId: 0>") +
			line("system.notification", `{"kind":{"type":"shell_completed","shellId":"0","exitCode":0}}`), task.Lost},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := tracetest.NewHome(t)
			h.Put(t, file, head(first)+start("call_a", "npm test", "")+c.events)
			snap := tracetest.All(t, source(h))
			if c.want == "" {
				if len(snap.Tasks) != 0 {
					t.Errorf("%d rows for a command that was waited for", len(snap.Tasks))
				}
				return
			}
			if x := tracetest.Find(t, snap, "call_a"); x.Status != c.want {
				t.Errorf("%s, want %s", x.Status, c.want)
			}
		})
	}
}

// TestGone: what a killed agent ran lasted as long as that agent wrote, not until
// somebody took its session up again.
func TestGone(t *testing.T) {
	h := tracetest.NewHome(t)
	at := func(kind, data string, off time.Duration) string {
		return fmt.Sprintf(`{"type":%q,"data":%s,"timestamp":%q}`+"\n", kind, data, time.Now().Add(off).UTC().Format(time.RFC3339Nano))
	}
	h.Put(t, file, at("session.start", `{"sessionId":"x"}`, -61*time.Minute)+at("tool.execution_start", `{"toolCallId":"call_a","toolName":"bash","arguments":{"command":"make","mode":"async"}}`, -time.Hour)+
		at("tool.execution_complete", `{"toolCallId":"call_a","result":{"content":"<command started in background with shellId: 0>"}}`, -50*time.Minute)+at("session.resume", `{}`, -time.Minute))
	x := tracetest.Find(t, tracetest.All(t, source(h)), "call_a")
	if ran := x.Ended.Sub(x.Started).Round(time.Minute); x.Status != task.Lost || ran != 10*time.Minute {
		t.Errorf("%s after %v", x.Status, ran)
	}
}

// TestOutput: what Copilot has read, without its own last line.
func TestOutput(t *testing.T) {
	h := tracetest.NewHome(t)
	h.Put(t, file, head(first)+start("call_a", "npm test", "")+gave("call_a", "<command started in background with shellId: 0>")+
		asks("r1", "read_bash")+gave("r1", "one\ntwo\n<command with shellId: 0 is still running after 1 seconds.>")+gave("r9", "of another")+
		asks("r2", "read_bash")+gave("r2", "three\n<shellId: 0 completed with exit code 0>"))
	if got := tracetest.Printed(t, tracetest.Find(t, tracetest.All(t, source(h)), "call_a")); got != "one\ntwo\nthree" {
		t.Errorf("%q", got)
	}
}

// TestSteps: a sub-agent's part of the events reads as steps (O4).
func TestSteps(t *testing.T) {
	r := tracetest.Open(t, "testdata/subagent.txtar")
	x := tracetest.Find(t, tracetest.All(t, New(r.World, r.Procs)), "70543e93-69be-4e47-8546-e0cb90e59ddb")
	got := tracetest.Printed(t, x)
	for _, w := range []string{"» Please run it (sub).", "▸ bash for i in", "Sub-agent: linted, no problems."} {
		if !strings.Contains(got, w) {
			t.Errorf("no step %q in\n%s", w, got)
		}
	}
	if strings.Contains(got, "The helper is at work.") || x.Result != "Sub-agent: linted, no problems." || x.Tokens == nil || x.Tokens.Output != 120 || x.ToolCalls != 1 {
		t.Errorf("result %q, tokens %v, calls %d, steps\n%s", x.Result, x.Tokens, x.ToolCalls, got)
	}
}

// TestPlan: the list that the agent wrote last, in both its forms (spec 4 T13).
func TestPlan(t *testing.T) {
	for _, todos := range []string{`"- [x] one\n- [ ] two"`, `[{"content":"one","status":"completed"},{"title":"two","status":"pending"}]`} {
		h := tracetest.NewHome(t)
		h.Put(t, file, head(first)+line("tool.execution_start", `{"toolCallId":"c","toolName":"update_todo","arguments":{"todos":`+todos+`}}`))
		p := tracetest.All(t, source(h)).Sessions[0].Plan
		if len(p.Entries) != 2 || p.Entries[0].Status != task.Completed || p.Entries[1].Subject != "two" || p.Entries[1].Status != task.Pending {
			t.Errorf("%s: %+v", todos, p)
		}
	}
}

// TestLong: long events are read in pieces, each answer true so far (issue 9).
func TestLong(t *testing.T) {
	h := tracetest.NewHome(t)
	filler := gave("somebody", strings.Repeat("words ", 4000))
	h.Put(t, file, head(first)+start("call_a", "npm test", "")+gave("call_a", "<command started in background with shellId: 0>")+
		strings.Repeat(filler, (longEvents+(4<<20))/len(filler))+line("system.notification", `{"kind":{"type":"shell_completed","shellId":"0","exitCode":0}}`))
	s := New(h.World, func() (*proc.Table, error) { return proc.Scan(h.World) })
	s.Agents = nil // as if its program ran: else the first answer is only that there is more
	snap, err := s.Scan(context.Background())
	tracetest.Must(t, err)
	if !s.Pending() || tracetest.Find(t, snap, "call_a").Status != task.Running {
		t.Error("the first look read everything, or nothing")
	}
	x := tracetest.Find(t, tracetest.All(t, s), "call_a")
	if x.Status != task.Succeeded || x.Can.Read || x.Trouble == "" {
		t.Errorf("at the end: %s, read %v, %q", x.Status, x.Can.Read, x.Trouble)
	}
}

// TestNothingSaid: a session that nobody has open and nothing was said in is none.
func TestNothingSaid(t *testing.T) {
	h := tracetest.NewHome(t)
	h.Put(t, root+first+"/workspace.yaml", "cwd: /srv/app\nname: the work\n")
	h.Put(t, root+first+"/inuse.999999.lock", "999999")
	if snap := tracetest.All(t, source(h)); len(snap.Sessions) != 0 {
		t.Errorf("%+v", snap.Sessions)
	}
}

// old puts many sessions of last week there.
func old(t testing.TB, dir string, many int, age time.Duration) {
	for i := range many {
		folder := filepath.Join(dir, root, fmt.Sprintf("10000000-0000-4000-8000-%012d", i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, "events.jsonl")
		if err := os.WriteFile(path, []byte(head("x")+start("call", "make", "")+gave("call", "<shellId: 0 completed with exit code 0>")), 0o600); err != nil {
			t.Fatal(err)
		}
		tracetest.Age(t, path, age)
		tracetest.Age(t, folder, age)
	}
}

// TestOldSessions: old sessions are not told of unless all are asked for (issue 9).
func TestOldSessions(t *testing.T) {
	h := stage(t)
	old(t, h.Dir, 1500, 10*24*time.Hour)
	tracetest.Recent(t, source(h), 1500)
}

// BenchmarkStart: until all of 500 sessions of the last day is told.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	old(b, dir, 500, 3*time.Hour)
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		tracetest.All(b, New(w, tracetest.NoProcs))
	}
}
