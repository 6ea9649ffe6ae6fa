package registry

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"offstage/task"
)

// ErrNoTask: a reference names no task that is known here.
var ErrNoTask = errors.New("no such task")

// AmbiguousError: a reference fits several tasks.
type AmbiguousError struct {
	Ref        string
	Candidates []task.Task
	// Sessions are the candidates where a session was asked for.
	Sessions []task.Session
}

func (e *AmbiguousError) Error() string {
	if len(e.Sessions) > 0 {
		return fmt.Sprintf("%q fits %d sessions", e.Ref, len(e.Sessions))
	}
	return fmt.Sprintf("%q fits %d tasks", e.Ref, len(e.Candidates))
}

// Find is the task that a person means by ref (spec 5): an id, the native part
// or a unique beginning of it, ":PORT" that the task listens on, or a unique
// part of its title. It answers ErrNoTask or an *AmbiguousError.
func Find(snap task.Snapshot, ref string) (task.Task, error) {
	if port, ok := strings.CutPrefix(ref, ":"); ok {
		if n, err := strconv.Atoi(port); err == nil {
			return one(ref, pick(snap.Tasks, func(t task.Task) bool {
				for _, p := range t.Ports {
					if p == n {
						return true
					}
				}
				return false
			}))
		}
	}
	if ref == "" {
		return task.Task{}, ErrNoTask
	}
	if agent, ok := task.Find(snap.Tasks, ref); ok { // also an agent of a workflow, by its whole id
		return agent, nil
	}
	low := strings.ToLower(ref)
	for _, fits := range []func(task.Task) bool{
		func(t task.Task) bool { return t.ID == ref },
		func(t task.Task) bool { return t.Native == ref },
		func(t task.Task) bool { return strings.HasPrefix(t.Native, ref) || strings.HasPrefix(t.ID, ref) },
		func(t task.Task) bool { return strings.Contains(strings.ToLower(t.Title), low) },
	} {
		if got := pick(snap.Tasks, fits); len(got) > 0 {
			return one(ref, got)
		}
	}
	return task.Task{}, ErrNoTask
}

func pick(tasks []task.Task, fits func(task.Task) bool) []task.Task {
	var out []task.Task
	for _, t := range tasks {
		if fits(t) {
			out = append(out, t)
		}
	}
	return out
}

func one(ref string, got []task.Task) (task.Task, error) {
	switch len(got) {
	case 0:
		return task.Task{}, ErrNoTask
	case 1:
		return got[0], nil
	}
	return task.Task{}, &AmbiguousError{Ref: ref, Candidates: got}
}

// FindSession is the session that a person means: its id, native id, or a
// unique beginning of that.
func FindSession(snap task.Snapshot, ref string) (task.Session, error) {
	var got []task.Session
	for _, s := range snap.Sessions {
		if s.ID == ref || s.Native == ref {
			return s, nil
		}
		if ref != "" && (strings.HasPrefix(s.Native, ref) || strings.HasPrefix(s.ID, ref)) {
			got = append(got, s)
		}
	}
	switch len(got) {
	case 0:
		return task.Session{}, ErrNoTask
	case 1:
		return got[0], nil
	}
	return task.Session{}, &AmbiguousError{Ref: ref, Sessions: got}
}
