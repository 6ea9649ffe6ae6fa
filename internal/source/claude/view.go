package claude

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

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
		if live || v.s.o.Deep || v.s.now.Sub(f.info.ModTime()) < window {
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

// read reads what is new: the ends of all live transcripts first, then what
// their running tasks need, then the rest, as long as the budget lasts.
func (v *view) read(ctx context.Context) error {
	within := func(d time.Duration) (func() bool, context.CancelFunc) {
		if v.s.o.Deep {
			return func() bool { return ctx.Err() == nil }, func() {}
		}
		limit, cancel := context.WithTimeout(ctx, d)
		return func() bool { return limit.Err() == nil }, cancel
	}
	more, stop := within(v.s.o.Budget)
	defer stop()
	longer, stopLonger := within(2 * v.s.o.Budget)
	defer stopLonger()
	var rest []*reader
	keep := map[string]bool{}
	for _, f := range v.chosen {
		r := v.reader(f.real, f.config, f.session, false)
		keep[f.real] = true
		if r.look(f.info) && (v.by[f.session] != nil || v.s.o.Deep) {
			r.read(0)
		}
		rest = append(rest, r)
	}
	v.needed(longer)
	v.agents = map[string]agentView{}
	for _, f := range v.chosen {
		r := v.s.readers[f.real]
		if !r.started {
			continue
		}
		v.s.subagents(f, r.x.launchedIDs())
		for _, a := range f.agents {
			ar := v.reader(a.real, f.config, a.id, true)
			keep[a.real] = true
			if ar.look(a.info) && (v.by[f.session] != nil || more()) {
				ar.read(0)
			}
			rest = append(rest, ar)
			v.agents[a.id] = agentView{meta: v.s.metaOf(a.meta), reader: ar, info: a.info}
		}
	}
	v.s.pending = false
	for _, r := range rest {
		fresh := !r.started
		for !r.complete() && r.trouble == "" && more() {
			if r.read(8*chunk) == 0 && r.low > 0 {
				break
			}
			if r.low == 0 {
				break
			}
		}
		// The sub-agents of a transcript that was begun just now come next time.
		v.s.pending = v.s.pending || fresh || !r.started || r.low > 0
	}
	for real := range v.s.readers {
		if !keep[real] {
			delete(v.s.readers, real)
			v.s.works = nil
		}
	}
	return ctx.Err()
}

// needed looks, in long transcripts of live sessions, for the launches of all
// tasks that a process writes for.
func (v *view) needed(more func() bool) {
	if v.table == nil || v.s.o.Deep {
		return
	}
	files := map[*found][]string{}
	var all []string
	for _, f := range v.chosen {
		if r := v.s.readers[f.real]; v.by[f.session] != nil && r.low > 0 {
			files[f] = v.s.liveFiles(v.s.places, f.project, f.session)
			all = append(all, files[f]...)
		}
	}
	found := v.s.writers(v.table, all)
	for _, f := range v.chosen {
		r := v.s.readers[f.real]
		for _, file := range files[f] {
			id := strings.TrimSuffix(path.Base(file), ".output")
			p, ok := writer(found[file])
			if !ok || r.launched(id) || r.sought[id] || !more() {
				continue
			}
			if !r.probe(id, wallStart(v.table, p.ID, v.by[f.session]), more) && more() {
				r.seek(id)
			}
		}
	}
}

// launched says whether the launch of a task was read already.
func (r *reader) launched(id string) bool {
	return r.x.launchedIDs()[id] || (r.early != nil && r.early.launchedIDs()[id])
}

// seek notes a task that the whole transcript does not launch (a foreground
// command has an output file too): it is not looked for again.
func (r *reader) seek(id string) {
	if r.sought == nil {
		r.sought = map[string]bool{}
	}
	r.sought[id] = true
}

// launchedIDs are the tasks whose launch was read.
func (x *extract) launchedIDs() map[string]bool {
	if x.ids == nil || x.idsOf != len(x.events) {
		x.ids = map[string]bool{}
		for _, e := range x.events {
			if e.kind == launched && e.launch != nil {
				for _, id := range e.ids {
					x.ids[id] = true
				}
			}
		}
		x.idsOf = len(x.events)
	}
	return x.ids
}

// fold makes works of all events, if there are new ones.
func (v *view) fold() {
	dirty := v.s.works == nil
	v.each(func(r *reader, _ *found, _ string) {
		dirty = dirty || r.x.dirty || (r.early != nil && r.early.dirty)
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
