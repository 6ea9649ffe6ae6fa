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

// Bounds of what is asked: of the newest sessions it is asked what they do now.
const (
	maxNewest  = 200
	maxEntries = 5000
	maxParts   = 500
)

const (
	sessionsAfter = `SELECT id, COALESCE(parent_id,''), COALESCE(directory,''), COALESCE(title,''), COALESCE(version,''), CAST(time_created AS REAL), CAST(time_updated AS REAL)
FROM session WHERE time_updated >= ? ORDER BY time_updated DESC LIMIT 20000`
	newest       = `(SELECT id FROM session WHERE time_updated >= ? ORDER BY time_updated DESC LIMIT ?)`
	lastMessages = `SELECT s.id, m.id, CAST(m.data AS TEXT), CAST(m.time_updated AS REAL) FROM ` + newest + ` s
JOIN message m ON m.id = (SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)`
	todosAfter = `SELECT s.id, t.content, t.status FROM ` + newest + ` s JOIN todo t ON t.session_id = s.id ORDER BY t.session_id, t.position LIMIT ?`
	partsOf    = `SELECT CAST(data AS TEXT) FROM part WHERE message_id = ? AND length(data) < 1000000 AND instr(data, '"callID"') > 0 LIMIT ?`
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

// read asks for the sessions since a time, and what the newest of them do now. With an
// error it gives what was read until then, the newest first.
func read(d *sqlread.DB, since time.Time) ([]*session, error) {
	var list []*session
	byID := map[string]*session{}
	ms := float64(0)
	if !since.IsZero() {
		ms = float64(since.UnixMilli())
	}
	err := d.Each(func(scan func(...any) error) error {
		x := &session{plan: task.Plan{Native: true}}
		var created, updated float64
		if err := scan(&x.id, &x.parent, &x.dir, &x.title, &x.version, &created, &updated); err != nil {
			return err
		}
		x.created, x.updated = trace.Millis(created), trace.Millis(updated)
		list, byID[x.id] = append(list, x), x
		return nil
	}, sessionsAfter, ms)
	if err != nil {
		return list, err
	}
	if err := turns(d, ms, byID); err != nil {
		return list, err
	}
	return list, d.Each(func(scan func(...any) error) error {
		var id, content, status string
		if err := scan(&id, &content, &status); err != nil {
			return err
		}
		if x := byID[id]; x != nil {
			x.plan.Entries = append(x.plan.Entries, task.Entry{ID: strconv.Itoa(len(x.plan.Entries) + 1), Subject: trace.Clean(content), Status: trace.PlanStatus(status)})
		}
		return nil
	}, todosAfter, ms, maxNewest, maxEntries)
}

// turns asks for the last messages, and for the commands of those under way.
func turns(d *sqlread.DB, since float64, byID map[string]*session) error {
	open := map[string]*session{} // by the message
	err := d.Each(func(scan func(...any) error) error {
		var id, last, data string
		var at float64
		var m message
		if err := scan(&id, &last, &data, &at); err != nil {
			return err
		}
		x := byID[id]
		if x == nil || !trace.Decode([]byte(data), &m) {
			return nil
		}
		x.turnAt = trace.Millis(at)
		x.turn = m.Role == "user" || m.Role == "assistant" && len(m.Error) == 0 && (m.Time.Completed == 0 || m.Finish == "tool-calls")
		if x.turnAt.After(x.updated) {
			x.updated = x.turnAt
		}
		if x.turn {
			open[last] = x
		}
		return nil
	}, lastMessages, since, maxNewest)
	for id, x := range open {
		if err == nil {
			err = x.calls(d, id)
		}
	}
	return err
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
