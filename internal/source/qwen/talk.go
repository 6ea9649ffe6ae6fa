package qwen

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
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
	// launches are the background commands by their id, ends what the agent was
	// told of their ends: all that versions without a record of them leave.
	launches map[string]launch
	ends     map[string]ending
	// commands are those of calls that were not answered yet.
	commands map[string]launch
}

// launch is what a transcript tells of a start.
type launch struct {
	command, title string
	pid            int
	at             time.Time
}

// ending is what a transcript tells of an end.
type ending struct {
	status string
	code   *int
	at     time.Time
}

// maxKnown bounds what is remembered of one transcript.
const maxKnown = 20_000

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
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		ID       string `json:"id"`
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

var (
	systemLine = []byte(`"type":"system"`)
	resultLine = []byte(`"type":"tool_result"`)
	startMark  = []byte("Background shell started.")
)

func (t *talk) take(line []byte) {
	head := line[:min(len(line), 512)]
	switch {
	case bytes.Contains(head, systemLine):
		return
	case bytes.Contains(head, resultLine) && !t.first.IsZero() && !bytes.Contains(line, startMark):
		t.turn = true // what a tool gave is long and tells nothing else
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
	t.cwd, t.branch, t.version = trace.First(m.Cwd, t.cwd), trace.First(m.GitBranch, t.branch), trace.First(m.Version, t.version)
	switch m.Type {
	case "user":
		t.user(m, at)
	case "tool_result":
		t.turn = true
		t.answers(m, at)
	case "assistant":
		t.assistant(m, at)
	}
}

func (t *talk) user(m message, at time.Time) {
	t.turn = true
	for _, p := range m.Message.Parts {
		if id := tag(p.Text, "task-id"); id != "" && strings.Contains(p.Text, "<task-notification>") {
			t.told(id, p.Text, at)
			continue
		}
		if t.prompt == "" && m.Subtype == "" {
			t.prompt = trace.FirstLine(p.Text)
		}
	}
}

// told is a notification of an end.
func (t *talk) told(id, text string, at time.Time) {
	if t.ends == nil {
		t.ends = map[string]ending{}
	}
	if len(t.ends) >= maxKnown {
		return
	}
	e := ending{status: tag(text, "status"), at: at}
	if n, err := strconv.Atoi(tag(text, "exit-code")); err == nil {
		e.code = &n
	}
	t.ends[id] = e
}

// calling remembers a command until its call is answered.
func (t *talk) calling(id string, args json.RawMessage, at time.Time) {
	var in struct {
		Command     string `json:"command"`
		Description string `json:"description"`
		Background  bool   `json:"is_background"`
	}
	if !trace.Decode(args, &in) || !in.Background {
		return
	}
	if t.commands == nil || len(t.commands) > 1000 {
		t.commands = map[string]launch{}
	}
	t.commands[id] = launch{command: in.Command, title: in.Description, at: at}
}

var startText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^Background shell started\.\nid: (\S+)\npid: (\d+)$`)
})

// answers takes the starts of background commands.
func (t *talk) answers(m message, at time.Time) {
	for _, p := range m.Message.Parts {
		if p.Response == nil {
			continue
		}
		found := startText().FindStringSubmatch(trace.Text(p.Response.Response.Output))
		l := t.commands[p.Response.ID]
		delete(t.commands, p.Response.ID)
		if found == nil || len(t.launches) >= maxKnown {
			continue
		}
		if t.launches == nil {
			t.launches = map[string]launch{}
		}
		l.pid, _ = strconv.Atoi(found[2]) // digits only
		l.at = at
		t.launches[found[1]] = l
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
			switch p.Call.Name {
			case "run_shell_command":
				t.calling(p.Call.ID, p.Call.Args, at)
			case "todo_write":
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
				text = trace.First(trace.Text(p.Response.Response.Error), text)
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
