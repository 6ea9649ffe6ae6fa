package gemini

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// chat is one conversation with what was read of it.
type chat struct {
	rel   string
	item  trace.Item
	lines trace.Lines

	id, kind string
	started  time.Time
	prompt   string
	turn     bool
	turnAt   time.Time
	plan     task.Plan
	// calls are the background commands by the id of their call: a message is
	// written again with more in it.
	calls map[string]*launch
	order []*launch
	// killed are the pids that a command of the agent was sent to end.
	killed map[int]bool
}

// launch is a command that was moved to the background.
type launch struct {
	call, command, title string
	pid                  int
	at                   time.Time // when the process began, about
	// end is what the list of background processes said later.
	ended    bool
	endAt    time.Time
	code     *int
	signal   int
	lastSeen time.Time
}

// line is any line of a chat: the head, a patch, or a message.
type line struct {
	SessionID string `json:"sessionId"`
	StartTime string `json:"startTime"`
	Kind      string `json:"kind"`
	message
	Set struct {
		Messages []message `json:"messages"`
	} `json:"$set"`
}

type message struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []toolCall      `json:"toolCalls"`
}

type toolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args struct {
		Command     string  `json:"command"`
		Description string  `json:"description"`
		Background  bool    `json:"is_background"`
		DelayMs     float64 `json:"delay_ms"`
	} `json:"args"`
	Result    json.RawMessage `json:"result"`
	Status    string          `json:"status"`
	Timestamp string          `json:"timestamp"`
}

// output is the text that the call gave.
func (t toolCall) output() string {
	var parts []struct {
		FunctionResponse struct {
			Response struct {
				Output string `json:"output"`
			} `json:"response"`
		} `json:"functionResponse"`
	}
	if !trace.Decode(t.Result, &parts) || len(parts) == 0 {
		return ""
	}
	return parts[0].FunctionResponse.Response.Output
}

func newChat(rel string) *chat {
	return &chat{rel: rel, calls: map[string]*launch{}, killed: map[int]bool{}}
}

// read takes what was added, about most bytes of it.
func (c *chat) read(f *trace.Folder, most int64) {
	c.lines.Read(f, c.rel, most, func() {
		lines, item := c.lines, c.item
		*c = *newChat(c.rel)
		c.lines, c.item = lines, item
	}, func(b []byte, _ int64) { c.take(b) })
}

// wanted are the tools whose calls tell something.
var wanted = [][]byte{[]byte(`"run_shell_command"`), []byte(`"list_background_processes"`), []byte(`"write_todos"`)}

var (
	userLine  = []byte(`"type":"user"`)
	modelLine = []byte(`"type":"gemini"`)
	callsMark = []byte(`"toolCalls":[{`)
	noWords   = []byte(`"content":""`)
	patchLine = []byte(`{"$set":{"messages"`)
)

// plain takes whose turn it is from a line that tells nothing else; false where
// the line has to be read whole.
func (c *chat) plain(b []byte) bool {
	head := b[:min(len(b), 400)]
	switch {
	case c.id == "":
		return false
	case bytes.Contains(head, userLine):
		c.turn = true
		return c.prompt != "" || len(b) > 1<<20
	case bytes.Contains(head, modelLine):
		if !bytes.Contains(b, callsMark) {
			c.turn = bytes.Contains(head, noWords)
			return true
		}
		c.turn = true
		return !slices.ContainsFunc(wanted, func(w []byte) bool { return bytes.Contains(b, w) })
	}
	return !bytes.Contains(head, patchLine)
}

func (c *chat) take(b []byte) {
	var l line
	if c.plain(b) || !trace.Decode(b, &l) {
		return
	}
	if l.SessionID != "" && c.id == "" {
		c.id, c.kind, c.started = l.SessionID, l.Kind, trace.Stamp(l.StartTime)
	}
	for _, m := range l.Set.Messages {
		c.message(m)
	}
	if l.ID != "" {
		if c.message(l.message); c.prompt == "" && l.Type == "user" {
			c.prompt = trace.FirstLine(trace.Text(l.Content))
		}
	}
	if bytes.Contains(b, wanted[2]) {
		c.readPlan(b)
	}
}

