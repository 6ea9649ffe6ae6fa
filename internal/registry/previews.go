package registry

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/task"
)

// Preview cards (A8): an address that a task printed becomes a card when a process
// of the task is seen listening there, and stays one as long as the task is listed,
// and beyond that while that very socket listens. Who listens is asked of the
// kernel in one cheap question; whose it is, by a look at the processes, and that
// only when the answer changed.

// previews are the cards, past and present.
type previews struct {
	// wanted are the addresses in the last list, whether they listen or not.
	wanted []address
	// cards are those that have listened.
	cards  map[address]served
	looked time.Time
	// sockets are what listened on ports when it was last told whose they are; seen
	// is what listens now, since changed.
	sockets, seen map[int]uint64
	changed       time.Time
}

// address is a port that a task printed.
type address struct {
	task string
	port int
}

type served struct {
	state  task.PreviewState
	socket uint64
}

// maxPreviews bounds the addresses that are looked after.
const maxPreviews = 200

// previewEvery is how soon it is seen that a server came or went while its task
// lives on.
const previewEvery = time.Second

// lookAtPreviews asks who listens at the addresses that tasks printed, and says
// whether that is news. It is asked in every turn of the watching.
func (r *Registry) lookAtPreviews(tasks []task.Task) (news bool) {
	p := &r.previews
	r.mu.Lock()
	wanted := p.wanted
	r.mu.Unlock()
	if len(wanted) == 0 || r.w.Recorded() || time.Since(p.looked) < proc.ListeningEvery {
		return false
	}
	p.looked = time.Now()
	now, err := proc.Listening()
	if err != nil {
		return false // who listens cannot be seen: nothing is said
	}
	if others(wanted, p.seen, now) {
		p.seen, p.changed = now, p.looked
	}
	if others(wanted, p.sockets, now) {
		r.procs.Stale(lookAgain)
		if _, err := r.procs.Table(); err != nil || !r.procs.Taken().After(p.changed) {
			return false // looked at a moment too early; a next turn asks again
		}
		news = r.hold(tasks)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p.sockets = now
	return p.judge(wanted, now, r.ports) || news
}

// watchPreviews wakes the loop when somebody else listens at one of the addresses:
// no event tells of that, and the loop may sleep for seconds.
func (r *Registry) watchPreviews() {
	clock := time.NewTicker(max(previewEvery, proc.ListeningEvery))
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
		case <-r.live.ctx.Done():
			return
		}
		r.mu.Lock()
		wanted, before := r.previews.wanted, r.previews.sockets
		r.mu.Unlock()
		if len(wanted) == 0 || r.w.Recorded() {
			continue
		}
		if now, err := proc.Listening(); err == nil && others(wanted, before, now) {
			r.Wake()
		}
	}
}

// others says whether something else listens at one of the addresses.
func others(wanted []address, before, now map[int]uint64) bool {
	for _, a := range wanted {
		if before[a.port] != now[a.port] {
			return true
		}
	}
	return false
}

// judge says of each address who listens there.
func (p *previews) judge(wanted []address, sockets map[int]uint64, ports map[string][]int) (news bool) {
	if p.cards == nil {
		p.cards = map[address]served{}
	}
	for _, a := range wanted {
		was, known := p.cards[a]
		socket, is := sockets[a.port], served{state: task.PreviewDown, socket: was.socket}
		switch {
		case socket == 0:
		case slices.Contains(ports[a.task], a.port), known && socket == was.socket: // that very socket outlived its task
			is = served{state: task.PreviewUp, socket: socket}
		default:
			is.state = task.PreviewTaken
		}
		if !known && is.state != task.PreviewUp {
			continue // printed, but never seen to be the task's own
		}
		p.cards[a] = is
		news = news || is != was
	}
	return news
}

// fold makes the cards of the tasks in scope and notes which addresses to look
// after. listed are those that have a row; of another task only what still listens
// is a card. Called with the lock held.
func (p *previews) fold(scoped []task.Task, listed map[string]bool, mask func(task.Task) task.Task) []task.Preview {
	var out []task.Preview
	p.wanted = nil
	kept := map[address]served{}
	for _, t := range scoped {
		seen := map[int]bool{}
		for _, url := range t.URLs {
			a := address{t.ID, task.URLPort(url)}
			if a.port == 0 || seen[a.port] || len(p.wanted) >= maxPreviews {
				continue
			}
			seen[a.port] = true
			card, known := p.cards[a]
			if known && !listed[t.ID] && card.state != task.PreviewUp || !known && t.Status.Ended() {
				continue
			}
			p.wanted = append(p.wanted, a)
			if known {
				kept[a] = card
				out = append(out, previewOf(mask(t), url, a.port, card.state))
			}
		}
	}
	p.cards = kept
	return out
}

func previewOf(t task.Task, url string, port int, s task.PreviewState) task.Preview {
	label := ""
	if t.Cwd != "" {
		label = path.Base(strings.ReplaceAll(t.Cwd, `\`, "/"))
	}
	for _, u := range t.URLs { // as it is masked on the task
		if task.URLPort(u) == port {
			url = u
			break
		}
	}
	return task.Preview{Task: t.ID, Owner: t.Title, Session: t.Session, Label: label, URL: url, Port: port, State: s}
}

// fullURLPatience is how long an output may take to find an address again.
const fullURLPatience = 5 * time.Second

// FullURL is the whole of an address that a task printed, for opening it: in a
// snapshot it is masked (A8). An error is one sentence.
func (r *Registry) FullURL(ctx context.Context, id, shown string) (string, error) {
	t, err := r.readable(id)
	if err != nil {
		return "", err
	}
	out, err := r.facts.use(t)
	if err != nil {
		return "", err
	}
	defer func() { _ = out.Close() }()
	log, ok := out.(*shared).Output.(interface{ FullURL(string) (string, bool) })
	if !ok {
		return "", errNoAddress
	}
	ctx, cancel := context.WithTimeout(ctx, fullURLPatience)
	defer cancel()
	for {
		if url, found := log.FullURL(shown); found {
			return url, nil
		}
		f := out.Facts()
		if f.LinesKnown {
			return "", errNoAddress
		}
		if err := out.Changed(ctx, f.Rev); err != nil {
			return "", fmt.Errorf("find the address in the output of %s: %w", id, err)
		}
	}
}

var errNoAddress = errors.New("this address is not in the task's output any more")
