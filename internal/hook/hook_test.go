package hook

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// desk notes what a hook tells it.
type desk struct {
	news     []task.Record
	told     []string
	stalls   []string
	stopped  map[string]time.Time
	launched []task.Task
	gone     []string
	turned   int
	follows  []string
	list     string
}

func (d *desk) TakeNews(owners ...string) (out []task.Record) {
	for _, r := range d.news {
		for _, o := range owners {
			if r.Owner == o {
				out = append(out, r)
			}
		}
	}
	d.news = nil
	return out
}
func (d *desk) Told(r task.Record, to task.DeliveryState, _ string) {
	d.told = append(d.told, r.ID+" "+string(to))
}
func (d *desk) TakeStalls(...string) []string               { s := d.stalls; d.stalls = nil; return s }
func (d *desk) StoppedByPerson(id string) (time.Time, bool) { at, ok := d.stopped[id]; return at, ok }
func (d *desk) Launched(t task.Task)                        { d.launched = append(d.launched, t) }
func (d *desk) Gone(session string)                         { d.gone = append(d.gone, session) }
func (d *desk) Turned(string)                               { d.turned++ }
func (d *desk) Follows(session string)                      { d.follows = append(d.follows, session) }
func (d *desk) List(string) string                          { return d.list }
func (d *desk) Mask(text string) string                     { return strings.ReplaceAll(text, "hunter2", "[redacted]") }

