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

	title, aiTitle, summary latest[string]
	lastPrompt, name        latest[string]
	cwd, version, branch    latest[string]
	entrypoint, continued   latest[string]
	turn                    latest[turn]
	lastAt                  latest[time.Time]
	firstAt                 time.Time
	firstOff                int64
	prompt                  string
	promptOff               int64
	clearedAt               time.Time
	recVersion              string
	activity                latest[string]
	activityAt              latest[time.Time]
	stats                   agentStats
	// toldOf are the tasks of whose end the present turn was told at its start, in
	// the stretch that is being read; nil where a person began it, or it has spoken.
	toldOf                     []string
	ids                        map[string]bool
	idsOf                      int
	dropped                    int
	lines, badLines, otherSess int
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
	if x.toldOf != nil {
		x.reply(r, off)
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

var stopReason, endTurn = []byte(`"stop_reason":`), []byte(`"stop_reason":"end_turn"`)

// endsTurn looks for the stop reason, which stands behind the content, without
// decoding a long message.
func endsTurn(m []byte) bool {
	for _, tail := range []int{1 << 10, 8 << 10} { // mostly it is near the end
		part := m[max(0, len(m)-tail):]
		if bytes.Contains(part, stopReason) {
			return bytes.Contains(part, endTurn)
		}
	}
	return false
}
