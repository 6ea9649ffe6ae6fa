package qwen

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// talk is what a transcript tells beside its steps.
type talk struct {
	lines trace.Lines

	cwd, branch, version string
	prompt, said         string
	first, last          time.Time
	turn                 bool
	calls                int
	activity             string
	activityAt           time.Time
	input, output        int64
	plan                 task.Plan
	// told are the tasks of whose end the agent was told.
	told map[string]bool
}

// message is a line of a transcript, as far as it is used.
type message struct {
	Type       string `json:"type"` // user, assistant, tool_result, system
	Subtype    string `json:"subtype"`
	Provenance string `json:"provenance"`
	Timestamp  string `json:"timestamp"`
	Cwd        string `json:"cwd"`
	Version    string `json:"version"`
	GitBranch  string `json:"gitBranch"`
	Message    struct {
		Parts []part `json:"parts"`
	} `json:"message"`
	Usage struct {
		Prompt     int64 `json:"promptTokenCount"`
		Candidates int64 `json:"candidatesTokenCount"`
	} `json:"usageMetadata"`
	Result struct {
		Status  string          `json:"status"`
		Display json.RawMessage `json:"resultDisplay"`
	} `json:"toolCallResult"`
}

type part struct {
	Text    string `json:"text"`
	Thought bool   `json:"thought"`
	Call    *struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		Name     string `json:"name"`
		Response struct {
			Output json.RawMessage `json:"output"`
			Error  json.RawMessage `json:"error"`
		} `json:"response"`
	} `json:"functionResponse"`
}

// read takes what was added, about most bytes of it.
func (t *talk) read(f *trace.Folder, rel string, most int64) {
	t.lines.Read(f, rel, most, func() { *t = talk{lines: t.lines} }, func(line []byte, _ int64) { t.take(line) })
}

var systemLine = []byte(`"type":"system"`)

func (t *talk) take(line []byte) {
	if bytes.Contains(line[:min(len(line), 512)], systemLine) {
		return
	}
	var m message
	if !trace.Decode(line, &m) {
		return
	}
	at := trace.Stamp(m.Timestamp)
	if t.first.IsZero() {
		t.first = at
	}
	t.last = at
	t.cwd, t.branch, t.version = firstOf(m.Cwd, t.cwd), firstOf(m.GitBranch, t.branch), firstOf(m.Version, t.version)
	switch m.Type {
	case "user":
		t.user(m)
	case "tool_result":
		t.turn = true
	case "assistant":
		t.assistant(m, at)
	}
}

func (t *talk) user(m message) {
	t.turn = true
	for _, p := range m.Message.Parts {
		if id := tag(p.Text, "task-id"); id != "" && strings.Contains(p.Text, "<task-notification>") {
			if t.told == nil {
				t.told = map[string]bool{}
			}
			if len(t.told) < 10_000 {
				t.told[id] = true
			}
			continue
		}
		if t.prompt == "" && m.Subtype == "" {
			t.prompt = trace.FirstLine(p.Text)
		}
	}
}

func (t *talk) assistant(m message, at time.Time) {
	t.turn = false
	for _, p := range m.Message.Parts {
		switch {
		case p.Call != nil:
			t.turn = true
			t.calls++
			t.activity, t.activityAt = trace.Clip(trace.Clean(p.Call.Name+" "+trace.Headline(p.Call.Args)), 300), at
			if p.Call.Name == "todo_write" {
				if list := trace.Plan(p.Call.Args); len(list.Entries) > 0 {
					t.plan = list
				}
			}
		case p.Text != "" && !p.Thought:
			t.said = trace.Clip(p.Text, 64<<10)
		}
	}
	if len(m.Message.Parts) == 0 {
		t.turn = true // the words of a step that goes on
	}
	t.output += m.Usage.Candidates
	if m.Usage.Prompt > 0 {
		t.input = m.Usage.Prompt
	}
}

// tag is the text between <name> and </name>.
func tag(text, name string) string {
	_, rest, ok := strings.Cut(text, "<"+name+">")
	if !ok {
		return ""
	}
	inner, _, ok := strings.Cut(rest, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(inner)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}

// Steps reads a sub-agent's transcript as steps (spec 2 O4). It implements
// task.Decoder.
type Steps struct{}

// Decode makes the rows of one record; none for what is no step.
func (Steps) Decode(line []byte, at int64) []task.Line {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var r trace.Rows
	var m message
	if !trace.Decode(line, &m) || m.Type == "" {
		r.Note("A record that cannot be read")
		return r.Lines(at, len(line))
	}
	if r.At = trace.Stamp(m.Timestamp); m.Type == "system" {
		return nil
	}
	r.Tokens = m.Usage.Candidates
	for _, p := range m.Message.Parts {
		switch {
		case p.Call != nil:
			r.Call(p.Call.Name, p.Call.Args)
		case p.Response != nil:
			failed := len(p.Response.Response.Error) > 0
			text := trace.Text(p.Response.Response.Output)
			if failed {
				text = firstOf(trace.Text(p.Response.Response.Error), text)
			}
			r.Result(text, failed)
		case p.Thought:
		case m.Type == "assistant":
			r.Say(p.Text)
		case strings.Contains(p.Text, "<task-notification>"):
			r.Note("◇ " + trace.FirstLine(tag(p.Text, "summary")))
		default:
			r.Told(p.Text)
		}
	}
	return r.Lines(at, len(line))
}
