package crush

import (
	"encoding/json"
	"errors"
	"time"

	"offstage/internal/source/trace"
	"offstage/internal/sqlread"
)

// Bounds of what is asked and remembered: of the newest sessions it is asked what
// they do now.
const (
	maxMessages = 20_000
	maxKnown    = 20_000
	maxNewest   = 200
)

const (
	sessionsAfter = `SELECT id, COALESCE(parent_session_id,''), COALESCE(title,''), CAST(created_at AS REAL), CAST(updated_at AS REAL)
FROM sessions WHERE updated_at >= ? ORDER BY updated_at DESC LIMIT 20000`
	newest     = `(SELECT id FROM sessions WHERE updated_at >= ? ORDER BY updated_at DESC LIMIT ?)`
	todosAfter = `SELECT id, CAST(todos AS TEXT) FROM sessions WHERE updated_at >= ? AND todos IS NOT NULL ORDER BY updated_at DESC LIMIT ?`
	// A quote inside of a text is escaped there, so that no text can look like an end.
	lastMessages = `SELECT s.id, m.role, instr(m.parts,'"type":"finish"') > 0, instr(m.parts,'"reason":"tool_use"') > 0, CAST(m.updated_at AS REAL)
FROM ` + newest + ` s JOIN messages m ON m.rowid = (SELECT MAX(rowid) FROM messages WHERE session_id = s.id)`
	firstMessage = `SELECT COALESCE(MIN(rowid),0), COALESCE(MAX(rowid),0) FROM messages WHERE created_at >= ?`
	// Only what may tell of a command is handed out, and what is not finished.
	messagesAfter = `SELECT rowid, session_id, role, CASE WHEN length(parts) < 4000000 THEN CAST(parts AS TEXT) ELSE '' END, CAST(created_at AS REAL),
role <> 'assistant' OR finished_at IS NOT NULL AS done FROM messages
WHERE rowid > ? AND rowid <= ? AND (NOT done OR instr(parts,'"bash"') OR instr(parts,'"job_')) ORDER BY rowid LIMIT ?`
)

// part is one piece of a message: {"type":…,"data":{…}}.
type part struct {
	Type string `json:"type"` // text, tool_call, tool_result, finish, …
	Data struct {
		// tool_call
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"` // JSON inside a string
		// tool_result
		CallID   string          `json:"tool_call_id"`
		Content  string          `json:"content"`
		Metadata json.RawMessage `json:"metadata"` // JSON inside a string
		IsError  bool            `json:"is_error"`
	} `json:"data"`
}

// inner decodes a value that is JSON inside of a JSON string, or plain JSON.
func inner(raw json.RawMessage, into any) bool {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	return trace.Decode(raw, into)
}

// at is a time that Crush wrote: seconds, where its own words say milliseconds.
func at(n float64) time.Time {
	if n > 1e11 {
		return trace.Millis(n)
	}
	return trace.Seconds(n)
}

// read asks for the sessions since a time, and what was added to them.
func (p *project) read(d *sqlread.DB, since time.Time) error {
	seconds := float64(0)
	if !since.IsZero() {
		seconds = float64(since.Unix())
	}
	here := map[string]bool{}
	err := d.Each(func(scan func(...any) error) error {
		var id, parent, title string
		var created, updated float64
		if err := scan(&id, &parent, &title, &created, &updated); err != nil {
			return err
		}
		x := p.sessions[id]
		if x == nil {
			x = newSession(id)
			p.sessions[id] = x
		}
		here[id] = true
		x.parent, x.title, x.created = parent, trace.FirstLine(title), at(created)
		x.newer(at(updated))
		return nil
	}, sessionsAfter, seconds)
	if err != nil {
		return err
	}
	for id, x := range p.sessions {
		if !here[id] && !x.running() {
			delete(p.sessions, id)
		}
	}
	if err := p.messages(d, seconds); err != nil {
		return err
	}
	return p.now(d, seconds)
}

// messages reads what was added to all sessions, each message once and one that is
// not finished again; from is the time, in seconds, of the first that counts.
func (p *project) messages(d *sqlread.DB, from float64) error {
	var first, last int64
	if err := d.Each(func(scan func(...any) error) error { return scan(&first, &last) }, firstMessage, from); err != nil {
		return err
	}
	after, settled, n := max(p.after, first-1), true, 0
	if from < p.from || last < p.after { // all is asked for now, or it is another database
		after = first - 1
	}
	p.after, p.from = after, from
	err := d.Each(func(scan func(...any) error) error {
		var row int64
		var id, role, parts string
		var created float64
		var done bool
		if err := scan(&row, &id, &role, &parts, &created, &done); err != nil {
			return err
		}
		if x := p.sessions[id]; x != nil {
			x.take(role, parts, at(created))
		}
		if n++; settled && !done {
			settled = false
			p.after = row - 1 // from here on it is read again
		} else if settled {
			p.after = row
		}
		return nil
	}, messagesAfter, after, last, maxMessages)
	if err == nil && settled && n < maxMessages {
		p.after = max(last, after)
	}
	return err
}

// now asks what the newest sessions do now, and for their task lists.
func (p *project) now(d *sqlread.DB, from float64) error {
	err := d.Each(func(scan func(...any) error) error {
		var id, role string
		var finished, goesOn bool
		var updated float64
		if err := scan(&id, &role, &finished, &goesOn, &updated); err != nil {
			return err
		}
		if x := p.sessions[id]; x != nil {
			x.state(role != "assistant" || !finished || goesOn, at(updated))
		}
		return nil
	}, lastMessages, from, maxNewest)
	if err != nil {
		return err
	}
	err = d.Each(func(scan func(...any) error) error {
		var id, todos string
		if err := scan(&id, &todos); err != nil {
			return err
		}
		if x := p.sessions[id]; x != nil {
			x.plan = trace.Plan(json.RawMessage(`{"todos":` + todos + `}`))
		}
		return nil
	}, todosAfter, from, maxNewest)
	if errors.Is(err, sqlread.ErrOther) {
		return nil // versions before there were lists
	}
	return err
}
