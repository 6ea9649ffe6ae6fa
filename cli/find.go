package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"offstage/internal/registry"
	"offstage/task"
)

// lookup asks find of what is recent first, and of everything that is still
// known only when it is not there: old records take long to read.
func lookup[T any](ctx context.Context, r *registry.Registry, find func(task.Snapshot) (T, error)) (T, task.Snapshot, error) {
	var none T
	for _, all := range []bool{false, true} {
		if all {
			r.Ended(true)
		}
		snap, err := r.Scan(ctx, 0)
		if err != nil {
			return none, snap, err
		}
		got, err := find(snap)
		if !errors.Is(err, registry.ErrNoTask) || all {
			return got, snap, err
		}
	}
	return none, task.Snapshot{}, registry.ErrNoTask
}

// findTask is the task that ref means, with a sentence where there is none.
func findTask(ctx context.Context, r *registry.Registry, ref string) (task.Task, error) {
	t, _, err := lookup(ctx, r, func(s task.Snapshot) (task.Task, error) { return registry.Find(s, ref) })
	return t, explain(err, ref)
}

// findSession is the session that ref means, and the snapshot that holds it.
func findSession(ctx context.Context, r *registry.Registry, ref string) (task.Session, task.Snapshot, error) {
	s, snap, err := lookup(ctx, r, func(s task.Snapshot) (task.Session, error) { return registry.FindSession(s, ref) })
	var amb *registry.AmbiguousError
	switch {
	case errors.As(err, &amb):
		err = fmt.Errorf("%w; say which one:\n%s", err, sessionCandidates(amb.Sessions))
	case errors.Is(err, registry.ErrNoTask):
		err = fmt.Errorf("%q names no session here (%w): `offstage sessions --all` lists them", ref, err)
	}
	return s, snap, err
}

func sessionCandidates(list []task.Session) string {
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "  %s  %s\n", s.Native, first(s.Title, s.Cwd))
	}
	return strings.TrimRight(b.String(), "\n")
}
