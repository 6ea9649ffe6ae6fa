package tasklist

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"offstage/task"
)

// maxEntries bounds a list that is replayed from an untrusted transcript; calls
// beyond it are counted as skipped.
const maxEntries = 10000

// Replay plays the calls of TaskCreate, TaskUpdate and TodoWrite again, in the
// order of their results, and so gets the list that the agent sees (T7). The
// zero value is an empty list.
type Replay struct {
	entries []task.Entry
	skipped int
	native  bool
	highest int
}

// Names are the tools that Call understands, as agents name them.
var Names = []string{"TaskCreate", "TaskUpdate", "TodoWrite"}

// Call applies one call: its input and its structured result as the transcript
// has them (nil where there is none). A call that its agent refused changes
// nothing; one in a form that does not fit is counted and skipped.
func (r *Replay) Call(name string, input, result json.RawMessage) {
	if refused(result) {
		return
	}
	ok := false
	switch name {
	case "TaskCreate":
		ok = r.create(input, result)
	case "TaskUpdate":
		ok = r.update(input)
	case "TodoWrite":
		ok = r.todos(input)
	default:
		return
	}
	r.native = true
	if !ok {
		r.skipped++
	}
}

// Empty says whether no call has been played.
func (r *Replay) Empty() bool { return !r.native }

// Plan is the list as it stands; the caller may keep it.
func (r *Replay) Plan() task.Plan {
	out := make([]task.Entry, len(r.entries))
	for i, e := range r.entries {
		e.Blocks, e.BlockedBy = slices.Clone(e.Blocks), slices.Clone(e.BlockedBy)
		out[i] = e
	}
	return task.Plan{Entries: out, Skipped: r.skipped, Native: r.native}
}

func refused(result json.RawMessage) bool {
	if len(result) == 0 {
		return false
	}
	if result[0] == '"' {
		return true
	}
	var v struct {
		Success *bool `json:"success"`
	}
	_ = json.Unmarshal(result, &v)
	return v.Success != nil && !*v.Success
}

// call is the input of TaskCreate and TaskUpdate with every spelling of the id
// that agents have used (T1).
type call struct {
	TaskID       ident   `json:"taskId"`
	TaskIDSnake  ident   `json:"task_id"`
	TaskIDLower  ident   `json:"taskid"`
	Subject      *string `json:"subject"`
	Description  *string `json:"description"`
	ActiveForm   *string `json:"activeForm"`
	Owner        *string `json:"owner"`
	Status       *string `json:"status"`
	AddBlocks    []ident `json:"addBlocks"`
	AddBlockedBy []ident `json:"addBlockedBy"`
	Blocks       []ident `json:"blocks"`
	BlockedBy    []ident `json:"blockedBy"`
}

func (c call) id() string {
	for _, id := range []ident{c.TaskID, c.TaskIDSnake, c.TaskIDLower} {
		if id != "" {
			return string(id)
		}
	}
	return ""
}

// ident reads an id that is written as a string or as a number.
type ident string

// UnmarshalJSON takes both forms; anything else is an error.
func (i *ident) UnmarshalJSON(b []byte) error {
	var s string
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*i = ident(strings.TrimPrefix(s, "#"))
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*i = ident(n)
	return nil
}

func (r *Replay) create(input, result json.RawMessage) bool {
	var in call
	if json.Unmarshal(input, &in) != nil || in.Subject == nil || *in.Subject == "" {
		return false
	}
	id := createdID(result)
	if id == "" {
		id = strconv.Itoa(r.highest + 1)
	}
	if n, err := strconv.Atoi(id); err == nil && n > r.highest {
		r.highest = n
	}
	if r.find(id) >= 0 || len(r.entries) >= maxEntries {
		return false
	}
	r.entries = append(r.entries, task.Entry{ID: id, Status: task.Pending})
	r.sort()
	return r.apply(r.find(id), in)
}

// createdID is the id in the call's result: {"task":{"id":"1",…}}.
func createdID(result json.RawMessage) string {
	var v struct {
		Task struct {
			ID ident `json:"id"`
		} `json:"task"`
		ID ident `json:"id"`
	}
	if len(result) == 0 || json.Unmarshal(result, &v) != nil {
		return ""
	}
	if v.Task.ID != "" {
		return string(v.Task.ID)
	}
	return string(v.ID)
}

func (r *Replay) update(input json.RawMessage) bool {
	var in call
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	i := r.find(in.id())
	return i >= 0 && r.apply(i, in)
}

// apply sets the named fields of entry i. A status that is not known leaves
// the whole call undone.
func (r *Replay) apply(i int, in call) bool {
	e := &r.entries[i]
	if in.Status != nil {
		st, ok := Status(*in.Status)
		if !ok {
			return false
		}
		e.Status = st
	}
	set := func(to *string, v *string) {
		if v != nil {
			*to = *v
		}
	}
	set(&e.Subject, in.Subject)
	set(&e.Description, in.Description)
	set(&e.ActiveForm, in.ActiveForm)
	set(&e.Owner, in.Owner)
	id := e.ID
	for _, other := range append(in.AddBlocks, in.Blocks...) {
		r.link(id, string(other))
	}
	for _, other := range append(in.AddBlockedBy, in.BlockedBy...) {
		r.link(string(other), id)
	}
	return true
}

// link notes that one entry blocks another, at both ends.
func (r *Replay) link(blocker, blocked string) {
	i, j := r.find(blocker), r.find(blocked)
	if i < 0 || j < 0 || i == j {
		return
	}
	if !slices.Contains(r.entries[i].Blocks, blocked) {
		r.entries[i].Blocks = append(r.entries[i].Blocks, blocked)
	}
	if !slices.Contains(r.entries[j].BlockedBy, blocker) {
		r.entries[j].BlockedBy = append(r.entries[j].BlockedBy, blocker)
	}
}

func (r *Replay) find(id string) int {
	if id == "" {
		return -1
	}
	return slices.IndexFunc(r.entries, func(e task.Entry) bool { return e.ID == id })
}

// sort orders by number, as agents show it: parallel calls may get their ids
// in another order than their results are written.
func (r *Replay) sort() { sortEntries(r.entries) }

func sortEntries(entries []task.Entry) {
	slices.SortStableFunc(entries, func(a, b task.Entry) int {
		x, errX := strconv.Atoi(a.ID)
		y, errY := strconv.Atoi(b.ID)
		if errX != nil || errY != nil {
			return 0
		}
		return x - y
	})
}

// Status is an agent's word for the state of an entry in ours (T1).
func Status(word string) (task.EntryStatus, bool) {
	switch word {
	case "pending":
		return task.Pending, true
	case "in_progress", "inprogress":
		return task.InProgress, true
	case "completed":
		return task.Completed, true
	case "deleted":
		return task.Deleted, true
	}
	return "", false
}
