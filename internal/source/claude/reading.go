package claude

import (
	"context"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"offstage/internal/proc"
)

// firstPatience bounds the search for launches of running tasks, which are
// wanted at once: it takes 1 ms each on an idle machine.
const firstPatience = time.Second

// firstBudget is how long the first Scan reads what is not needed at once: its
// answer is the first frame.
const firstBudget = 5 * time.Millisecond

// read reads what is new: the ends of all live transcripts first, then what
// their running tasks need, then the rest, as long as the budget lasts.
func (v *view) read(ctx context.Context) error {
	budget := v.s.o.Budget
	if v.s.scans == 1 {
		budget = min(budget, firstBudget)
	}
	more, stop := v.within(ctx, budget)
	defer stop()
	longer, stopLonger := v.within(ctx, firstPatience)
	defer stopLonger()
	keep := map[string]bool{}
	rest := v.readEnds(keep)
	v.needed(longer)
	rest = append(rest, v.readAgents(keep, more)...)
	v.readRest(rest, more)
	for real := range v.s.readers {
		if !keep[real] {
			delete(v.s.readers, real)
			v.s.works = nil
		}
	}
	return ctx.Err()
}

// within says, when it is asked, whether a part of the time is left; Deep has
// all the time that ctx has.
func (v *view) within(ctx context.Context, d time.Duration) (func() bool, context.CancelFunc) {
	if v.s.deep.Load() {
		return func() bool { return ctx.Err() == nil }, func() {}
	}
	limit, cancel := context.WithTimeout(ctx, d)
	return func() bool { return limit.Err() == nil }, cancel
}

// readEnds reads what was appended to live transcripts, of new ones the end.
func (v *view) readEnds(keep map[string]bool) []*reader {
	var all, live []*reader
	for _, f := range v.chosen {
		r := v.reader(f.real, f.config, f.session, false)
		keep[f.real] = true
		if r.look(f.info) && (v.by[f.session] != nil || v.s.deep.Load()) {
			live = append(live, r)
		}
		all = append(all, r)
	}
	sideBySide(len(live), runtime.GOMAXPROCS(0), func(i int) { live[i].read(0) })
	return all
}

// readAgents reads the ends of the sub-agents' transcripts.
func (v *view) readAgents(keep map[string]bool, more func() bool) []*reader {
	var all []*reader
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
			all = append(all, ar)
			v.agents[a.id] = agentView{meta: v.s.metaOf(a.meta), reader: ar, info: a.info}
		}
	}
	return all
}

// maxReaders bounds how many transcripts are read at once; one processor is left
// to the screen.
const maxReaders = 4

// readRest reads on backwards, several transcripts side by side, and says whether
// something is left.
func (v *view) readRest(all []*reader, more func() bool) {
	fresh := map[*reader]bool{} // a transcript can stand in the list twice
	var list []*reader
	for _, r := range all {
		if _, known := fresh[r]; !known {
			fresh[r] = !r.started
			list = append(list, r)
		}
	}
	sideBySide(len(list), runtime.GOMAXPROCS(0)-1, func(i int) { list[i].rest(more) })
	v.s.pending = false
	for _, r := range list {
		// The sub-agents of a transcript that was begun just now come next time.
		v.s.pending = v.s.pending || fresh[r] || !r.started || r.low > 0
	}
}

// sideBySide does f for 0 to n-1, in order, at most so many at a time; f must
// touch nothing that another call of it touches.
func sideBySide(n, workers int, f func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(max(workers, 1), maxReaders, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// rest reads a transcript to its start, as long as more says so.
func (r *reader) rest(more func() bool) {
	for !r.complete() && r.trouble == "" && more() {
		if r.read(8*chunk) == 0 || r.low == 0 {
			return
		}
	}
}

// needed looks, in long transcripts of live sessions, for the launches of all
// tasks that a process writes for.
func (v *view) needed(more func() bool) {
	if v.table == nil || v.s.deep.Load() {
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
	writers := v.s.writers(v.table, all)
	var seeks []*found
	for _, f := range v.chosen {
		if len(files[f]) > 0 {
			seeks = append(seeks, f)
		}
	}
	sideBySide(len(seeks), runtime.GOMAXPROCS(0), func(i int) {
		v.launchesOf(seeks[i], files[seeks[i]], writers, more)
	})
}

// launchesOf looks for the launches of the tasks of one transcript that a process
// writes for, by their output files.
func (v *view) launchesOf(f *found, files []string, writers map[string][]proc.Writer, more func() bool) {
	r := v.s.readers[f.real]
	for _, file := range files {
		id := strings.TrimSuffix(path.Base(file), ".output")
		p, ok := writer(writers[file])
		if !ok || r.launched(id) || r.sought[id] || !more() {
			continue
		}
		if !r.probe(id, wallStart(v.table, p.ID, v.by[f.session]), more) && more() {
			r.seek(id)
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
