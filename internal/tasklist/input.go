package tasklist

import (
	"encoding/json"
	"strconv"
	"strings"

	"offstage/task"
)

// idNames are the spellings of an entry's number that are read as the same (T1).
var idNames = []string{"taskid", "taskId", "task_id"}

// idOf is the number of the entry that a call is about.
func idOf(input map[string]json.RawMessage) (int, error) {
	for _, name := range idNames {
		raw, ok := input[name]
		if !ok {
			continue
		}
		var id ident
		if id.UnmarshalJSON(raw) == nil {
			if n, err := strconv.Atoi(string(id)); err == nil {
				return n, nil
			}
		}
		return 0, refuse("%s has to be an entry's number", name)
	}
	return 0, refuse("taskid is missing: give the entry's number")
}

// fields are the changes that a call asks for; nil is no change.
type fields struct {
	subject, description, activeForm, owner *string
	status                                  *task.EntryStatus
	metadata                                json.RawMessage
	blocks, blockedBy                       []int
}

// none says that nothing is to change.
func (f fields) none() bool {
	return f.subject == nil && f.description == nil && f.activeForm == nil && f.owner == nil && f.status == nil && f.metadata == nil &&
		len(f.blocks) == 0 && len(f.blockedBy) == 0
}

// readFields reads what a call gives; a wrong form is a refusal.
func readFields(input map[string]json.RawMessage) (f fields, err error) {
	for _, x := range []struct {
		name string
		to   **string
		max  int
	}{{"subject", &f.subject, maxSubject}, {"description", &f.description, maxBody}, {"activeForm", &f.activeForm, maxSubject}, {"owner", &f.owner, maxSubject}} {
		raw, ok := input[x.name]
		if !ok || string(raw) == "null" {
			continue
		}
		var v string
		if json.Unmarshal(raw, &v) != nil {
			return f, refuse("%s has to be a text", x.name)
		}
		if len(v) > x.max {
			return f, refuse("%s is too long: at most %d bytes are kept", x.name, x.max)
		}
		if x.name != "description" {
			v = strings.Join(strings.Fields(v), " ")
		}
		*x.to = &v
	}
	if f.subject != nil && *f.subject == "" {
		return f, refuse("subject is empty: say in one line what is to be done")
	}
	if raw, ok := input["status"]; ok && string(raw) != "null" {
		var word string
		_ = json.Unmarshal(raw, &word)
		st, ok := Status(word)
		if !ok {
			return f, refuse("there is no status %s: it is pending, inprogress, completed or deleted", raw)
		}
		f.status = &st
	}
	if raw, ok := input["metadata"]; ok && string(raw) != "null" {
		var any map[string]json.RawMessage
		if json.Unmarshal(raw, &any) != nil || len(raw) > maxMeta {
			return f, refuse("metadata has to be an object of at most %d bytes", maxMeta)
		}
		f.metadata = raw
	}
	if f.blocks, err = numbers(input, "addBlocks", "blocks"); err != nil {
		return f, err
	}
	f.blockedBy, err = numbers(input, "addBlockedBy", "blockedBy")
	return f, err
}

// numbers reads lists of entries' numbers under several names.
func numbers(input map[string]json.RawMessage, names ...string) ([]int, error) {
	var out []int
	for _, name := range names {
		raw, ok := input[name]
		if !ok || string(raw) == "null" {
			continue
		}
		var ids []ident
		if json.Unmarshal(raw, &ids) != nil {
			return nil, refuse("%s has to be a list of entries' numbers", name)
		}
		for _, id := range ids {
			n, err := strconv.Atoi(string(id))
			if err != nil {
				return nil, refuse("%s has to be a list of entries' numbers", name)
			}
			out = append(out, n)
		}
	}
	return out, nil
}
