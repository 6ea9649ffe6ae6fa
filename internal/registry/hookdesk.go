package registry

import (
	"context"
	"strings"
	"time"

	"offstage/internal/ledger"
	"offstage/internal/runner"
	"offstage/internal/store"
	"offstage/internal/taskdir"
	"offstage/internal/tasklist"
	"offstage/task"
)

// What an agent's hook asks and tells (package hook). All of it works from the
// ledger and the task folders alone, in a few milliseconds, but for Follows and
// List, which come with a new session and may look at the traces.

// followPatience bounds the look at the traces when a window goes on with another
// session.
const followPatience = 2 * time.Second

// StoppedByPerson says whether a person stopped the newest run of a task from
// here, and when.
func (r *Registry) StoppedByPerson(id string) (at time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ledger.refresh(r.w.Now(), r.keep)
	var last store.StopIntent
	for k, i := range r.ledger.stops {
		if k.Task == id && i.Run >= last.Run && !i.Clock && i.PID != 0 {
			last = i
		}
	}
	return last.At, last.Task != ""
}

// Launched notes that an agent started a task, by its own word.
func (r *Registry) Launched(t task.Task) {
	d := r.ledger.diary
	if d == nil {
		return
	}
	t.Started = r.w.Now()
	if rep, ok := ledger.FromTask(r.masked(t)); ok {
		rep.Proof, rep.Delivery.Route = ledger.Recorded, hookRoute
		_, _ = d.book.Report(rep) // the traces say it too
	}
}

// masked is a task whose texts may leave.
func (r *Registry) masked(t task.Task) task.Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mask.task(t, r.secrets.get(t))
}

// Gone notes for the news that waits for a session that it has ended (R3).
func (r *Registry) Gone(session string) {
	d := r.ledger.diary
	if d == nil {
		return
	}
	list, err := d.book.Store().Owed([]string{session}, maxPending)
	if err != nil {
		return
	}
	for _, rec := range list {
		if strings.HasPrefix(rec.ID, OwnSource+":") {
			_, _ = d.book.Deliver(rec.ID, rec.Run, task.ParentMissing, "its session has ended")
		}
	}
}

// Turned starts the time of the tasks of ours that a session asked for from zero
// (H1).
func (r *Registry) Turned(session string) {
	d := r.ledger.diary
	if d == nil {
		return
	}
	list, err := d.book.Store().ByOwner(session)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), turnPatience)
	defer cancel()
	for _, rec := range list {
		if !rec.Open() || !strings.HasPrefix(rec.ID, OwnSource+":") {
			continue
		}
		if dir, err := taskdir.At(r.o.State, nativeOf(rec.ID)); err == nil {
			_ = runner.Turn(ctx, r.w, dir) // one that has ended has no clock
		}
	}
}

// turnPatience bounds what a hook spends on supervisors: its agent waits.
const turnPatience = 10 * time.Millisecond

// Follows gives what the session before it in the same window is owed to a
// session (M3): the news of its tasks.
func (r *Registry) Follows(session string) {
	d := r.ledger.diary
	if d == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), followPatience)
	defer cancel()
	if _, err := r.Scan(ctx, 0); err != nil {
		return
	}
	for _, before := range r.Before(session) {
		_ = d.book.Adopt(before, session) // else they are shown as not delivered
	}
}

// maxBefore bounds a chain of sessions.
const maxBefore = 50

// Before are the sessions that a session went on from, newest first.
func (r *Registry) Before(session string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := map[string]string{}
	for _, s := range r.raw.Sessions {
		next[s.ID] = s.Continues
	}
	var out []string
	for at := next[session]; at != "" && len(out) < maxBefore; at = next[at] {
		out = append(out, at)
	}
	return out
}

// List is the task list of a session as its agent reads it: the one that it keeps
// with us, else its own, played again (T7, T8); "" for none.
func (r *Registry) List(session string) string {
	if s := r.Lists(ListHooks{}).Snapshot(session); s != "" {
		return s
	}
	ctx, cancel := context.WithTimeout(context.Background(), followPatience)
	defer cancel()
	if _, err := r.Scan(ctx, 0); err != nil {
		return ""
	}
	s, ok := r.SessionByID(session)
	if !ok || len(s.Plan.Entries) == 0 {
		return ""
	}
	return tasklist.FromPlan(s.Plan).Snapshot()
}

// Mask is the package's Mask, for who has only the desk.
func (r *Registry) Mask(text string) string { return Mask(text) }
