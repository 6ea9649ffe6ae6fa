package codex

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// rollout is one thread with what was read of it.
type rollout struct {
	rel string
	// thread is its id by the name of the file.
	thread string
	item   trace.Item
	lines  trace.Lines

	id, root, cwd, version, branch, originator string
	// parent is the thread that this one works for; "" for a person's own.
	parent, nickname string
	started          time.Time
	prompt           string
	turn             bool
	turnAt           time.Time
	turns            int
	aborted          bool
	said             string
	input, output    int64
	calls            int
	activity         string
	activityAt       time.Time
	plan             task.Plan
	commands         map[string]*command // by the id of the item
	order            []*command
	// asked are calls that feed a command that is known by its number, and the
	// number; handed are the numbers that code mode was given.
	asked  map[string]string
	handed map[string]bool
	// script is when the last script of code mode began.
	script time.Time
}

// command is one command, in the background or not.
type command struct {
	id, cmd, cwd string
	// called: there is a call of its own with this id (not so in code mode).
	called bool
	// number is the agent's number of it, a session id: random, no pid.
	number   string
	handed   bool // it was moved to the background
	at       time.Time
	ended    bool
	endAt    time.Time
	code     *int
	status   string
	feeds    []string // ids of the calls whose output belongs to it
	lastSeen time.Time
}

func newRollout(rel string) *rollout {
	return &rollout{rel: rel, thread: threadOf(rel), commands: map[string]*command{}, asked: map[string]string{}, handed: map[string]bool{}}
}

// record is a line, as far as it is used.
type record struct {
	Timestamp string  `json:"timestamp"`
	Type      string  `json:"type"`
	Payload   payload `json:"payload"`
}

type payload struct {
	Type string `json:"type"`
	// session_meta
	ID         string          `json:"id"`
	SessionID  string          `json:"session_id"`
	Cwd        string          `json:"cwd"`
	Originator string          `json:"originator"`
	Version    string          `json:"cli_version"`
	Source     json.RawMessage `json:"source"`
	Git        struct {
		Branch string `json:"branch"`
	} `json:"git"`
	// function_call, custom_tool_call and their outputs
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	CallID    string          `json:"call_id"`
	Output    json.RawMessage `json:"output"`
	// message
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	// events
	Message     string  `json:"message"`
	LastMessage string  `json:"last_agent_message"`
	Item        item    `json:"item"`
	StartedMs   float64 `json:"started_at_ms"`
	CompletedMs float64 `json:"completed_at_ms"`
	ExitCode    *int    `json:"exit_code"` // exec_command_end of ≈0.118
	ProcessID   string  `json:"process_id"`
	Info        struct {
		Total struct {
			Input  int64 `json:"input_tokens"`
			Output int64 `json:"output_tokens"`
		} `json:"total_token_usage"`
		Last struct {
			Input int64 `json:"input_tokens"`
		} `json:"last_token_usage"`
	} `json:"info"`
}

type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	ProcessID string          `json:"process_id"`
	Command   []string        `json:"command"`
	Cwd       string          `json:"cwd"` // file:///srv/app
	Status    string          `json:"status"`
	Output    string          `json:"aggregated_output"`
	ExitCode  *int            `json:"exit_code"`
	Content   json.RawMessage `json:"content"`
	Duration  struct {
		Secs  float64 `json:"secs"`
		Nanos float64 `json:"nanos"`
	} `json:"duration"`
}

// read takes what was added, about most bytes of it.
func (r *rollout) read(f *trace.Folder, most int64) {
	r.lines.Read(f, r.rel, most, func() {
		lines, it := r.lines, r.item
		*r = *newRollout(r.rel)
		r.lines, r.item = lines, it
	}, func(b []byte, _ int64) { r.take(b) })
}

// told are the words in the head of a line that is worth decoding.
var told = [][]byte{
	[]byte(`"session_meta"`), []byte(`"function_call`), []byte(`"custom_tool_call`), []byte(`"item_completed"`), []byte(`"task_started"`),
	[]byte(`"task_complete"`), []byte(`"turn_aborted"`), []byte(`"exec_command_end"`), []byte(`"user_message"`), []byte(`"token_count"`),
	[]byte(`"turn_started"`), []byte(`"turn_complete"`),
}

var (
	answerLine = []byte(`"function_call_output"`)
	scriptLine = []byte(`"custom_tool_call_output"`)
	runsMark   = []byte("Process running with session ID")
	exitMark   = []byte("Process exited with code")
	numberMark = []byte("session_id")
)

