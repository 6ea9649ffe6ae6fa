package tasklist

import (
	"encoding/json"
	"strconv"

	"offstage/task"
)

// todo is one entry of TodoWrite, which always carries the whole list.
type todo struct {
	Content    string `json:"content"`
	Status     string `json:"status"`
	ActiveForm string `json:"activeForm"`
}

// todos replaces the list (T7): an entry is the same while its text is the
// same, a new text is a new entry, one that vanished is deleted.
func (r *Replay) todos(input json.RawMessage) bool {
	var in struct {
		Todos *[]todo `json:"todos"`
	}
	if json.Unmarshal(input, &in) != nil || in.Todos == nil {
		return false
	}
	kept := map[int]bool{}
	fits := true
	for _, t := range *in.Todos {
		st, ok := Status(t.Status)
		if !ok || t.Content == "" {
			fits = false
			continue
		}
		i := r.sameText(t.Content, kept)
		if i < 0 {
			if len(r.entries) >= maxEntries {
				fits = false
				continue
			}
			r.highest++
			r.entries = append(r.entries, task.Entry{ID: strconv.Itoa(r.highest), Subject: t.Content})
			i = len(r.entries) - 1
		}
		kept[i] = true
		r.entries[i].Status, r.entries[i].ActiveForm = st, t.ActiveForm
	}
	for i := range r.entries {
		if !kept[i] {
			r.entries[i].Status = task.Deleted
		}
	}
	return fits
}

// sameText finds the entry with this text that no entry of the same call has
// taken yet; one that was deleted before comes back.
func (r *Replay) sameText(text string, taken map[int]bool) int {
	for i := range r.entries {
		if !taken[i] && r.entries[i].Subject == text {
			return i
		}
	}
	return -1
}
