package claude

import (
	"path"
	"slices"
	"strings"

	"offstage/internal/proc"
	"offstage/task"
)

// view is one Scan under way.
type view struct {
	s       *Source
	table   *proc.Table
	clients []client
	files   map[string]*found
	// chosen are the transcripts that are looked at, live ones first.
	chosen []*found
	// by are the clients by the session that they run now.
	by map[string]*client
	// left are session files whose client died.
	left map[string]*client
	// next is the session that took over from another.
	next map[string]string
	// agents are the sub-agents by id.
	agents map[string]agentView
	// written are the files that were asked for writers.
	written map[string][]proc.Writer
	outputs map[*work]outFile
}

// match joins clients and transcripts and chooses what to read.
func (v *view) match() {
	v.by, v.left = map[string]*client{}, map[string]*client{}
	for i := range v.clients {
		c := &v.clients[i]
		if c.session == "" {
			continue
		}
		into := v.left
		if c.alive {
			into = v.by
		}
		if old := into[c.session]; old == nil || old.startedAt.Before(c.startedAt) {
			into[c.session] = c
		}
	}
	v.assign()
	for id, f := range v.files {
		live := v.by[id] != nil || v.left[id] != nil
		if live || v.s.deep.Load() || v.s.now.Sub(f.info.ModTime()) < window {
			v.chosen = append(v.chosen, f)
		}
	}
	slices.SortFunc(v.chosen, func(a, b *found) int {
		if x, y := v.by[a.session] != nil, v.by[b.session] != nil; x != y {
			if x {
				return -1
			}
			return 1
		}
		if c := b.info.ModTime().Compare(a.info.ModTime()); c != 0 {
			return c
		}
		return strings.Compare(a.session, b.session)
	})
}

// assign gives clients without a session file the newest transcripts of their
// folder that no other client has.
func (v *view) assign() {
	free := map[string][]*found{}
	for id, f := range v.files {
		if v.by[id] == nil && v.left[id] == nil {
			free[f.project] = append(free[f.project], f)
		}
	}
	for _, list := range free {
		slices.SortFunc(list, func(a, b *found) int {
			if c := b.info.ModTime().Compare(a.info.ModTime()); c != 0 {
				return c
			}
			return strings.Compare(a.session, b.session)
		})
	}
	for i := range v.clients {
		c := &v.clients[i]
		if c.session != "" || !c.alive {
			continue
		}
		list := free[slug(c.cwd)]
		if len(list) == 0 || (!c.startedAt.IsZero() && list[0].info.ModTime().Before(c.startedAt)) {
			continue
		}
		c.session = list[0].session
		free[slug(c.cwd)] = list[1:]
		v.by[c.session] = c
	}
}

// reader is the kept reader of a transcript.
func (v *view) reader(real, config, id string, agent bool) *reader {
	r := v.s.readers[real]
	if r == nil {
		r = newReader(real, v.s.w.Path(config), id, agent)
		v.s.readers[real] = r
	}
	return r
}

// fold makes works of all events, if there are new ones.
func (v *view) fold() {
	dirty := v.s.works == nil
	v.each(func(r *reader, _ *found, _ string) {
		dirty = dirty || r.x.dirty || (r.early != nil && r.early.dirty)
		r.replayed = r.replayed && !r.x.dirty
		r.x.dirty = false
		if r.early != nil {
			r.early.dirty = false
		}
	})
	if !dirty {
		return
	}
	var events []seen
	v.each(func(r *reader, f *found, agent string) {
		from := origin{session: f.session, agent: agent, reader: r, file: f}
		for _, e := range r.x.events {
			if e.kind != planned {
				events = append(events, seen{event: e, from: from})
			}
		}
		if r.early != nil {
			for _, e := range r.early.events {
				events = append(events, seen{event: e, from: from})
			}
		}
	})
	v.s.works = merge(events)
}

// each visits the readers of all chosen transcripts and of their sub-agents.
func (v *view) each(visit func(r *reader, f *found, agent string)) {
	for _, f := range v.chosen {
		visit(v.s.readers[f.real], f, "")
		for _, a := range f.agents {
			visit(v.s.readers[a.real], f, a.id)
		}
	}
}

// looked are the places that were looked at (A2).
func (v *view) looked() []task.Place {
	var out []task.Place
	for _, dir := range v.s.places.config {
		p := task.Place{Source: Name, Path: dir}
		st, err := statFile(v.s.w.Path(dir))
		p.Found = err == nil && st.IsDir()
		for _, f := range v.files {
			if f.config == dir {
				p.Sessions++
			}
		}
		out = append(out, p)
	}
	return out
}

// dirs are the folders to watch.
func (v *view) dirs() []string {
	set := map[string]bool{}
	for _, c := range v.s.places.config {
		for _, d := range []string{path.Join(c, "sessions"), path.Join(c, "projects")} {
			if real := v.s.w.Path(d); isDir(real) {
				set[real] = true
			}
		}
	}
	for _, f := range v.chosen {
		if v.by[f.session] == nil {
			continue
		}
		set[path.Dir(f.real)] = true
		if sub := strings.TrimSuffix(f.real, ".jsonl") + "/subagents"; isDir(sub) {
			set[sub] = true
			v.flowDirs(f, set)
		}
	}
	for _, o := range v.outputs {
		if o.exists && o.ref.Path != "" {
			set[path.Dir(o.ref.Path)] = true
		}
	}
	out := make([]string, 0, len(set))
	for d := range set {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

func isDir(real string) bool {
	st, err := statFile(real)
	return err == nil && st.IsDir()
}
