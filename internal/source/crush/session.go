package crush

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// session is one conversation with what was read of it.
type session struct {
	id, parent, title string
	created, written  time.Time
	turn              bool
	turnAt            time.Time
	plan              task.Plan
	calls             map[string]*shell // by the id of the call
	order             []*shell          // in the background
	current           map[string]*shell // by Crush's number of the shell, which it uses again
	asked             map[string]string // the number that a call asks about
	// pending are commands that are waited for.
	pending []*shell
}

// shell is one command.
type shell struct {
	call, command, title, cwd string
	number                    string // "001"
	at                        time.Time
	handed                    bool
	ended, stopped            bool
	endAt                     time.Time
	code                      *int
	lastSeen                  time.Time
}

func newSession(id string) *session {
	return &session{id: id, calls: map[string]*shell{}, current: map[string]*shell{}, asked: map[string]string{}}
}

func (x *session) newer(t time.Time) {
	if t.After(x.written) {
		x.written = t
	}
}

// running: nothing tells of the end of some command.
func (x *session) running() bool {
	for _, k := range x.order {
		if !k.ended {
			return true
		}
	}
	return false
}

// state is what the last message says of the turn.
func (x *session) state(turn bool, at time.Time) {
	x.newer(at)
	if !turn {
		x.pending = nil // a turn that was broken off leaves its calls without an answer
	}
	if turn != x.turn || x.turnAt.IsZero() {
		x.turn, x.turnAt = turn, at
	}
}

// take reads the commands out of one message.
func (x *session) take(role, parts string, when time.Time) {
	x.newer(when)
	if parts == "" || role != "assistant" && role != "tool" {
		return
	}
	var list []part
	if !trace.Decode([]byte(parts), &list) || len(x.calls) >= maxKnown {
		return
	}
	for _, p := range list {
		switch p.Type {
		case "tool_call":
			x.called(p, when)
		case "tool_result":
			x.answered(p, when)
		}
	}
}

func (x *session) called(p part, when time.Time) {
	var in struct {
		Command     string `json:"command"`
		Description string `json:"description"`
		WorkingDir  string `json:"working_dir"`
		ShellID     string `json:"shell_id"`
	}
	if p.Data.ID == "" || !inner(p.Data.Input, &in) {
		return
	}
	switch p.Data.Name {
	case "bash":
		k := x.calls[p.Data.ID]
		if k == nil {
			k = &shell{call: p.Data.ID, at: when}
			x.calls[p.Data.ID], x.pending = k, append(x.pending, k)
		}
		k.command, k.title, k.cwd = in.Command, in.Description, in.WorkingDir
	case "job_output", "job_kill":
		x.asked[p.Data.ID] = in.ShellID
	}
}

// exitWords are the last line of an output that Crush was asked for, where its
// command failed.
var exitWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n\nExit code (\d+)\s*$`) })

func (x *session) answered(p part, when time.Time) {
	var m struct {
		StartTime  float64 `json:"start_time"` // ms
		Cwd        string  `json:"working_directory"`
		Background bool    `json:"background"`
		ShellID    string  `json:"shell_id"`
		Done       bool    `json:"done"`
	}
	inner(p.Data.Metadata, &m)
	if k := x.calls[p.Data.CallID]; k != nil {
		x.pending = without(x.pending, k)
		if m.Background && m.ShellID != "" && !k.handed {
			k.handed, k.number, k.cwd = true, m.ShellID, trace.First(m.Cwd, k.cwd)
			if began := trace.Millis(m.StartTime); !began.IsZero() {
				k.at = began
			}
			x.current[k.number], x.order = k, append(x.order, k)
		}
		return
	}
	number, ok := x.asked[p.Data.CallID]
	k := x.current[trace.First(m.ShellID, number)]
	if !ok || k == nil || k.ended {
		return
	}
	switch {
	case p.Data.Name == "job_kill" && !p.Data.IsError:
		k.ended, k.endAt, k.stopped = true, when, true
	case p.Data.Name == "job_output" && (m.Done || strings.HasPrefix(p.Data.Content, "Status: completed")):
		code := 0
		if w := exitWords().FindStringSubmatch(p.Data.Content); w != nil {
			code, _ = strconv.Atoi(w[1]) // digits only
		}
		k.ended, k.endAt, k.code = true, when, &code
	}
}

func without(list []*shell, k *shell) []*shell {
	var out []*shell
	for _, one := range list {
		if one != k {
			out = append(out, one)
		}
	}
	return out
}
