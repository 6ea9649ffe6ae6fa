package claude

import (
	"bytes"
	"strings"
	"time"
)

// maxOpenCalls bounds the calls that are remembered until their result; a
// parallel batch has a few dozen.
const maxOpenCalls = 4096

// maxEvents bounds what one transcript may leave in memory.
const maxEvents = 200_000

// toolCall is a tool_use block that can matter, until its result is seen. Most
// never do: the message is kept as it is and read when it is needed.
type toolCall struct {
	id, name string
	message  []byte
	at       time.Time
	cwd      string
}

// input is what the call was given.
func (c toolCall) input() []byte {
	var m message
	if !lenient(c.message, &m) {
		return nil
	}
	for _, b := range m.blocks() {
		if b.ID == c.id {
			return b.Input
		}
	}
	return nil
}

// headOfFile is how far the first records of a transcript may reach.
const headOfFile = 64 << 10

// calls are open tool calls by id.
type calls map[string]toolCall

// extract turns lines into events. One belongs to one transcript.
type extract struct {
	// id is the session's id (or the agent's), to know copied lines by.
	id    string
	agent bool

	events []event
	// wants are events whose call stands further up, by call id.
	wants map[string][]int
	open  calls
	dirty bool

	title, aiTitle, summary    latest[string]
	lastPrompt, name           latest[string]
	cwd, version, branch       latest[string]
	entrypoint, continued      latest[string]
	turn                       latest[turn]
	lastAt                     latest[time.Time]
	firstAt                    time.Time
	firstOff                   int64
	prompt                     string
	promptOff                  int64
	clearedAt                  time.Time
	recVersion                 string
	activity                   latest[string]
	activityAt                 latest[time.Time]
	stats                      agentStats
	ids                        map[string]bool
	idsOf                      int
	dropped                    int
	lines, badLines, otherSess int
}

// agentStats add up what a sub-agent used (spec 2 P1).
type agentStats struct {
	calls   int
	output  map[string]int64
	context latest[int64]
	failed  latest[bool]
	done    latest[bool]
	said    latest[string]
}

func newExtract(id string, agent bool) *extract {
	return &extract{id: id, agent: agent, wants: map[string][]int{}, open: calls{}}
}

// line takes one line at its offset; open are the calls of the stretch that is
// being read, in file order.
func (x *extract) line(line []byte, off int64, open calls) {
	x.lines++
	r, ok := parse(line)
	if !ok {
		if len(line) > 0 && (line[0] != '{' || line[len(line)-1] != '}') {
			x.badLines++
		}
		return
	}
	if small[r.typ] != "" {
		x.smallFact(r, off)
		return
	}
	x.facts(r, off)
	switch r.typ {
	case "assistant":
		x.assistant(r, off, open)
	case "user":
		x.user(r, off, open)
	case "system":
		x.system(r, off)
	case "attachment":
		x.attach(r, off)
	case "queue-operation":
		x.queue(r, off)
	}
}

func (x *extract) smallFact(r record, off int64) {
	v := r.text[small[r.typ]]
	if v == "" {
		return
	}
	x.dirty = true
	switch r.typ {
	case "custom-title":
		x.title.put(off, v)
	case "ai-title":
		x.aiTitle.put(off, v)
	case "summary":
		x.summary.put(off, v)
	case "last-prompt":
		x.lastPrompt.put(off, v)
	case "agent-name":
		x.name.put(off, v)
	case "continued-in":
		x.continued.put(off, v)
	}
}

func (x *extract) facts(r record, off int64) {
	put := func(l *latest[string], v string) {
		if v != "" {
			l.put(off, v)
		}
	}
	put(&x.cwd, r.cwd)
	put(&x.version, r.version)
	x.recVersion = r.version
	put(&x.branch, r.branch)
	put(&x.entrypoint, r.entrypoint)
	if r.at.IsZero() {
		return
	}
	x.dirty = true
	x.lastAt.put(off, r.at)
	if x.firstAt.IsZero() || off < x.firstOff {
		x.firstAt, x.firstOff = r.at, off
	}
}

