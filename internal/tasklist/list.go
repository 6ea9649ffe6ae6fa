package tasklist

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"offstage/task"
)

// List is one session's list as we keep it (spec 4). The value is changed by
// Apply alone, which gives the next one.
type List struct {
	// Highest is the last number that was given; none is given twice (T1).
	Highest int      `json:"highest"`
	Entries []Stored `json:"entries"`
	// Assigned are entries whose owner changed and was not told yet (T10).
	Assigned []Assignment `json:"assigned,omitempty"`
}

// Stored is an entry as it is kept: task.Entry with what only its agent reads.
type Stored struct {
	ID          int              `json:"taskid"`
	Subject     string           `json:"subject"`
	Description string           `json:"description"`
	Status      task.EntryStatus `json:"status"`
	ActiveForm  string           `json:"activeForm,omitempty"`
	Owner       string           `json:"owner,omitempty"`
	Blocks      []int            `json:"blocks,omitempty"`
	BlockedBy   []int            `json:"blockedBy,omitempty"`
	Metadata    json.RawMessage  `json:"metadata,omitempty"`
}

// Assignment is an entry that has come to a new owner.
type Assignment struct {
	Owner string `json:"owner"`
	ID    int    `json:"taskid"`
}

// Bounds of a list that we keep: far beyond what an agent writes by reason.
const (
	maxKept    = 2000
	maxSubject = 500
	maxBody    = 20_000
	maxMeta    = 20_000
)

// refusal is a sentence for the agent; nothing was changed.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// Plan is the list as faces show it.
func (l List) Plan() task.Plan {
	p := task.Plan{Entries: make([]task.Entry, 0, len(l.Entries))}
	for _, e := range l.Entries {
		p.Entries = append(p.Entries, task.Entry{ID: strconv.Itoa(e.ID), Subject: e.Subject, Description: e.Description, ActiveForm: e.ActiveForm,
			Owner: e.Owner, Status: e.Status, Blocks: texts(e.Blocks), BlockedBy: texts(e.BlockedBy)})
	}
	return p
}

func texts(ids []int) []string {
	var out []string
	for _, id := range ids {
		out = append(out, strconv.Itoa(id))
	}
	return out
}

// clone lets the next list be changed without the present one.
func (l List) clone() List {
	l.Entries = slices.Clone(l.Entries)
	for i := range l.Entries {
		l.Entries[i].Blocks, l.Entries[i].BlockedBy = slices.Clone(l.Entries[i].Blocks), slices.Clone(l.Entries[i].BlockedBy)
	}
	l.Assigned = slices.Clone(l.Assigned)
	return l
}

func (l List) find(id int) int {
	return slices.IndexFunc(l.Entries, func(e Stored) bool { return e.ID == id })
}

// unknown says that there is no such entry, and which there are (T5).
func (l List) unknown(id string) error {
	if len(l.Entries) == 0 {
		return refuse("there is no entry %s: the list is empty", id)
	}
	var ids []string
	for _, e := range l.Entries {
		ids = append(ids, strconv.Itoa(e.ID))
	}
	return refuse("there is no entry %s: there are %s", id, strings.Join(ids, ", "))
}

// Get is the entry that a call of TaskGet means.
func (l List) Get(input map[string]json.RawMessage) (Stored, error) {
	id, err := idOf(input)
	if err != nil {
		return Stored{}, err
	}
	i := l.find(id)
	if i < 0 {
		return Stored{}, l.unknown(strconv.Itoa(id))
	}
	return l.Entries[i], nil
}

// TakeAssigned are the entries that have come to an owner since it was told last.
func (l List) TakeAssigned(owner string) (next List, mine []Stored) {
	if owner == "" {
		return l, nil
	}
	next = l.clone()
	next.Assigned = slices.DeleteFunc(next.Assigned, func(a Assignment) bool {
		if a.Owner != owner {
			return false
		}
		if i := l.find(a.ID); i >= 0 {
			mine = append(mine, l.Entries[i])
		}
		return true
	})
	return next, mine
}
