package tasklist

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"offstage/task"
)

// Create is the list with a new entry, and that entry (T3). Its number is the next
// one; who calls it never chooses.
func (l List) Create(input map[string]json.RawMessage) (List, Stored, error) {
	f, err := readFields(input)
	if err != nil {
		return l, Stored{}, err
	}
	switch {
	case f.subject == nil:
		return l, Stored{}, refuse("subject is missing: say in one line what is to be done")
	case f.description == nil:
		return l, Stored{}, refuse("description is missing: say what is to be done")
	case len(l.Entries) >= maxKept:
		return l, Stored{}, refuse("the list has %d entries: no more are kept", maxKept)
	}
	next := l.clone()
	next.Highest++
	next.Entries = append(next.Entries, Stored{ID: next.Highest, Status: task.Pending})
	if err := next.set(len(next.Entries)-1, f, ""); err != nil {
		return l, Stored{}, err
	}
	return next, next.Entries[len(next.Entries)-1], nil
}

// Without is the list after a creation that was refused from outside (T9): the
// entry is gone, at both ends of its links; its number is not given again.
func (l List) Without(id int) List {
	next := l.clone()
	next.Entries = slices.DeleteFunc(next.Entries, func(e Stored) bool { return e.ID == id })
	is := func(x int) bool { return x == id }
	for i := range next.Entries {
		next.Entries[i].Blocks = slices.DeleteFunc(next.Entries[i].Blocks, is)
		next.Entries[i].BlockedBy = slices.DeleteFunc(next.Entries[i].BlockedBy, is)
	}
	next.Assigned = slices.DeleteFunc(next.Assigned, func(a Assignment) bool { return a.ID == id })
	return next
}

// Update is the list with one entry changed, and that entry before and after (T6).
// Agent is who asks: it becomes the owner of what it sets in progress without
// naming one (T10).
func (l List) Update(input map[string]json.RawMessage, agent string) (next List, before, after Stored, err error) {
	id, err := idOf(input)
	if err != nil {
		return l, before, after, err
	}
	i := l.find(id)
	if i < 0 {
		return l, before, after, l.unknown(strconv.Itoa(id))
	}
	f, err := readFields(input)
	if err != nil {
		return l, before, after, err
	}
	if f.none() {
		return l, before, after, refuse("nothing is to change: give at least one field beside taskid")
	}
	next = l.clone()
	if err := next.set(i, f, agent); err != nil {
		return l, before, after, err
	}
	return next, l.Entries[i], next.Entries[i], nil
}

// set changes entry i.
func (l *List) set(i int, f fields, agent string) error {
	e := &l.Entries[i]
	was := e.Owner
	for _, x := range []struct {
		to *string
		v  *string
	}{{&e.Subject, f.subject}, {&e.Description, f.description}, {&e.ActiveForm, f.activeForm}, {&e.Owner, f.owner}} {
		if x.v != nil {
			*x.to = *x.v
		}
	}
	if f.metadata != nil {
		e.Metadata = f.metadata
	}
	if f.status != nil {
		e.Status = *f.status
		if e.Status == task.InProgress && f.owner == nil && e.Owner == "" {
			e.Owner = agent
		}
	}
	if e.Owner != was && e.Owner != "" && e.Owner != agent {
		l.Assigned = append(slices.DeleteFunc(l.Assigned, func(a Assignment) bool { return a.ID == e.ID }), Assignment{e.Owner, e.ID})
	}
	id := e.ID
	for _, other := range f.blocks {
		if err := l.link(id, other); err != nil {
			return err
		}
	}
	for _, other := range f.blockedBy {
		if err := l.link(other, id); err != nil {
			return err
		}
	}
	return nil
}

// link makes one entry wait for another, at both ends. What would make entries
// wait for each other is refused.
func (l *List) link(blocker, blocked int) error {
	i, j := l.find(blocker), l.find(blocked)
	switch {
	case i < 0:
		return l.unknown(strconv.Itoa(blocker))
	case j < 0:
		return l.unknown(strconv.Itoa(blocked))
	case blocker == blocked:
		return refuse("entry %d cannot wait for itself", blocker)
	case l.waitsFor(blocker, blocked):
		return refuse("entry %d waits for entry %d already, so that cannot wait for it: they would wait for each other", blocker, blocked)
	}
	if !slices.Contains(l.Entries[i].Blocks, blocked) {
		l.Entries[i].Blocks = append(l.Entries[i].Blocks, blocked)
	}
	if !slices.Contains(l.Entries[j].BlockedBy, blocker) {
		l.Entries[j].BlockedBy = append(l.Entries[j].BlockedBy, blocker)
	}
	return nil
}

// waitsFor says whether entry a waits for b, by others too.
func (l *List) waitsFor(a, b int) bool {
	seen, queue := map[int]bool{}, []int{a}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at == b {
			return true
		}
		if i := l.find(at); i >= 0 && !seen[at] {
			seen[at] = true
			queue = append(queue, l.Entries[i].BlockedBy...)
		}
	}
	return false
}

// nudgeFrom is from how many entries on the last one's end is worth a reminder.
const nudgeFrom = 3

var verifies = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(verif\w*|test\w*|check\w*|review\w*|lint\w*|validat\w*|confirm\w*|QA)\b`)
})

// Nudge says that the change closed the last of three or more entries, none of
// which verified the work (T11).
func (l List) Nudge(before, after Stored) bool {
	if before.Status == task.Completed || after.Status != task.Completed {
		return false
	}
	n := 0
	for _, e := range l.Entries {
		switch {
		case e.Status == task.Deleted:
			continue
		case e.Status != task.Completed, verifies().MatchString(e.Subject + " " + e.Description):
			return false
		}
		n++
	}
	return n >= nudgeFrom
}