// idle says that a line is what a tool gave and tells nothing beside it: most of
// a long rollout is that.
func (r *rollout) idle(b, head []byte) bool {
	switch {
	case bytes.Contains(head, answerLine):
		start := b[:min(len(b), 2048)]
		return !bytes.Contains(start, runsMark) && (len(r.asked) == 0 || !bytes.Contains(start, exitMark))
	case bytes.Contains(head, scriptLine):
		return !bytes.Contains(b, numberMark)
	}
	return false
}

func (r *rollout) take(b []byte) {
	head := b[:min(len(b), 400)]
	if r.idle(b, head) {
		return
	}
	for _, w := range told {
		if !bytes.Contains(head, w) {
			continue
		}
		var x record
		if trace.Decode(b, &x) {
			r.record(x)
		}
		return
	}
}

func (r *rollout) record(x record) {
	at, p := trace.Stamp(x.Timestamp), x.Payload
	if x.Type == "session_meta" {
		r.meta(p, at)
		return
	}
	switch p.Type {
	case "task_started", "turn_started":
		r.turn, r.turnAt, r.aborted = true, at, false
	case "task_complete", "turn_complete":
		r.turn, r.turnAt, r.said = false, at, firstOf(p.LastMessage, r.said)
		r.turns++
	case "turn_aborted":
		r.turn, r.turnAt, r.aborted = false, at, true
	case "user_message":
		r.prompt = firstOf(r.prompt, trace.FirstLine(p.Message))
	case "token_count":
		if p.Info.Total.Output > 0 {
			r.output, r.input = p.Info.Total.Output, p.Info.Last.Input
		}
	case "function_call":
		r.call(p, at)
	case "custom_tool_call":
		r.calls++
		r.script, r.activity, r.activityAt = at, trace.Clip(trace.Clean(p.Name+" "+trace.FirstLine(p.Input)), 300), at
	case "function_call_output":
		r.answer(p, at)
	case "custom_tool_call_output":
		r.codeAnswer(p)
	case "item_completed":
		r.finished(p, at)
	case "exec_command_end":
		r.end(p.CallID, p.ProcessID, p.ExitCode, at)
	}
}

// meta is the head of a rollout. A resumed one has the same again.
func (r *rollout) meta(p payload, at time.Time) {
	if r.id != "" {
		return // a copy of a parent's history may follow
	}
	r.id, r.root, r.cwd, r.version, r.branch, r.originator = p.ID, firstOf(p.SessionID, p.ID), p.Cwd, p.Version, p.Git.Branch, p.Originator
	r.started = at
	var src struct {
		Subagent struct {
			Spawn struct {
				Parent   string `json:"parent_thread_id"`
				Nickname string `json:"agent_nickname"`
				Role     string `json:"agent_role"`
			} `json:"thread_spawn"`
		} `json:"subagent"`
	}
	if trace.Decode(p.Source, &src) {
		r.parent, r.nickname = src.Subagent.Spawn.Parent, firstOf(src.Subagent.Spawn.Nickname, src.Subagent.Spawn.Role)
	}
}

// maxCommands bounds the commands of one thread.
const maxCommands = 50_000

// command is that with an id, made where it is not known yet.
func (r *rollout) command(id string) *command {
	c := r.commands[id]
	if c == nil {
		c = &command{id: id}
		if len(r.commands) >= maxCommands {
			return c // judged by nobody
		}
		r.commands[id] = c
		r.order = append(r.order, c)
	}
	return c
}

// call is a call of a tool in the older form.
func (r *rollout) call(p payload, at time.Time) {
	r.calls++
	r.activity, r.activityAt = trace.Clip(trace.Clean(p.Name+" "+trace.Headline(json.RawMessage(p.Arguments))), 300), at
	var in struct {
		Cmd       string          `json:"cmd"`
		Workdir   string          `json:"workdir"`
		SessionID json.RawMessage `json:"session_id"`
	}
	switch p.Name {
	case "exec_command":
		if trace.Decode([]byte(p.Arguments), &in) {
			c := r.command(p.CallID)
			c.called, c.cmd, c.cwd, c.at = true, in.Cmd, in.Workdir, at
			c.feeds = append(c.feeds, p.CallID)
		}
	case "write_stdin":
		if trace.Decode([]byte(p.Arguments), &in) && len(r.asked) < maxCommands {
			number := strings.Trim(string(in.SessionID), `"`)
			r.asked[p.CallID] = number
			if c := r.numbered(number); c != nil && len(c.feeds) < 1000 {
				c.feeds = append(c.feeds, p.CallID)
			}
		}
	case "update_plan":
		if plan := trace.Plan(json.RawMessage(p.Arguments)); len(plan.Entries) > 0 {
			r.plan = plan
		}
	}
}