func (c *chat) message(m message) {
	text := trace.Text(m.Content)
	switch m.Type {
	case "user":
		c.turn = true
	case "gemini":
		c.turn = len(m.ToolCalls) > 0 || text == ""
	case "error", "info":
		c.turn = false
	default:
		return
	}
	c.turnAt = trace.Stamp(m.Timestamp)
	for _, t := range m.ToolCalls {
		c.call(t)
	}
}

// Bounds of what one chat may hold of commands.
const maxLaunches = 20_000

var (
	movedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Command moved to background \(PID: (\d+)\)`) })
	listLine  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^- \\[PID (\\d+)\\] ([A-Z]+)(?:: `(?s:.*)`)?(.*)$") })
	codeText  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(Exit Code: (-?\d+)\)`) })
	endText   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(Signal: (\d+)\)`) })
	killText  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bp?kill\b`) })
	pidText   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })
)

func (c *chat) call(t toolCall) {
	switch t.Name {
	case "run_shell_command":
		c.shell(t)
	case "list_background_processes":
		for row := range strings.Lines(t.output()) {
			c.listed(strings.TrimRight(row, "\r\n"), trace.Stamp(t.Timestamp))
		}
	}
}

func (c *chat) shell(t toolCall) {
	if killText().MatchString(t.Args.Command) {
		for _, n := range pidText().FindAllString(t.Args.Command, 20) {
			if pid, err := strconv.Atoi(n); err == nil && len(c.killed) < maxLaunches {
				c.killed[pid] = true
			}
		}
	}
	m := movedText().FindStringSubmatch(t.output())
	if m == nil || c.calls[t.ID] != nil || len(c.order) >= maxLaunches {
		return
	}
	pid, err := strconv.Atoi(m[1])
	if err != nil || pid <= 1 {
		return
	}
	at := trace.Stamp(t.Timestamp)
	if d := t.Args.DelayMs; d > 0 && d < 3.6e6 {
		at = at.Add(-time.Duration(d) * time.Millisecond)
	}
	l := &launch{call: t.ID, command: t.Args.Command, title: t.Args.Description, pid: pid, at: at}
	c.calls[t.ID] = l
	c.order = append(c.order, l)
	delete(c.killed, pid) // what was ended before had the number before
}

// listed takes a line of the list: "- [PID 114] EXITED: `cmd` (Exit Code: 3)".
func (c *chat) listed(row string, at time.Time) {
	m := listLine().FindStringSubmatch(row)
	if m == nil || m[2] == "RUNNING" {
		return
	}
	pid, _ := strconv.Atoi(m[1]) // digits only
	l := c.last(pid)
	if l == nil || l.ended {
		return
	}
	l.ended, l.endAt = true, at
	if x := codeText().FindStringSubmatch(m[3]); x != nil {
		if n, err := strconv.Atoi(x[1]); err == nil {
			l.code = &n
		}
	}
	if x := endText().FindStringSubmatch(m[3]); x != nil {
		l.signal, _ = strconv.Atoi(x[1])
		l.code = nil // a signal wins over the code 0 that stands beside it
	}
}

// last is the newest launch with a pid.
func (c *chat) last(pid int) *launch {
	for i := len(c.order) - 1; i >= 0; i-- {
		if c.order[i].pid == pid {
			return c.order[i]
		}
	}
	return nil
}

// readPlan takes the last list that the agent wrote.
func (c *chat) readPlan(b []byte) {
	var l struct {
		ToolCalls []struct {
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"toolCalls"`
	}
	if !trace.Decode(b, &l) {
		return
	}
	for _, t := range l.ToolCalls {
		if t.Name == "write_todos" {
			if p := trace.Plan(t.Args); len(p.Entries) > 0 {
				c.plan = p
			}
		}
	}
}
