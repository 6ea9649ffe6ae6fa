package registry

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"offstage/internal/output"
	"offstage/internal/store"
	"offstage/internal/world"
	"offstage/task"
)

// Bounds of the outputs that are followed without being open on a screen.
const (
	// maxLogs is how many outputs are followed at once, newest tasks first.
	maxLogs = 48
	// maxCounting is how many of them are counted at once; the others wait, so
	// that twenty logs of 1 GB do not stop a first look.
	maxCounting = 3
	// smallLog is an output that is counted at once, whatever else is: it costs
	// less than a frame.
	smallLog = 4 << 20
	// countTurn is how long one count keeps others waiting: an output that grows
	// faster than it is counted would do so for good.
	countTurn = 20 * time.Second
	// maxRemembered bounds what is kept of outputs that are followed no more.
	maxRemembered = 10_000
	// maxWanted bounds how many outputs are counted at all, newest tasks first:
	// fewer than are remembered, or the last would push the first out for ever.
	maxWanted = 8000
	// newsPause is the shortest time between two looks for news of one output.
	newsPause = 500 * time.Millisecond
	// saveEvery is how often the count of a running output is kept.
	saveEvery = 30 * time.Second
)

// facts follows the outputs of the tasks that are listed: their size, test
// counts, last line, addresses. An output that a console has open is the same
// one, so nothing is read twice.
type facts struct {
	w     *world.World
	store *store.Store
	// readOnly keeps no counts.
	readOnly bool
	// secrets of the tasks; nil: each output has its own.
	secrets *taskSecrets
	news    func()

	mu     sync.Mutex
	logs   map[string]*followed
	known  map[string]task.Facts
	closed bool
}

// followed is one output with those who use it.
type followed struct {
	log  *output.Log
	stop context.CancelFunc
	refs int
	key  string
	// opened is when its counting began.
	opened time.Time
	// saved is when its count was kept last, kept what was kept then.
	saved time.Time
	kept  []byte
}

func newFacts(w *world.World, s *store.Store, news func()) *facts {
	return &facts{w: w, store: s, news: news, logs: map[string]*followed{}, known: map[string]task.Facts{}}
}

func (f *facts) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for id, l := range f.logs {
		f.end(l)
		delete(f.logs, id)
	}
}

// outputKey tells two runs of a task, and two files of a run, apart.
func outputKey(t task.Task) string {
	return strconv.Itoa(t.Run) + " " + t.Output.Path
}

// of is what is known of a task's output.
func (f *facts) of(t task.Task) (task.Facts, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l, ok := f.logs[t.ID]; ok && l.key == outputKey(t) {
		return l.log.Facts(), true
	}
	k, ok := f.known[t.ID+" "+outputKey(t)]
	return k, ok
}

// follow opens the outputs of the tasks that a list can show and lets go of the
// others, and says how many it opened. It reads nothing by itself.
func (f *facts) follow(tasks []task.Task, now time.Time, keep Keep) (opened int) {
	var want []task.Task
	for _, t := range keep.apply(tasks, now) {
		if t.Output.Path != "" {
			want = append(want, t)
		}
	}
	slices.SortStableFunc(want, func(a, b task.Task) int {
		if a.Status.Ended() != b.Status.Ended() {
			return cmp.Compare(btoi(a.Status.Ended()), btoi(b.Status.Ended()))
		}
		return b.Started.Compare(a.Started)
	})
	want = want[:min(len(want), maxWanted)]
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0
	}
	f.release(want)
	counting := f.settleEnded(want)
	for _, t := range want {
		if len(f.logs) >= maxLogs {
			break
		}
		if counting >= maxCounting && t.Output.Bytes > smallLog {
			continue
		}
		if _, open := f.logs[t.ID]; open {
			continue
		}
		if _, done := f.known[t.ID+" "+outputKey(t)]; done && t.Status.Ended() {
			continue
		}
		if f.open(t) == nil {
			continue
		}
		opened++
		if t.Output.Bytes > smallLog {
			counting++
		}
	}
	return opened
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// release lets go of what is not wanted any more and nobody has open.
func (f *facts) release(want []task.Task) {
	keys := map[string]string{}
	for _, t := range want {
		keys[t.ID] = outputKey(t)
	}
	for id, l := range f.logs {
		if l.refs == 0 && keys[id] != l.key {
			f.end(l)
			delete(f.logs, id)
		}
	}
}

