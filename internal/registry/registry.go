package registry

import (
	"context"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// Options are what a registry stands on.
type Options struct {
	World   *world.World
	Sources []Named
	// Procs is the table that the sources share; nil makes one.
	Procs *Procs
	// State is the folder of the ledger; "" goes without one (under a root). One
	// that cannot be opened is a trouble in the snapshot and stops nothing (R11).
	State string
	// ReadOnly makes no ledger and writes nothing of what is seen into one: for a
	// listing, which only looks.
	ReadOnly bool
	Scope    Scope
	// Everywhere begins with the tasks of all projects; A turns to the scope's.
	Everywhere bool
	Keep       Keep
	// QuietAfter is the setting of D2.
	QuietAfter time.Duration
	// TimeoutObserved ends tasks of observed agents after so much time without a
	// turn (H1), while this registry lives and writes; 0 never.
	TimeoutObserved time.Duration
	// Supervisor is how this program is executed for a task of its own; the zero
	// value is this very program.
	Supervisor Supervisor
}

// Supervisor is a program and what stands before the hidden verb.
type Supervisor struct {
	Program string
	Args    []string
}

// Registry is the living set of tasks. It is safe for concurrent use.
type Registry struct {
	w     *world.World
	o     Options
	procs *Procs
	feeds []*feed
	facts *facts
	// listens are the outputs that only their agents tell.
	listens listens

	mu sync.Mutex
	// keep and everywhere are switched by keys while the panel runs.
	keep       Keep
	everywhere bool
	hidden     map[store.RunKey]bool
	mask       masker
	secrets    taskSecrets
	ledger     ledgerMemory
	// stopping are the stops under way from here.
	stopping map[string]bool
	plans    map[string]proc.Plan
	sinks    sinks
	// ports are those that running tasks listen on, by task.
	ports map[string][]int
	// previews are used by the loop of the watching; what fold knows of them is
	// under the lock.
	previews previews
	claims   claims
	clocks   clocks
	raw      task.Snapshot
	last     task.Snapshot

	live live

	// insight is the last look into a task (Inside).
	insideMu sync.Mutex
	insight  insight
}

// New makes a registry; nothing is read before the first question.
func New(o Options) *Registry {
	if o.Procs == nil {
		o.Procs = NewProcs(o.World)
	}
	r := &Registry{
		w: o.World, o: o, procs: o.Procs, keep: o.Keep, everywhere: o.Everywhere,
		hidden: map[store.RunKey]bool{}, stopping: map[string]bool{}, plans: map[string]proc.Plan{},
	}
	r.ledger.open(o.State, o.ReadOnly, o.World)
	r.facts = newFacts(o.World, r.ledger.store, r.Wake)
	r.facts.secrets = &r.secrets
	r.facts.readOnly = o.ReadOnly
	for _, s := range o.Sources {
		if d, ok := s.Source.(deep); ok && o.Keep.Ended {
			d.SetDeep(true)
		}
		r.feeds = append(r.feeds, &feed{src: s, wake: r.Wake})
	}
	r.live.init()
	return r
}

// Close ends the watching and frees the outputs.
func (r *Registry) Close() error {
	r.live.close()
	r.facts.close()
	r.listens.close()
	return r.ledger.close()
}

// onePatience bounds a one-shot look: a source that takes longer is left with
// what it had.
const onePatience = 20 * time.Second

// recentPatience bounds it where only live work and the last hour are wanted:
// sources read those first.
const recentPatience = 2 * time.Second

// pending is a source that may answer before it has read all.
type pending interface{ Pending() bool }

// gatherAll asks until no source has more to read.
func (r *Registry) gatherAll(ctx context.Context) task.Snapshot {
	patience := recentPatience
	if r.keeps().Ended {
		patience = onePatience
	}
	for end := time.Now().Add(patience); ; {
		raw := r.heard(r.unclaimed(gather(ctx, r.feeds, patience)))
		if !r.pending() || ctx.Err() != nil || time.Now().After(end) {
			return raw
		}
	}
}

func (r *Registry) pending() bool {
	for _, f := range r.feeds {
		if f.pending() {
			return true
		}
	}
	return false
}

// Scan is the whole list now, as one question: everything is read to the end,
// and the outputs' counts are waited for as long as short is.
func (r *Registry) Scan(ctx context.Context, short time.Duration) (task.Snapshot, error) {
	raw := r.gatherAll(ctx)
	r.facts.countAll(ctx, raw.Tasks, r.w.Now(), r.keeps(), short)
	r.lookForPorts(raw.Tasks)
	return r.fold(raw), ctx.Err()
}

// fold makes what the sources told into what faces show, under the present
// scope, rules and ledger.
func (r *Registry) fold(raw task.Snapshot) task.Snapshot {
	settled := r.Settled()
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.w.Now()
	if r.endsNow(raw.Tasks) {
		r.ledger.asked = time.Time{} // whether somebody stopped it has to be known before its end is told
	}
	r.ledger.refresh(now, r.keep)
	told := len(raw.Tasks)
	raw = withRemembered(raw, r.ledger.kept.tasks, settled)
	raw.Sessions = withLists(raw.Sessions, r.ledger.plans)
	r.raw = raw
	snap := task.Snapshot{At: now, Sessions: raw.Sessions, Looked: raw.Looked, Troubles: raw.Troubles}
	for _, t := range raw.Tasks {
		snap.Tasks = append(snap.Tasks, foldAgain(r.foldTask(t, now), raw.Sessions, r.ledger.kept.hooked[t.ID]))
	}
	snap.Sessions = unfailed(snap.Sessions, snap.Tasks)
	r.clocks.fold(snap.Tasks, raw.Sessions, r.o.TimeoutObserved, now)
	r.record(snap.Tasks[:told], now)
	if !r.everywhere {
		snap = r.o.Scope.Apply(snap)
	}
	scoped := snap.Tasks
	snap.Tasks = r.keep.apply(snap.Tasks, now)
	listed := map[string]bool{}
	for _, t := range snap.Tasks {
		listed[t.ID] = true
	}
	snap.Previews = r.previews.fold(scoped, listed, func(t task.Task) task.Task { return r.mask.task(t, r.secrets.get(t)) })
	snap.Sessions = liveSessions(snap.Sessions, snap.Tasks, r.keep.Ended)
	for i, t := range snap.Tasks {
		sec := r.secrets.get(t)
		rev := sec.Rev()
		snap.Tasks[i] = r.mask.task(t, sec)
		if sec.Rev() != rev {
			r.facts.remask(t.ID)
		}
	}
	for i, s := range snap.Sessions {
		snap.Sessions[i] = r.mask.session(s)
	}
	snap.Troubles, snap.Looked = r.troubles(snap.Troubles), r.mask.places(snap.Looked)
	r.secrets.keep(raw.Tasks)
	snap.Rev = r.last.Rev
	if snap.Rev == 0 || !same(r.last, snap) {
		snap.Rev++
	}
	r.last = snap
	return snap
}

// endsNow says whether a task that was shown as open has ended. Called with the
// lock held.
func (r *Registry) endsNow(tasks []task.Task) bool {
	open := map[string]bool{}
	for _, t := range r.last.Tasks {
		if !t.Status.Ended() {
			open[t.ID] = true
		}
	}
	for _, t := range tasks {
		if t.Status.Ended() && open[t.ID] {
			return true
		}
	}
	return false
}

// record writes what changed in the tasks that the sources told of. Called with
// the lock held.
func (r *Registry) record(tasks []task.Task, now time.Time) {
	d := r.ledger.diary
	if d == nil {
		return
	}
	news := d.changed(tasks, now)
	for i, t := range news {
		news[i] = r.mask.task(t, r.secrets.get(t))
	}
	d.write(news)
}

func (r *Registry) troubles(list []task.Trouble) []task.Trouble {
	var out []task.Trouble
	if text := r.ledger.trouble(); text != "" {
		out = append(out, task.Trouble{Source: "ledger", Text: r.mask.text(text)})
	}
	for _, t := range list {
		t.Text = r.mask.text(t.Text)
		out = append(out, t)
	}
	return out
}

// liveSessions leaves sessions that ended and have nothing to show out.
func liveSessions(list []task.Session, tasks []task.Task, all bool) []task.Session {
	has := map[string]bool{}
	for _, t := range tasks {
		has[t.Session] = true
	}
	out := make([]task.Session, 0, len(list))
	for _, s := range list {
		if all || s.State != task.EndedSession || has[s.ID] {
			out = append(out, s)
		}
	}
	return out
}

// same says whether two snapshots show the same, the age of what was looked at
// aside.
func same(a, b task.Snapshot) bool {
	if len(a.Tasks) != len(b.Tasks) || len(a.Sessions) != len(b.Sessions) || a.Elsewhere != b.Elsewhere {
		return false
	}
	for i := range a.Tasks {
		x, y := a.Tasks[i], b.Tasks[i]
		x.StatusAt, y.StatusAt = time.Time{}, time.Time{}
		x.Decoder, y.Decoder, x.Channel, y.Channel = nil, nil, nil, nil
		if !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return reflect.DeepEqual(a.Sessions, b.Sessions) && slices.Equal(a.Previews, b.Previews) && reflect.DeepEqual(a.Troubles, b.Troubles)
}

// Seen notes that a person opened a task's console (A5).
func (r *Registry) Seen(id string) {
	r.mu.Lock()
	t, ok := byID(r.raw.Tasks, id)
	r.mu.Unlock()
	if ok && t.Status.Ended() {
		r.mu.Lock()
		r.ledger.see(store.RunKey{Task: id, Run: t.Run}, r.w.Now())
		r.mu.Unlock()
		r.Wake()
	}
}

// Hide takes a row away until the program is started again, or brings it back.
func (r *Registry) Hide(id string, hidden bool) {
	r.mu.Lock()
	if t, ok := byID(r.raw.Tasks, id); ok {
		r.hidden[store.RunKey{Task: id, Run: t.Run}] = hidden
	}
	r.mu.Unlock()
	r.Wake()
}

// Everywhere shows the tasks of all projects, or only those of the scope.
func (r *Registry) Everywhere(on bool) {
	r.mu.Lock()
	r.everywhere = on
	r.mu.Unlock()
	r.Wake()
}

// deep is a source that reads old records only when they are asked for.
type deep interface{ SetDeep(on bool) }

// Ended shows everything that is still known, or the rows of A5.
func (r *Registry) Ended(on bool) {
	for _, f := range r.feeds {
		if d, ok := f.src.Source.(deep); ok {
			d.SetDeep(on)
		}
	}
	r.mu.Lock()
	r.keep.Ended = on
	r.mu.Unlock()
	r.Wake()
}

// keeps is the present rule of how long rows stay.
func (r *Registry) keeps() Keep {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keep
}

func byID(tasks []task.Task, id string) (task.Task, bool) {
	for _, t := range tasks {
		if t.ID == id {
			return t, true
		}
	}
	return task.Task{}, false
}

// ownPID is written into the ledger as the one who stopped.
func ownPID() int { return os.Getpid() }
