package registry

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// An output that its agent keeps in memory and tells only to those who listen is
// kept in a file of ours while somebody looks at it: what the agent told of it
// before, then what it prints. So it is read, counted, searched and masked as every
// other. The file is there for as long as the task runs and this program does, so
// that an output opened again shows what was seen of it. Nobody listens when nobody
// looks. When the task ends the agent's own record has all of it.

// Bounds of listening.
const (
	maxListens = 16
	// maxHeard is how much is kept of one output; then it begins anew.
	maxHeard = 64 << 20
	// An agent that breaks off is listened to again after a second, later half a
	// minute.
	listenAgain = time.Second
	listenLater = 30 * time.Second
	// strangeAfter is how old a file of a program that does not run must be: one of
	// another container cannot be seen to run.
	strangeAfter = time.Hour
)

// listens are the outputs that are or were listened to.
type listens struct {
	mu     sync.Mutex
	of     map[string]*listening // by the task's id
	count  int
	swept  bool
	closed bool
}

// listening is one of them.
type listening struct {
	channel task.Channel
	run     int
	spool   *spool
	refs    int
	stop    context.CancelFunc
	ended   chan struct{} // closed when nobody listens any more
	since   time.Time     // when listening began
}

// listen begins to listen to a running task, where that is the way to its output,
// and gives the task with the file that it is kept in; done ends it. done is nil
// where there is nothing to listen to.
func (r *Registry) listen(t task.Task) (_ task.Task, done func()) {
	if t.Channel == nil || t.Status.Ended() || r.o.State == "" || r.w.Recorded() {
		return t, nil
	}
	k := &r.listens
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return t, nil
	}
	if !k.swept {
		k.swept = true
		r.sweepSpools()
	}
	l := k.of[t.ID]
	if l == nil || l.run != t.Run {
		if l != nil && l.refs > 0 || len(k.of) >= maxListens {
			return t, nil
		}
		name := r.spoolName(k.count)
		k.count++
		s, err := newSpool(filepath.Join(r.o.State, spools), name, r.w)
		if err != nil {
			return t, nil // the agent's record is shown instead
		}
		if l != nil {
			l.spool.remove()
		}
		l = &listening{channel: t.Channel, run: t.Run, spool: s}
		s.begin(t.Channel.Before(r.live.ctx))
		if k.of == nil {
			k.of = map[string]*listening{}
		}
		k.of[t.ID] = l
	}
	if l.refs++; l.refs == 1 {
		r.start(l)
	}
	r.Wake()
	return l.on(t), func() { r.leave(t.ID, l) }
}

// start listens beside the caller until leave.
func (r *Registry) start(l *listening) {
	ctx, cancel := context.WithCancel(r.live.ctx)
	l.stop, l.ended, l.since = cancel, make(chan struct{}), r.w.Now()
	go func(ended chan struct{}) {
		defer close(ended)
		l.follow(ctx)
	}(l.ended)
}

// follow listens, again where the agent breaks off.
func (l *listening) follow(ctx context.Context) {
	for pause := listenAgain; ; pause = min(2*pause, listenLater) {
		l.spool.gap()
		began := time.Now()
		err := l.channel.Listen(ctx, l.spool)
		if err == nil || ctx.Err() != nil || l.spool.broken() {
			return
		}
		l.spool.note("Its agent does not tell what it prints any more; it is asked again.")
		if time.Since(began) > listenLater {
			pause = listenAgain
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// leave ends one use; nobody listens when nobody looks.
func (r *Registry) leave(id string, l *listening) {
	k := &r.listens
	k.mu.Lock()
	l.refs--
	last := l.refs == 0
	stop, ended := l.stop, l.ended
	k.mu.Unlock()
	if last {
		stop()
		<-ended
		r.Wake()
	}
}

// on is the task with the file in the place of the agent's record.
func (l *listening) on(t task.Task) task.Task {
	t.Output.Path, t.Decoder, t.Can.Read = l.spool.path, nil, true
	var deaf bool
	t.Output.Bytes, t.Output.LastWrite, deaf = l.spool.state()
	t.Output.Unheard = deaf || l.refs == 0
	if l.since.After(t.Output.LastWrite) {
		t.Output.LastWrite = l.since // whether it was quiet before is not known
	}
	return t
}

// heard puts the files of those that are listened to into what the sources told,
// and removes those that are not wanted any more.
func (r *Registry) heard(raw task.Snapshot) task.Snapshot {
	k := &r.listens
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.of) == 0 {
		return raw
	}
	running := map[string]bool{}
	tasks := make([]task.Task, len(raw.Tasks))
	for i, t := range raw.Tasks {
		if l := k.of[t.ID]; l != nil && l.run == t.Run {
			running[t.ID] = !t.Status.Ended()
			if running[t.ID] || l.refs > 0 {
				t = l.on(t)
			}
		}
		tasks[i] = t
	}
	raw.Tasks = tasks
	for id, l := range k.of {
		switch {
		case running[id]:
		case l.refs > 0:
			l.stop() // there is nothing more to hear
		default:
			l.spool.remove()
			delete(k.of, id)
		}
	}
	return raw
}

// close ends all listening and removes the files.
func (k *listens) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	for id, l := range k.of {
		if l.refs > 0 {
			l.stop()
			<-l.ended
		}
		l.spool.remove()
		delete(k.of, id)
	}
}

// heardOutput is an output with the listening that it needs.
type heardOutput struct {
	task.Output
	once sync.Once
	done func()
}

// Close gives both back.
func (l *heardOutput) Close() error {
	err := l.Output.Close()
	l.once.Do(l.done)
	return err
}

// spoolName is a name that tells whose file it is: this program, and a count.
func (r *Registry) spoolName(n int) string {
	id, err := proc.Identify(ownPID())
	if err != nil {
		id.PID = ownPID()
	}
	return nameOf(id) + "-" + strconv.Itoa(n) + spoolEnding
}

// nameOf is a program's pid and start: 48217-9120331.
func nameOf(id proc.ID) string { return strconv.Itoa(id.PID) + "-" + strconv.FormatUint(id.Start, 10) }

// sweepSpools removes the files of programs that were killed.
func (r *Registry) sweepSpools() {
	for path, id := range strangeSpools(filepath.Join(r.o.State, spools)) {
		st, err := os.Lstat(path)
		if err == nil && id.PID != ownPID() && !proc.Lives(id) && r.w.Since(st.ModTime()) > strangeAfter {
			_ = os.Remove(path)
		}
	}
}