// add keeps an event; foreign lines (a copy in a fork keeps the old session's
// id) were already left out by the caller.
func (x *extract) add(e event) int {
	if len(x.events) >= maxEvents {
		x.dropped++
		return -1
	}
	x.dirty = true
	x.events = append(x.events, e)
	return len(x.events) - 1
}

// foreign says that the line was copied from another session (a fork), whose
// own transcript has it too.
func (x *extract) foreign(r record) bool {
	if x.agent || r.session == "" || r.session == x.id {
		return false
	}
	x.otherSess++
	return true
}

// assistant remembers tool calls and fills those that a later stretch waits for.
func (x *extract) assistant(r record, off int64, open calls) {
	x.turn.put(off, turn{at: r.at, answered: endsTurn(r.message)})
	if x.agent {
		var m message
		if lenient(r.message, &m) {
			x.agentMessage(r, m, off)
		}
	}
	var kept []byte
	eachCall(r.message, func(id, name string) {
		if !tools[name] && !strings.HasPrefix(name, "mcp__") {
			return
		}
		if kept == nil {
			kept = bytes.Clone(r.message)
		}
		c := toolCall{id: id, name: name, message: kept, at: r.at, cwd: r.cwd}
		if want, ok := x.wants[id]; ok {
			for _, i := range want {
				x.fill(i, c)
			}
			delete(x.wants, id)
			return
		}
		if len(open) < maxOpenCalls {
			open[id] = c
		}
	})
}

// endsTurn looks for the stop reason without decoding a long message.
func endsTurn(m []byte) bool {
	return bytes.Contains(m, []byte(`"stop_reason":"end_turn"`))
}

// agentMessage counts what a sub-agent did.
func (x *extract) agentMessage(r record, m message, off int64) {
	s := &x.stats
	if u := m.Usage; u != nil {
		if s.output == nil {
			s.output = map[string]int64{}
		}
		// One message is written as several lines, each with the usage so far.
		if u.Output > s.output[m.ID] {
			s.output[m.ID] = u.Output
		}
		s.context.put(off, u.Input+u.CacheRead+u.CacheWrite)
	}
	s.failed.put(off, r.apiError)
	s.done.put(off, m.StopReason == "end_turn" || m.StopReason == "stop_sequence")
	for _, b := range m.blocks() {
		switch b.Type {
		case "tool_use":
			s.calls++
			x.activity.put(off, strings.TrimSpace(b.Name+" "+headline(b.Name, b.Input)))
			x.activityAt.put(off, r.at)
		case "text":
			if strings.TrimSpace(b.Text) != "" {
				s.said.put(off, b.Text)
			}
		}
	}
}

// user handles results of calls, notifications and what the person typed.
func (x *extract) user(r record, off int64, open calls) {
	if r.compact {
		return
	}
	if len(r.message) > 0 && bytes.Contains(r.message, []byte(`"tool_use_id"`)) {
		x.turn.put(off, turn{at: r.at})
		x.results(r, off, open)
		return
	}
	if r.meta {
		return
	}
	var m message
	if len(r.message) > 1<<20 || !lenient(r.message, &m) {
		return
	}
	text := firstText(m)
	switch {
	case isNotice(text, r.origin):
		x.turn.put(off, turn{at: r.at})
		x.notices(r, text, off, true)
	case strings.HasPrefix(text, "<command-name>/clear</command-name>"):
		if off < headOfFile {
			x.clearedAt = r.at
		}
	case strings.HasPrefix(text, "<bash-stdout>"):
		x.typed(r, text, off)
	case strings.HasPrefix(text, "<"), text == "":
	default:
		x.turn.put(off, turn{at: r.at})
		if x.prompt == "" || off < x.promptOff {
			x.prompt, x.promptOff = firstLine(text), off
		}
	}
}

func firstText(m message) string {
	for _, b := range m.blocks() {
		if b.Type == "text" {
			return b.Text
		}
	}
	return ""
}

// firstLine is the first line of a text that says something, at most 200 bytes.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

func (x *extract) system(r record, off int64) {
	switch r.subtype {
	case "turn_duration":
		x.turn.put(off, turn{at: r.at, over: true, agents: r.pendingAgents, workflow: r.pendingWorkflows})
	case "agents_killed":
		if !x.foreign(r) {
			x.add(event{off: off, at: r.at, kind: killedAgents})
		}
	}
}
