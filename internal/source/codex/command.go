package codex

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

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
// the number of its session.
func (r *rollout) codeAnswer(p payload) {
	for _, got := range scriptResults(p.Output) {
		if got.ended || got.number == "" || len(r.handed) >= maxCommands {
			continue
		}
		r.handed[got.number] = true
	}
}

// scriptResult is what a script of code mode was told of one command.
type scriptResult struct {
	number, output string
	ended          bool
}

// scriptResults are those in the output of a script: texts of JSON, where the
// script gave them on as they were.
func scriptResults(raw json.RawMessage) []scriptResult {
	var parts []struct {
		Text string `json:"text"`
	}
	if !trace.Decode(raw, &parts) {
		return nil
	}
	var out []scriptResult
	for _, part := range parts {
		var got struct {
			SessionID json.RawMessage `json:"session_id"`
			ExitCode  *int            `json:"exit_code"`
			Output    string          `json:"output"`
		}
		if !strings.HasPrefix(part.Text, "{") || !trace.Decode([]byte(part.Text), &got) {
			continue
		}
		number := strings.Trim(string(got.SessionID), `"`)
		if number == "null" {
			number = ""
		}
		out = append(out, scriptResult{number: number, output: got.Output, ended: got.ExitCode != nil})
	}
	return out
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
		r.prompt = trace.First(r.prompt, trace.FirstLine(trace.Text(it.Content)))
	case "AgentMessage":
		r.said = trace.First(trace.Clip(trace.Text(it.Content), 64<<10), r.said)
	case "CommandExecution":
		if it.ID == "" {
			return
		}
		r.end(it.ID, it.ProcessID, it.ExitCode, orTime(trace.Millis(p.CompletedMs), at))
		c := r.command(it.ID)
		c.cmd, c.cwd, c.status = trace.First(commandOf(it.Command), c.cmd), trace.First(folderOf(it.Cwd), c.cwd), it.Status
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
	c.number = trace.First(c.number, number)
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