// run gives what a hook prints, taken apart.
func run(t *testing.T, d *desk, event string, o Options) answer {
	t.Helper()
	out, err := Run(d, []byte(event), o)
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	if len(out) > 0 {
		if err := json.Unmarshal(out, &a); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return a
}

func ended(id string) task.Record {
	code := 1
	return task.Record{ID: "own:" + id, Run: 1, Kind: task.Shell, Title: "npm test", Owner: "claude:s", Status: task.Failed, ExitCode: &code}
}

func promptEvent(text string) string {
	b, _ := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": text})
	return string(b)
}

const stoppedNotice = "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>Background command &quot;Dev server&quot; failed with exit code 143</summary>\n</task-notification>"

// H2: that a stop was on purpose is said in the very request that tells of the
// end; silent starts no turn; a person's own text about a task is no end.
func TestStoppedOnPurpose(t *testing.T) {
	d := &desk{stopped: map[string]time.Time{"claude:b1": time.Now()}}
	a := run(t, d, promptEvent(stoppedNotice), Options{})
	if a.Specific == nil || a.Specific.Event != "UserPromptSubmit" || !strings.Contains(a.Specific.Context, "stopped background task b1") || !strings.Contains(a.Specific.Context, "on purpose") || a.Decision != "" {
		t.Errorf("%+v", a)
	}
	if a := run(t, d, promptEvent(stoppedNotice), Options{Silent: true}); a.Decision != "block" || a.Specific != nil {
		t.Errorf("silent: %+v", a)
	}
	other := strings.ReplaceAll(stoppedNotice, "b1", "b2")
	if a := run(t, d, promptEvent(stoppedNotice+"\n"+other), Options{Silent: true}); a.Decision != "" || a.Specific == nil {
		t.Errorf("an end that nobody brought about starts a turn: %+v", a)
	}
	for _, text := range []string{other, "what is " + stoppedNotice, "b1", "", "<task-notification>\n<task-id>b1"} {
		if a := run(t, d, promptEvent(text), Options{Silent: true}); a.Decision != "" || a.Specific != nil {
			t.Errorf("%q: %+v", text, a)
		}
	}
	under := strings.ReplaceAll(strings.ReplaceAll(stoppedNotice, "task-notification", "task_notification"), "task-id", "task_id")
	if a := run(t, d, promptEvent(under), Options{}); a.Specific == nil {
		t.Error("the spelling with underlines is not read")
	}
	d.news = []task.Record{ended("t-00000001")}
	if a := run(t, d, promptEvent(stoppedNotice), Options{Silent: true}); a.Decision != "" || !strings.Contains(a.Specific.Context, "t-00000001") {
		t.Errorf("news is worth a turn: %+v", a)
	}
}

// H2, H3: ends of our own tasks are told once, at the next prompt or call, and
// that is noted; a sub-agent is not told.
func TestNewsOnce(t *testing.T) {
	for _, event := range []string{promptEvent("go on"), `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Read", "tool_input": {}, "tool_response": {}}`} {
		d := &desk{news: []task.Record{ended("t-00000001")}}
		a := run(t, d, event, Options{})
		if a.Specific == nil || !strings.Contains(a.Specific.Context, "Background task t-00000001 (npm test) failed, exit code 1 — offstage logs t-00000001") {
			t.Errorf("%+v", a)
		}
		if fmt.Sprint(d.told) != "[own:t-00000001 delivered]" {
			t.Errorf("noted %v", d.told)
		}
		if a := run(t, d, event, Options{}); a.Specific != nil {
			t.Errorf("told twice: %+v", a)
		}
	}
	d := &desk{news: []task.Record{ended("t-00000001")}}
	if a := run(t, d, `{"hook_event_name": "PostToolUse", "session_id": "s", "agent_id": "a1", "tool_name": "Read"}`, Options{}); a.Specific != nil || len(d.news) != 1 {
		t.Errorf("a sub-agent was told: %+v", a)
	}
	d = &desk{news: []task.Record{{ID: "own:t-00000002", Owner: "claude:s", Title: "use hunter2", Status: task.Succeeded}}}
	if a := run(t, d, promptEvent("x"), Options{}); strings.Contains(a.Specific.Context, "hunter2") {
		t.Errorf("a secret was told: %+v", a)
	}
}

// T8: after a compaction the list is put before the agent; a new session in the
// same window takes over; the end of one is noted, but for /clear and resume.
func TestSessions(t *testing.T) {
	d := &desk{list: "Your task list, …"}
	if a := run(t, d, `{"hook_event_name": "SessionStart", "session_id": "s", "source": "compact"}`, Options{}); a.Specific == nil || a.Specific.Context != d.list || a.Specific.Event != "SessionStart" {
		t.Errorf("%+v", a)
	}
	if a := run(t, d, `{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}`, Options{}); a.Specific != nil {
		t.Errorf("%+v", a)
	}
	run(t, d, `{"hook_event_name": "SessionStart", "session_id": "s2", "source": "clear"}`, Options{})
	for _, reason := range []string{"clear", "resume", "prompt_input_exit"} {
		run(t, d, `{"hook_event_name": "SessionEnd", "session_id": "s", "reason": "`+reason+`"}`, Options{})
	}
	if fmt.Sprint(d.follows, d.gone) != "[claude:s2] [claude:s]" {
		t.Errorf("follows %v, gone %v", d.follows, d.gone)
	}
}

// H1: the recorded events of real clients name their launches and live tasks.
func TestRecordedEvents(t *testing.T) {
	b, err := os.ReadFile("testdata/events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{}
	for line := range strings.Lines(string(b)) {
		if a := run(t, d, line, Options{}); a.Specific != nil || a.Decision != "" {
			t.Errorf("%s: %+v", line, a)
		}
	}
	var got []string
	for _, x := range d.launched {
		got = append(got, fmt.Sprintf("%s %s %q", x.ID, x.Kind, x.Title))
	}
	want := []string{`claude:bh2q26sh3 shell "Count slowly"`, `claude:bh2q26sh3 shell "Count slowly"`, `claude:a8b615d372a96c487 agent "Explore the code"`,
		`claude:a8b615d372a96c487 agent "Explore the code"`, `claude:br084oxtg monitor "Watch deploy"`, `claude:wyyucn5ll workflow ""`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if d.turned != 1 {
		t.Errorf("turns: %d", d.turned)
	}
}

// Bad input is one sentence and no answer; nothing panics.
func TestBadEvents(t *testing.T) {
	for _, raw := range []string{"", "{", "[]", "null", `"x"`, `{}`, `{"hook_event_name": 3}`, strings.Repeat("[", 10000)} {
		if out, err := Run(&desk{}, []byte(raw), Options{}); err == nil || out != nil {
			t.Errorf("%.20q: %q %v", raw, out, err)
		}
	}
	for _, raw := range []string{
		`{"hook_event_name": "Later"}`, `{"hook_event_name": "PostToolUse", "tool_response": "text", "tool_input": 3}`,
		`{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_response": {"backgroundTaskId": "../../etc"}}`,
		`{"hook_event_name": "Stop", "background_tasks": [{"id": "", "type": "shell", "status": "running"}, {"id": "x", "type": "later", "status": "running"}]}`,
	} {
		d := &desk{}
		if out, err := Run(d, []byte(raw), Options{}); err != nil || out != nil || len(d.launched) != 0 {
			t.Errorf("%s: %q %v %v", raw, out, err, d.launched)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(promptEvent(stoppedNotice)))
	f.Add([]byte(`{"hook_event_name": "Stop", "background_tasks": [{"id": "b", "type": "shell", "status": "running"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := Run(&desk{stopped: map[string]time.Time{"claude:b1": {}}}, b, Options{})
		if err == nil && len(out) > 0 && !json.Valid(out) {
			t.Fatalf("%q", out)
		}
	})
}
