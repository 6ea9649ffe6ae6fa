package tasklist

import (
	"fmt"
	"strings"

	"offstage/task"
)

// Text is the whole list as TaskList answers it, and as it is put before an agent
// after a compaction (T4, T8).
func (l List) Text() string {
	if len(l.Entries) == 0 {
		return "The task list is empty."
	}
	var b strings.Builder
	b.WriteString(l.digest())
	for _, e := range l.Entries {
		b.WriteString("\n" + e.line())
		if e.Description != "" && e.Status != task.Deleted && e.Status != task.Completed {
			b.WriteString("\n   " + strings.ReplaceAll(strings.TrimSpace(e.Description), "\n", "\n   "))
		}
	}
	return b.String()
}

// Answer is what TaskCreate and TaskUpdate answer: the entry, then every entry in
// a line.
func (l List) Answer(did string, e Stored) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s entry %d: %s\n\n%s", did, e.ID, e.Subject, l.digest())
	for _, x := range l.Entries {
		b.WriteString("\n" + x.line())
	}
	return b.String()
}

// Snapshot is the list as it is put before an agent once after a compaction (T8).
func (l List) Snapshot() string {
	return "Your task list, as it stood before the conversation was compacted:\n" + l.Text() + "\nCall TaskList before you go on."
}

// NudgeText reminds of a verification (T11).
const NudgeText = "All entries are closed and none of them verified the work: check the result before you call it done."

func (l List) digest() string {
	n := map[task.EntryStatus]int{}
	for _, e := range l.Entries {
		n[e.Status]++
	}
	text := fmt.Sprintf("%d of %d completed", n[task.Completed], len(l.Entries)-n[task.Deleted])
	if n[task.InProgress] > 0 {
		text += fmt.Sprintf(", %d in progress", n[task.InProgress])
	}
	if n[task.Deleted] > 0 {
		text += fmt.Sprintf(", %d withdrawn", n[task.Deleted])
	}
	return text
}

var marks = map[task.EntryStatus]string{task.Pending: "[ ]", task.InProgress: "[~]", task.Completed: "[x]", task.Deleted: "[-]"}

// line is an entry in one line: "[~] 3 Write the tests (owner: a; waits for 1, 2)".
func (e Stored) line() string {
	var more []string
	if e.Owner != "" {
		more = append(more, "owner: "+e.Owner)
	}
	if len(e.BlockedBy) > 0 && e.Status != task.Completed && e.Status != task.Deleted {
		more = append(more, "waits for "+strings.Join(texts(e.BlockedBy), ", "))
	}
	text := fmt.Sprintf("%s %d %s", marks[e.Status], e.ID, e.Subject)
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text
}
