package tasklist

import (
	"strconv"

	"offstage/task"
)

// FromPlan is a list that an agent keeps itself, as one of ours: to be put into
// the same words. Its numbers stay where they are numbers.
func FromPlan(p task.Plan) List {
	var l List
	for i, e := range p.Entries {
		n, err := strconv.Atoi(e.ID)
		if err != nil {
			n = i + 1
		}
		l.Highest = max(l.Highest, n)
		l.Entries = append(l.Entries, Stored{ID: n, Subject: e.Subject, Description: e.Description, Status: e.Status, ActiveForm: e.ActiveForm,
			Owner: e.Owner, Blocks: ints(e.Blocks), BlockedBy: ints(e.BlockedBy)})
	}
	return l
}

func ints(ids []string) []int {
	var out []int
	for _, id := range ids {
		if n, err := strconv.Atoi(id); err == nil {
			out = append(out, n)
		}
	}
	return out
}
