package own

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// groups puts tasks into sessions: that of the agent which asked for them, else
// one of the person's own for each project.
type groups struct {
	w    *world.World
	byID map[string]*task.Session
	tops map[string]string
}

func newGroups(w *world.World) *groups {
	return &groups{w: w, byID: map[string]*task.Session{}, tops: map[string]string{}}
}

// of is the id of the session of a task, which is made if need be. Of an agent's
// session no more is said than a process's mark would tell: its own source knows
// it.
func (g *groups) of(f taskdir.Folder, t task.Task) string {
	if a := f.Record.Asker; a.Agent != "" && a.Session != "" {
		id := a.Agent + ":" + a.Session
		x := g.byID[id]
		if x == nil {
			x = &task.Session{ID: id, Agent: a.Agent, Native: a.Session, State: task.EndedSession}
			g.byID[id] = x
		}
		if !t.Status.Ended() { // of a client that no source reads this is all that is known
			x.State = task.BackgroundOnly
		}
		return id
	}
	top := g.top(f.Record.Cwd)
	id := Name + ":" + top
	x := g.byID[id]
	if x == nil {
		x = &task.Session{ID: id, Agent: Name, Native: top, Title: "Started by you in " + filepath.Base(top), Cwd: top, State: task.Idle, Interactive: true}
		if top == "" {
			x.Title = "Started by you"
		}
		g.byID[id] = x
	}
	if !t.Status.Ended() {
		x.State = task.BackgroundOnly
	}
	if x.StartedAt.IsZero() || t.Started.Before(x.StartedAt) {
		x.StartedAt = t.Started
	}
	x.UpdatedAt = latest(x.UpdatedAt, t.Started, t.Ended, t.Output.LastWrite)
	x.StateSince = x.UpdatedAt
	return id
}

// top is the project of a folder: what holds .git above it, else the folder.
func (g *groups) top(dir string) string {
	if dir == "" {
		return ""
	}
	if top, ok := g.tops[dir]; ok {
		return top
	}
	top := dir
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(g.w.Path(filepath.Join(at, ".git"))); err == nil {
			top = at
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	g.tops[dir] = top
	return top
}

func (g *groups) sessions() []task.Session {
	out := make([]task.Session, 0, len(g.byID))
	for _, x := range g.byID {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b task.Session) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
