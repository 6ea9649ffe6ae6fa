package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/store"
	"offstage/task"
)

// Glance is what a look at everything found, kept beside the ledger for the pill
// (spec 2 W3, W4): the tasks in brief, and of every place that they were found in
// how it stood. A later look only has to see whether all of that still stands.
type Glance struct {
	At      time.Time      `json:"at"`
	Sources []sourceGlance `json:"sources"`
	// Whole is false where a source had more to read.
	Whole bool `json:"whole"`
	// Ledger is how the ledger's files stood: as long as they do, no mark and no stop
	// is newer.
	Ledger string `json:"ledger,omitempty"`
}

// LedgerStamp is how the ledger's files in a state folder stand.
func LedgerStamp(state string) string {
	var b strings.Builder
	for _, name := range store.Files(state) {
		if st, err := os.Lstat(name); err == nil {
			fmt.Fprintf(&b, "%d@%d ", st.Size(), st.ModTime().UnixNano())
		}
	}
	return b.String()
}

// sourceGlance is one source's part.
type sourceGlance struct {
	Name     string         `json:"name"`
	Places   []placeStamp   `json:"places,omitempty"`
	Tasks    []briefTask    `json:"tasks,omitempty"`
	Sessions []briefSession `json:"sessions,omitempty"`
}

// briefTask is what a pill needs of a task, and nothing that a person wrote.
type briefTask struct {
	ID         string         `json:"id"`
	Session    string         `json:"session,omitempty"`
	Cwd        string         `json:"cwd,omitempty"`
	Kind       task.Kind      `json:"kind"`
	Status     task.Status    `json:"status"`
	Run        int            `json:"run"`
	LeftBehind bool           `json:"left,omitempty"`
	Waiting    string         `json:"waiting,omitempty"`
	Seen       bool           `json:"seen,omitempty"`
	Started    time.Time      `json:"started,omitzero"`
	Output     string         `json:"output,omitempty"`
	Bytes      int64          `json:"bytes,omitempty"`
	Written    time.Time      `json:"written,omitzero"`
	Disk       *task.DiskNote `json:"disk,omitempty"`
	// Alive are processes of which one has to live, Agent the agent's own.
	Alive []proc.ID `json:"alive,omitempty"`
	Agent proc.ID   `json:"agent,omitzero"`
}

type briefSession struct {
	ID     string            `json:"id"`
	Native string            `json:"native"`
	Agent  string            `json:"agent"`
	Cwd    string            `json:"cwd,omitempty"`
	State  task.SessionState `json:"state"`
	Gone   bool              `json:"gone,omitempty"`
}

// glanceFile is its name in the state folder; maxGlance bounds what is read of it.
const (
	glanceFile = "glance.json"
	maxGlance  = 4 << 20
)

// maxBrief bounds the tasks of one source in a glance, newest first.
const maxBrief = 1000