var (
	runsText = regexp.MustCompile(`(?m)^Process running with session ID (\d+)$`)
	exitText = regexp.MustCompile(`(?m)^Process exited with code (-?\d+)$`)
)

// preamble is what stands before the command's own text, where it could lie.
func preamble(text string) string {
	head, _, _ := strings.Cut(text[:min(len(text), 4096)], "\nOutput:\n")
	return head
}

// answer is what such a call gave.
func (r *rollout) answer(p payload, at time.Time) {
	head := preamble(trace.Text(p.Output))
	if c := r.commands[p.CallID]; c != nil {
		if m := runsText.FindStringSubmatch(head); m != nil {
			c.number, c.handed = m[1], true
		}
		return
	}
	number, ok := r.asked[p.CallID]
	if !ok {
		return
	}
	delete(r.asked, p.CallID)
	// Versions without a record of the end tell it here only.
	if m := exitText.FindStringSubmatch(head); m != nil {
		if c := r.numbered(number); c != nil && !c.ended {
			if code, err := strconv.Atoi(m[1]); err == nil {
				r.end(c.id, number, &code, at)
			}
		}
	}
}

// codeAnswer is what a script gave: a command that it did not wait for shows as
// the number of its session in a text of JSON.
func (r *rollout) codeAnswer(p payload) {
	var parts []struct {
		Text string `json:"text"`
	}
	if !trace.Decode(p.Output, &parts) {
		return
	}
	for _, part := range parts {
		var got struct {
			SessionID json.RawMessage `json:"session_id"`
			ExitCode  *int            `json:"exit_code"`
		}
		if !strings.HasPrefix(part.Text, "{") || !trace.Decode([]byte(part.Text), &got) || got.ExitCode != nil {
			continue
		}
		if number := strings.Trim(string(got.SessionID), `"`); number != "" && number != "null" && len(r.handed) < maxCommands {
			r.handed[number] = true
		}
	}
}

// numbered is the newest command with a number.
func (r *rollout) numbered(number string) *command {
	for i := len(r.order) - 1; i >= 0; i-- {
		if r.order[i].number == number && number != "" {
			return r.order[i]
		}
	}
	return nil
}

// finished takes a finished item of a turn.
func (r *rollout) finished(p payload, at time.Time) {
	it := p.Item
	switch it.Type {
	case "UserMessage":
		r.prompt = firstOf(r.prompt, trace.FirstLine(trace.Text(it.Content)))
	case "AgentMessage":
		r.said = firstOf(trace.Clip(trace.Text(it.Content), 64<<10), r.said)
	case "CommandExecution":
		if it.ID == "" {
			return
		}
		r.end(it.ID, it.ProcessID, it.ExitCode, orTime(trace.Millis(p.CompletedMs), at))
		c := r.command(it.ID)
		c.cmd, c.cwd, c.status = firstOf(commandOf(it.Command), c.cmd), firstOf(folderOf(it.Cwd), c.cwd), it.Status
		if began := trace.Millis(p.StartedMs); !began.IsZero() {
			c.at = began
		}
		if c.at.IsZero() && !c.endAt.IsZero() {
			c.at = c.endAt.Add(-time.Duration(it.Duration.Secs * float64(time.Second)))
		}
	}
}

// end notes that a command ended.
func (r *rollout) end(id, number string, code *int, at time.Time) {
	c := r.command(id)
	c.ended, c.endAt, c.code = true, at, code
	c.number = firstOf(c.number, number)
}

func orTime(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// commandOf is the script of a shell's words: /bin/bash -lc CMD.
func commandOf(words []string) string {
	if len(words) >= 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return strings.Join(words[2:], " ")
	}
	return strings.Join(words, " ")
}

// folderOf is the path of a file URL, or the text itself.
func folderOf(text string) string {
	if u, err := url.Parse(text); err == nil && u.Scheme == "file" {
		return u.Path
	}
	return text
}
