package registry

import (
	"context"
	"errors"
	"sync"
	"time"

	"offstage/task"
)

// WaitFor says what a wait is for.
type WaitFor struct {
	// Tasks are ids; each has to be known now.
	Tasks []string
	For   Condition
	// Any: one task that meets the condition is enough.
	Any bool
}

// Waited is how the wait for one task came out.
type Waited struct {
	Task task.Task
	// Met is the condition's word, Timeout where time was over first, and "" where
	// the task ended without it, or where another one was enough.
	Met string
}

// Wait blocks until every task met the condition or ended without it (with Any:
// until one met it, or all ended), or ctx ends. The end of ctx's time is no
// error: what was not met says so. Answers come in the order of the tasks.
func (r *Registry) Wait(ctx context.Context, w WaitFor) ([]Waited, error) {
	p := &waiting{r: r, w: w, last: map[string]task.Task{}, met: map[string]bool{}, done: map[string]bool{}, texts: map[string]*textWatch{}}
	defer p.close()
	for rev := uint64(0); ; {
		snap, err := r.nextOrText(ctx, rev, p)
		if errors.Is(err, context.DeadlineExceeded) {
			return p.answer(Timeout), nil
		}
		if err != nil {
			return p.answer(""), err
		}
		rev = snap.Rev
		if err := p.take(ctx, snap); err != nil {
			return p.answer(""), err
		}
		if p.over() {
			return p.answer(""), nil
		}
	}
}

// nextOrText waits for a newer snapshot, or for a text that was found: then the
// present one is looked at again.
func (r *Registry) nextOrText(ctx context.Context, rev uint64, p *waiting) (task.Snapshot, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-p.newsCh():
			cancel()
		case <-stop:
		}
	}()
	snap, err := r.Next(inner, rev)
	if err != nil && ctx.Err() == nil && inner.Err() != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.last, nil
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return snap, err
}

// waiting is one wait under way.
type waiting struct {
	r *Registry
	w WaitFor

	last  map[string]task.Task
	met   map[string]bool
	done  map[string]bool
	texts map[string]*textWatch
	news  chan struct{}
	once  sync.Once
}

func (p *waiting) newsCh() chan struct{} {
	p.once.Do(func() { p.news = make(chan struct{}, 1) })
	return p.news
}

// take looks at each task that is not settled in a snapshot. A task that is
// listed no more has ended: nothing else takes it out of the list.
func (p *waiting) take(ctx context.Context, snap task.Snapshot) error {
	for _, id := range p.w.Tasks {
		if p.done[id] {
			continue
		}
		t, ok := byID(snap.Tasks, id)
		if !ok {
			if p.last[id].ID == "" {
				return ErrNoTask
			}
			p.done[id] = true
			continue
		}
		p.last[id] = t
		found, looked := p.text(ctx, t)
		if p.w.For.holds(t, found) {
			p.met[id], p.done[id] = true, true
		} else if t.Status.Ended() && looked {
			p.done[id] = true
		}
	}
	return nil
}

// text says whether the text was seen in the output, and whether all of what is
// there was looked through.
func (p *waiting) text(ctx context.Context, t task.Task) (found, looked bool) {
	if p.w.For.On != Text {
		return false, true
	}
	tw := p.texts[t.ID]
	if tw == nil {
		out, err := p.r.Open(ctx, t.ID)
		if err != nil {
			return false, true // nothing to look through yet, or ever
		}
		tw = &textWatch{out: out, news: p.newsCh()}
		p.texts[t.ID] = tw
		tw.start(ctx, p.w.For.Text)
	}
	return tw.state(t.Output.Bytes)
}

func (p *waiting) over() bool {
	if p.w.Any && len(p.met) > 0 {
		return true
	}
	return len(p.done) == len(p.w.Tasks)
}

// answer is the outcome; unmet is the word for what is neither met nor ended.
func (p *waiting) answer(unmet string) []Waited {
	var out []Waited
	for _, id := range p.w.Tasks {
		x := Waited{Task: p.last[id]}
		switch {
		case p.met[id]:
			x.Met = p.w.For.On
		case !p.done[id]:
			x.Met = unmet
		}
		if x.Task.ID == "" {
			x.Task.ID = id
		}
		out = append(out, x)
	}
	return out
}

func (p *waiting) close() {
	for _, tw := range p.texts {
		tw.close()
	}
}

// textWatch looks for a text in one output, as long as it is wanted.
type textWatch struct {
	out    task.Output
	news   chan<- struct{}
	cancel context.CancelFunc
	ended  chan struct{}

	mu     sync.Mutex
	found  bool
	looked int64
	done   bool
	failed bool
}

func (w *textWatch) start(ctx context.Context, text string) {
	ctx, w.cancel = context.WithCancel(ctx)
	w.ended = make(chan struct{})
	go func() {
		defer close(w.ended)
		err := w.out.Search(ctx, task.SearchRequest{Query: task.Query{Text: text}}, w.take)
		w.mu.Lock()
		w.failed = err != nil
		w.mu.Unlock()
		w.tell()
	}()
}

func (w *textWatch) take(f task.Found) {
	w.mu.Lock()
	news := f.Count > 0 && !w.found || f.Done && !w.done
	w.found = w.found || f.Count > 0
	w.looked, w.done = f.Looked, f.Done
	w.mu.Unlock()
	if news {
		w.tell()
	}
}

func (w *textWatch) tell() {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// state says what is known once size bytes are there.
func (w *textWatch) state(size int64) (found, looked bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.found, w.failed || w.done && w.looked >= size
}

// close ends the search and frees the output; a search that hangs on a dead disk
// is left behind.
func (w *textWatch) close() {
	w.cancel()
	select {
	case <-w.ended:
	case <-time.After(time.Second):
	}
	_ = w.out.Close()
}