// ReadGlance reads the last glance of a state folder; os.ErrNotExist where there
// is none that can be used.
func ReadGlance(state string) (Glance, error) {
	var g Glance
	f, err := fsys.Open(filepath.Join(state, glanceFile))
	if err != nil {
		return g, os.ErrNotExist
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil || st.Size() > maxGlance {
		return g, os.ErrNotExist
	}
	b := make([]byte, st.Size())
	if _, err := f.ReadAt(b, 0); err != nil || json.Unmarshal(b, &g) != nil {
		return Glance{}, os.ErrNotExist
	}
	return g, nil
}

// WriteGlance keeps a glance for the next pill.
func WriteGlance(state string, g Glance) error {
	b, err := json.Marshal(g)
	if err != nil {
		return err
	}
	if len(b) > maxGlance {
		return errors.New("keep a glance: there is too much of it")
	}
	if err := fsys.MkdirPrivate(state); err != nil {
		return err
	}
	return fsys.Replace(filepath.Join(state, glanceFile), b)
}

// TakeGlance looks at everything now, for as long as ctx has, with short for the
// counts of outputs. The error is that of ctx; what was found until then is not
// kept.
//
// It looks twice: the first look finds the places, their stamps are taken, and the
// second, which reads only what is new, is at least as late as the stamps. So
// whatever changes afterwards is seen as a change.
func (r *Registry) TakeGlance(ctx context.Context, short time.Duration) (Glance, error) {
	first, err := r.Scan(ctx, 0)
	if err != nil {
		return Glance{}, err
	}
	stamps := r.stamps(first)
	at, marked := r.w.Now(), LedgerStamp(r.o.State)
	snap, err := r.Scan(ctx, short)
	if err != nil {
		return Glance{}, err
	}
	g := Glance{At: at, Whole: !r.pending(), Ledger: marked}
	alive := r.aliveOf(snap.Tasks)
	for _, f := range r.feeds {
		s := sourceGlance{Name: f.src.Name, Places: stamps[f.src.Name]}
		for _, t := range snap.Tasks {
			if t.Source == f.src.Name && len(s.Tasks) < maxBrief {
				s.Tasks = append(s.Tasks, brief(t, alive[t.ID]))
			}
		}
		for _, x := range snap.Sessions {
			if x.Agent == f.src.Name {
				s.Sessions = append(s.Sessions, briefSession{x.ID, x.Native, x.Agent, x.Cwd, x.State, x.AgentGone})
			}
		}
		g.Sources = append(g.Sources, s)
	}
	return g, nil
}

func brief(t task.Task, alive []proc.ID) briefTask {
	b := briefTask{
		ID: t.ID, Session: t.Session, Cwd: t.Cwd, Kind: t.Kind, Status: t.Status, Run: t.Run, LeftBehind: t.LeftBehind, Waiting: t.Waiting, Seen: t.Seen,
		Started: t.Started, Output: t.Output.Path, Bytes: t.Output.Bytes, Written: t.Output.LastWrite, Disk: t.Disk,
	}
	if !t.Status.Ended() {
		b.Alive = alive
		b.Agent = proc.ID{PID: t.Evidence.AgentPID, Start: t.Evidence.AgentStart}
	}
	return b
}

// aliveOf are the processes of each running task, in one pass.
func (r *Registry) aliveOf(tasks []task.Task) map[string][]proc.ID {
	out := map[string][]proc.ID{}
	open := running(tasks)
	if len(open) == 0 || r.w.Recorded() {
		return out
	}
	table, err := r.procs.Table()
	if err != nil {
		return out
	}
	_, writers := r.runningProcesses(table, open)
	for i, t := range open {
		out[t.ID] = writers[i]
	}
	return out
}

// Snapshot is a glance as tasks and sessions, under a scope, with what the ledger
// of its state folder says by now of marks and stops.
func (g Glance) Snapshot(scope Scope, m Marks) task.Snapshot {
	snap := task.Snapshot{At: g.At}
	for _, s := range g.Sources {
		for _, x := range s.Sessions {
			snap.Sessions = append(snap.Sessions, task.Session{ID: x.ID, Native: x.Native, Agent: x.Agent, Cwd: x.Cwd, State: x.State, AgentGone: x.Gone})
		}
		for _, b := range s.Tasks {
			key := store.RunKey{Task: b.ID, Run: b.Run}
			t := task.Task{
				ID: b.ID, Source: s.Name, Session: b.Session, Cwd: b.Cwd, Kind: b.Kind, Status: b.Status, Run: b.Run, LeftBehind: b.LeftBehind, Waiting: b.Waiting,
				Seen: b.Seen || m.seen[key], Started: b.Started, Output: task.OutputRef{Path: b.Output, Bytes: b.Bytes, LastWrite: b.Written}, Disk: b.Disk,
			}
			snap.Tasks = append(snap.Tasks, foldStop(t, m.stopped[key]))
		}
	}
	return scope.Apply(snap)
}

// Marks are what the ledger says of looked-at ends and of stops; the zero value is
// none.
type Marks struct {
	seen    map[store.RunKey]bool
	stopped map[store.RunKey]store.StopIntent
}

// Marks are those of now.
func (r *Registry) Marks() (m Marks) {
	if r.ledger.store == nil {
		return m
	}
	since := r.w.Now().Add(-retention)
	m.seen, _ = r.ledger.store.Seen(since) // without them a failure is counted that was looked at
	m.stopped, _ = r.ledger.store.Stops(since)
	return m
}

// Only leaves the named sources, for a look at what moved.
func (r *Registry) Only(names []string) {
	r.feeds = slices.DeleteFunc(r.feeds, func(f *feed) bool { return !slices.Contains(names, f.src.Name) })
}

// Grown takes up what the outputs of running tasks show by now: size and time
// alone. A question whose output went on is none any more.
func (g *Glance) Grown() {
	for i := range g.Sources {
		for j := range g.Sources[i].Tasks {
			t := &g.Sources[i].Tasks[j]
			if t.Status.Ended() || t.Output == "" {
				continue
			}
			st, err := os.Stat(t.Output)
			if err != nil {
				continue
			}
			if st.Size() != t.Bytes {
				t.Waiting = ""
			}
			t.Bytes, t.Written = st.Size(), st.ModTime()
		}
	}
}

// Merge puts the fresh parts of another look in the place of the old ones.
func (g *Glance) Merge(fresh Glance) {
	for _, s := range fresh.Sources {
		i := slices.IndexFunc(g.Sources, func(x sourceGlance) bool { return x.Name == s.Name })
		if i < 0 {
			g.Sources = append(g.Sources, s)
		} else {
			g.Sources[i] = s
		}
	}
	g.Whole = g.Whole && fresh.Whole
}
