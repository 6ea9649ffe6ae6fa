package own

import (
	"context"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name and the start of its tasks' ids.
const Name = "own"

// Source reads the task folders of one state folder. It is safe for concurrent
// use.
type Source struct {
	w     *world.World
	state string
	procs func() (*proc.Table, error)

	mu    sync.Mutex
	known map[taskdir.Dir]*known
	// machine is read once: a boot is for good.
	machine *proc.Machine
	marks   marks
}

// known is what is remembered of one folder between two looks.
type known struct {
	folder taskdir.Folder
	// exitAt is the time of exit.json when folder was read; an ended folder is read
	// again only when that changes.
	exitAt time.Time
	// alive: its supervisor, or a process of it, was seen. deadAt is when that was
	// first seen to be over.
	alive  bool
	deadAt time.Time
	// pace is that of its output.
	pace pace
}

// New is the source of the tasks below state ("" for none); procs is the shared
// process table.
func New(w *world.World, state string, procs func() (*proc.Table, error)) *Source {
	return &Source{w: w, state: state, procs: procs, known: map[taskdir.Dir]*known{}}
}

// Dirs are the folders whose news is news here: that of all tasks, and those of
// the tasks that have not ended.
func (s *Source) Dirs() []string {
	if s.state == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	dirs := []string{taskdir.Root(s.state)}
	for d, k := range s.known {
		if k.folder.Exit == nil {
			dirs = append(dirs, string(d))
		}
	}
	return dirs
}

// Scan is every task of our own as it stands now. A folder that cannot be read is
// the trouble of its row; a state folder that cannot be listed is that of all.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.w.Now()
	snap := task.Snapshot{At: now}
	if s.state == "" {
		return snap, nil
	}
	dirs, err := taskdir.List(s.state)
	if err != nil {
		snap.Troubles = append(snap.Troubles, task.Trouble{Source: Name, Text: "The folder of your own tasks, " + taskdir.Root(s.state) + ", cannot be read: look at its permissions."})
	}
	table, err := s.procs()
	if err != nil {
		table = nil // then nothing is said of processes
	}
	there := make(map[taskdir.Dir]bool, len(dirs))
	groups := newGroups(s.w)
	for _, d := range dirs {
		if err := ctx.Err(); err != nil {
			return snap, err
		}
		there[d] = true
		k := s.look(d)
		if k == nil {
			continue
		}
		t := s.task(k, table, now)
		t.Session = groups.of(k.folder, t)
		snap.Tasks = append(snap.Tasks, t)
		if left, ok := s.leftBehind(k, t, table); ok {
			snap.Tasks = append(snap.Tasks, left)
		}
	}
	for d := range s.known {
		if !there[d] {
			delete(s.known, d)
		}
	}
	snap.Sessions = groups.sessions()
	snap.Looked = []task.Place{{Source: Name, Path: taskdir.Root(s.state), Found: len(dirs) > 0, Sessions: len(snap.Sessions)}}
	return snap, nil
}

// look reads a folder, or remembers one that has ended. nil is a folder that was
// taken away meanwhile.
func (s *Source) look(d taskdir.Dir) *known {
	k := s.known[d]
	at := d.ExitTime()
	if k != nil && k.folder.Exit != nil && at.Equal(k.exitAt) {
		return k
	}
	f := taskdir.Read(d)
	if f.BeingMade(s.w.Now(), unknownAfter) {
		s.known[d] = &known{folder: f} // watched, for what comes next is news
		return nil                     // nothing is known of it yet, so nothing is said
	}
	if !f.HasRecord && f.Started == nil && f.Exit == nil && f.Output.Size == 0 && !d.Exists() {
		return nil
	}
	if k == nil {
		k = &known{}
		s.known[d] = k
	}
	k.folder, k.exitAt = f, at
	return k
}

// marks are the tasks that processes of this machine carry the mark of, found
// at most once for each table, and only when a task has no supervisor.
type marks struct {
	table *proc.Table
	by    map[string][]proc.ID
}

func (m *marks) of(table *proc.Table, id string) []proc.ID {
	if table == nil {
		return nil
	}
	if m.table != table {
		m.table, m.by = table, map[string][]proc.ID{}
		for _, p := range table.All() {
			if p.Dead() {
				continue
			}
			if v := table.Env(p.PID, taskdir.MarkVar)[taskdir.MarkVar]; v != "" {
				m.by[v] = append(m.by[v], p.ID)
			}
		}
	}
	return m.by[id]
}

// here says whether pids of the record mean anything to us, and whether it is of
// an earlier life of this machine.
func (s *Source) here(st *taskdir.Started) (visible, earlier bool) {
	if s.machine == nil {
		m := proc.MachineOf(s.w)
		s.machine = &m
	}
	m := *s.machine
	if st.Boot != "" && m.Boot != "" && st.Boot != m.Boot {
		return false, true
	}
	return st.Namespace == 0 || m.Namespace == 0 || st.Namespace == m.Namespace, false
}
