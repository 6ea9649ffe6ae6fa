package trace

import (
	"encoding/json"
	"strconv"

	"offstage/internal/tasklist"
	"offstage/task"
)

// maxPlan bounds a plan from an untrusted record.
const maxPlan = 1000

// Plan reads a list that an agent writes whole with each call: "todos", "plan" or
// "items", each with a text and a status. Agents differ only in the names.
func Plan(input json.RawMessage) task.Plan {
	var text string
	if json.Unmarshal(input, &text) == nil {
		input = json.RawMessage(text)
	}
	type entry struct {
		Content, Title, Step, Description, Subject, Task string
		Status                                           string
		ActiveForm                                       string
	}
	var in struct{ Todos, Plan, Items []entry }
	if !Decode(input, &in) {
		return task.Plan{}
	}
	p := task.Plan{Native: true}
	for _, list := range [][]entry{in.Todos, in.Plan, in.Items} {
		for _, e := range list {
			subject := first(e.Content, e.Title, e.Step, e.Subject, e.Task, e.Description)
			if subject == "" || len(p.Entries) >= maxPlan {
				p.Skipped++
				continue
			}
			p.Entries = append(p.Entries, task.Entry{ID: strconv.Itoa(len(p.Entries) + 1), Subject: subject,
				ActiveForm: e.ActiveForm, Status: PlanStatus(e.Status)})
		}
	}
	return p
}

// PlanStatus is an agent's word for how an entry of its plan stands; one that is not
// known is pending.
func PlanStatus(word string) task.EntryStatus {
	switch word {
	case "done":
		return task.Completed
	case "cancelled", "canceled":
		return task.Deleted
	}
	if st, ok := tasklist.Status(word); ok {
		return st
	}
	return task.Pending
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