// settleEnded tells the outputs whether their task runs, keeps the counts of
// those that are complete, and answers how many are still being counted.
func (f *facts) settleEnded(want []task.Task) (counting int) {
	for _, t := range want {
		l, ok := f.logs[t.ID]
		if !ok {
			continue
		}
		l.log.SetRunning(!t.Status.Ended())
		known := l.log.Facts()
		if !known.LinesKnown && known.Trouble == "" && !known.Gone {
			if known.Size > smallLog && time.Since(l.opened) < countTurn {
				counting++
			}
			continue
		}
		if time.Since(l.saved) > saveEvery {
			f.save(l)
		}
		if t.Status.Ended() && l.refs == 0 {
			f.remember(t, known)
			f.end(l)
			delete(f.logs, t.ID)
		}
	}
	return counting
}

func (f *facts) remember(t task.Task, k task.Facts) {
	if len(f.known) >= maxRemembered {
		f.known = map[string]task.Facts{}
	}
	f.known[t.ID+" "+outputKey(t)] = k
}

// open begins to follow one output, from the count of an earlier program where
// there is one. Nil where it cannot.
func (f *facts) open(t task.Task) *followed {
	o := output.Options{Decoder: t.Decoder, Command: t.Command, Running: !t.Status.Ended(), Facts: f.load(t.Output.Path)}
	if f.secrets != nil {
		o.Secrets = f.secrets.get(t)
	}
	// The source has followed and judged an agent's links already: Path is the
	// file itself.
	log, err := output.Open(f.w, task.OutputRef{Path: t.Output.Path}, o)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &followed{log: log, stop: cancel, key: outputKey(t), opened: time.Now(), saved: time.Now()}
	f.logs[t.ID] = l
	go f.listen(ctx, log)
	return l
}

// remask has the output of a task masked again, all outputs where id is "".
func (f *facts) remask(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, l := range f.logs {
		if id == "" || id == k {
			l.log.Remask()
		}
	}
}

// listen turns the news of one output into looks at the list, a few a second.
func (f *facts) listen(ctx context.Context, log *output.Log) {
	for rev := uint64(0); ; {
		if log.Changed(ctx, rev) != nil {
			return
		}
		rev = log.Facts().Rev
		f.news()
		select {
		case <-time.After(newsPause):
		case <-ctx.Done():
			return
		}
	}
}

// end keeps the count and closes the output.
func (f *facts) end(l *followed) {
	l.stop()
	f.save(l)
	_ = l.log.Close()
}

// use hands out the output of a task for a console. It shares what the list
// follows; Close gives it back.
func (f *facts) use(t task.Task) (task.Output, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, ok := f.logs[t.ID]
	if ok && l.key != outputKey(t) && l.refs == 0 {
		f.end(l)
		ok = false
	}
	if !ok {
		if l = f.open(t); l == nil {
			return nil, errNoOutput
		}
	}
	l.refs++
	l.log.SetFocused(true)
	return &shared{Output: l.log, f: f, l: l}, nil
}

// shared is one user's hold on an output.
type shared struct {
	task.Output
	f    *facts
	l    *followed
	once sync.Once
}

// Close gives the hold back; the output itself is closed when the list lets go
// of it too.
func (s *shared) Close() error {
	s.once.Do(func() {
		s.f.mu.Lock()
		s.l.refs--
		s.l.log.SetFocused(s.l.refs > 0)
		s.f.mu.Unlock()
	})
	return nil
}
