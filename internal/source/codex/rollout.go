package codex

import (
	"bytes"
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

func newRollout(rel string) *rollout {
	return &rollout{rel: rel, thread: threadOf(rel), commands: map[string]*command{}, asked: map[string]string{}, handed: map[string]bool{}}
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
		r.turn, r.turnAt, r.said = false, at, trace.First(p.LastMessage, r.said)
		r.turns++
	case "turn_aborted":
		r.turn, r.turnAt, r.aborted = false, at, true
	case "user_message":
		r.prompt = trace.First(r.prompt, trace.FirstLine(p.Message))
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
	r.id, r.root, r.cwd, r.version, r.branch, r.originator = p.ID, trace.First(p.SessionID, p.ID), p.Cwd, p.Version, p.Git.Branch, p.Originator
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
		r.parent, r.nickname = src.Subagent.Spawn.Parent, trace.First(src.Subagent.Spawn.Nickname, src.Subagent.Spawn.Role)
	}
}
