package opencode

import (
	"encoding/json"
	"strconv"
	"time"

	"offstage/internal/source/trace"
	"offstage/internal/sqlread"
	"offstage/task"
)

// session is a row of the database, with what its last message tells.
type session struct {
	id, parent, dir, title, version string
	created, updated                time.Time
	turn                            bool
	turnAt                          time.Time
	plan                            task.Plan
	// waits are the commands that its turn waits for.
	waits []command
}

// command is a call of a shell that has not ended.
type command struct {
	call, text, title string
	at                time.Time
}

// Bounds of what is asked.
const (
	maxHot     = 200
	maxEntries = 1000
	maxParts   = 500
)

const (
	sessionsAfter = `SELECT id, COALESCE(parent_id,''), COALESCE(directory,''), COALESCE(title,''), COALESCE(version,''), CAST(time_created AS REAL), CAST(time_updated AS REAL)
FROM session WHERE time_updated >= ? ORDER BY time_updated DESC LIMIT 20000`
	lastMessage = `SELECT id, CAST(data AS TEXT), CAST(time_updated AS REAL) FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1`
	partsOf     = `SELECT CAST(data AS TEXT) FROM part WHERE message_id = ? AND length(data) < 1000000 AND instr(data, '"callID"') > 0 LIMIT ?`
	todosOf     = `SELECT content, status FROM todo WHERE session_id = ? ORDER BY position LIMIT ?`
)

// message is the data of one, as far as it is used.
type message struct {
	Role  string          `json:"role"` // user, assistant
	Error json.RawMessage `json:"error"`
	Time  struct {
		Completed float64 `json:"completed"` // ms; absent while it is being made
	} `json:"time"`
	Finish string `json:"finish"` // tool-calls: the turn goes on
}

// part is the data of one piece of a message.
type part struct {
	Type   string `json:"type"`
	Tool   string `json:"tool"`
	CallID string `json:"callID"`
	State  struct {
		Status string `json:"status"` // pending, running, completed, error
		Input  struct {
			Command     string `json:"command"`
			Description string `json:"description"`
		} `json:"input"`
		Time struct {
			Start float64 `json:"start"` // ms
		} `json:"time"`
	} `json:"state"`
}

// read asks for the sessions since a time, and for more of those that are hot.
func read(d *sqlread.DB, since time.Time, hot func(x *session) bool) ([]*session, error) {
	var list []*session
	ms := float64(0)
	if !since.IsZero() {
		ms = float64(since.UnixMilli())
	}
	err := d.Each(func(scan func(...any) error) error {
		x := &session{}
		var created, updated float64
		if err := scan(&x.id, &x.parent, &x.dir, &x.title, &x.version, &created, &updated); err != nil {
			return err
		}
		x.created, x.updated = trace.Millis(created), trace.Millis(updated)
		list = append(list, x)
		return nil
	}, sessionsAfter, ms)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, x := range list {
		if n >= maxHot || !hot(x) {
			continue
		}
		n++
		if err := x.more(d); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// more asks for what the session does now and for its task list.
func (x *session) more(d *sqlread.DB) error {
	var id, data string
	var at float64
	err := d.Each(func(scan func(...any) error) error { return scan(&id, &data, &at) }, lastMessage, x.id)
	if err != nil {
		return err
	}
	var m message
	if id != "" && trace.Decode([]byte(data), &m) {
		x.turnAt = trace.Millis(at)
		x.turn = m.Role == "user" || m.Role == "assistant" && len(m.Error) == 0 && (m.Time.Completed == 0 || m.Finish == "tool-calls")
		if x.turnAt.After(x.updated) {
			x.updated = x.turnAt
		}
	}
	if x.turn {
		if err := x.calls(d, id); err != nil {
			return err
		}
	}
	x.plan = task.Plan{Native: true}
	return d.Each(func(scan func(...any) error) error {
		var content, status string
		if err := scan(&content, &status); err != nil {
			return err
		}
		x.plan.Entries = append(x.plan.Entries, task.Entry{ID: strconv.Itoa(len(x.plan.Entries) + 1), Subject: trace.Clean(content), Status: trace.PlanStatus(status)})
		return nil
	}, todosOf, x.id, maxEntries)
}

// calls are the commands of a message that still run.
func (x *session) calls(d *sqlread.DB, message string) error {
	return d.Each(func(scan func(...any) error) error {
		var data string
		if err := scan(&data); err != nil {
			return err
		}
		var p part
		if !trace.Decode([]byte(data), &p) || p.Tool != "bash" || p.CallID == "" || p.State.Status != "running" {
			return nil
		}
		x.waits = append(x.waits, command{call: p.CallID, text: p.State.Input.Command, title: p.State.Input.Description, at: trace.Millis(p.State.Time.Start)})
		return nil
	}, partsOf, message, maxParts)
}
