package claude

import (
	"slices"
	"strings"
	"time"

	"offstage/task"
)

// origin is where an event was read.
type origin struct {
	session string
	// agent is the id of the sub-agent whose transcript it was, "" for the main one.
	agent  string
	reader *reader
	file   *found
}

// seen is an event with its place.
type seen struct {
	event
	from origin
}

// work is everything that is known of one task, before it is judged.
type work struct {
	key, id  string
	launch   *launch
	launched time.Time
	call     string
	from     origin
	run      int
	runSince time.Time
	// ends are the reports of an end of the present run, in order of time.
	ends []end
	// told: the agent was told of the end of the present run.
	told      bool
	lastEvent string
	lastAt    time.Time
	summary   string
	result    string
	usage     string
	// reply is what the agent said when it was told of the end.
	reply      string
	path       string
	delivered  map[string]bool
	hasLaunch  bool
	launchedIn []string
	// stalled is when the client found it waiting for input, at question.
	stalled  time.Time
	question string
	// waits: a sub-agent stopped only until its own background work ends.
	waits bool
}

// end is one report of an end.
type end struct {
	at      time.Time
	status  task.Status
	source  string
	code    *int
	rank    int
	summary string
	result  string
}

// Ranks of reports (K7, A5): the agent's own stop record, its notification,
// what its other records say, the end mark, a reading tool, and last what a
// later client could only guess.
const (
	rankStop = iota
	rankNotice
	rankRecord
	rankMark
	rankRead
	rankOrphan
)

// Words for StatusSource.
const (
	bySource     = "transcript"
	byStop       = "stop record"
	byNotice     = "notification"
	byAgentFile  = "sub-agent record"
	byRunRecord  = "run record"
	byMark       = "end mark"
	byRead       = "task output tool"
	byProcesses  = task.SeenProcesses
	byAgentAlive = "agent alive"
	byAgentGone  = "agent gone"
	byOutput     = "output file"
)

// merge folds the events of all transcripts into works, by task id: after
// /clear or a hand-over the end of a task stands in another transcript than
// its launch.
func merge(events []seen) []*work {
	slices.SortStableFunc(events, func(a, b seen) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return int(min(1, max(-1, a.off-b.off)))
	})
	works := map[string]*work{}
	var order []*work
	var kills []seen
	get := func(key, id string) *work {
		w := works[key]
		if w == nil {
			w = &work{key: key, id: id, run: 1, delivered: map[string]bool{}}
			works[key] = w
			order = append(order, w)
		}
		return w
	}
	for _, e := range events {
		if e.kind == killedAgents || e.kind == killedNamed {
			kills = append(kills, e)
			continue
		}
		for _, id := range e.ids {
			get(workKey(id, e.from.session), id).take(e)
		}
	}
	var out []*work
	for _, w := range order {
		if !w.hasLaunch {
			continue
		}
		for _, k := range kills {
			w.kill(k)
		}
		out = append(out, w)
	}
	return out
}

// workKey is the native id, with its session where ids of that form repeat
// (bash_1 of the first versions).
func workKey(id, session string) string {
	if strings.HasPrefix(id, "bash_") {
		return session + ":" + id
	}
	return id
}

func (w *work) take(e seen) {
	if e.kind == replied {
		w.reply = e.note.result
		return
	}
	if e.at.After(w.lastAt) {
		w.lastAt = e.at
	}
	switch e.kind {
	case launched:
		if e.launch != nil {
			w.start(e)
		}
	case resumed:
		w.again(e.at)
	case stopped:
		w.ends = append(w.ends, end{at: e.at, status: task.Cancelled, source: byStop, rank: rankStop, summary: "Stopped by the agent"})
	case notified:
		w.notice(e)
	case read:
		if st, code, ok := translate(e.note.status, e.note.code); ok {
			w.ends = append(w.ends, end{at: e.at, status: st, source: byRead, code: code, rank: rankRead})
		}
	}
}

// start takes a launch record. The first stands; a copy in a fork or a second
// record after a compaction only adds what is missing.
func (w *work) start(e seen) {
	if !slices.Contains(w.launchedIn, e.from.session) {
		w.launchedIn = append(w.launchedIn, e.from.session)
	}
	if w.launch != nil && (!w.launch.again || e.launch.again) {
		l := w.launch
		l.title, l.command, l.path = firstOf(l.title, e.launch.title), firstOf(l.command, e.launch.command), firstOf(l.path, e.launch.path)
		return
	}
	known := w.launch
	copied := *e.launch
	w.launch, w.from, w.call, w.hasLaunch = &copied, e.from, e.call, true
	w.launched = e.at
	if copied.moved && !copied.called.IsZero() {
		w.launched = copied.called
	}
	if known != nil {
		l := w.launch
		l.title, l.command, l.path = firstOf(l.title, known.title), firstOf(l.command, known.command), firstOf(l.path, known.path)
	}
}

// again begins the next run of an agent that was sent a message (L3).
func (w *work) again(at time.Time) {
	w.run++
	w.runSince, w.ends, w.told, w.waits = at, nil, false, false
	w.summary, w.result, w.reply = "", "", ""
}

// notice takes a notification. Queued ones are all real; a delivery counts
// only where its queueing was not seen.
func (w *work) notice(e seen) {
	n := e.note
	key := n.status + "|" + n.summary + "|" + n.event + "|" + n.usage + "|" + e.call
	if n.delivered && w.delivered[key] {
		return
	}
	if len(w.delivered) < 10000 {
		w.delivered[key] = true
	}
	w.path = firstOf(w.path, n.path)
	if n.event != "" {
		w.lastEvent = n.event
	}
	if n.usage != "" {
		w.usage = n.usage
	}
	if n.status == "" {
		if strings.HasPrefix(n.event, "[Monitor expired") || strings.HasPrefix(n.event, "[Monitor timed out") {
			w.end(end{at: e.at, status: task.TimedOut, source: byNotice, rank: rankRecord, summary: strings.Trim(n.event, "[]")})
			w.told = true
		}
		if strings.Contains(n.summary, "waiting for interactive input") {
			w.stalled, w.question = e.at, n.question
		}
		return
	}
	if strings.Contains(n.summary, "is waiting on its own background work") {
		w.waits = true
		return
	}
	st, code, ok := translate(n.status, n.code)
	if !ok {
		return
	}
	x := end{at: e.at, status: st, source: byNotice, code: code, rank: rankNotice, summary: n.summary, result: n.result}
	if n.orphan {
		x.status, x.rank = task.Lost, rankOrphan
	}
	w.told, w.waits = true, false
	w.end(x)
}

func (w *work) end(x end) {
	if len(w.ends) < 100 {
		w.ends = append(w.ends, x)
	}
}

// kill ends an agent that ran when the person stopped all agents of its
// session, or one by its name: there is no notification with an id then.
func (w *work) kill(k seen) {
	if w.launch.kind != task.Agent || !slices.Contains(w.launchedIn, k.from.session) {
		return
	}
	if k.kind == killedNamed && k.note.summary != w.launch.title {
		return
	}
	since := w.launched
	if w.runSince.After(since) {
		since = w.runSince
	}
	if k.at.Before(since) {
		return
	}
	for _, e := range w.ends {
		if e.at.Before(k.at) {
			return
		}
	}
	w.end(end{at: k.at, status: task.Cancelled, source: bySource, rank: rankRecord, summary: "Stopped by the user"})
	w.told = true
}

// translate turns the client's words into ours; false for a word that is no end.
func translate(status string, code *int) (task.Status, *int, bool) {
	switch status {
	case "completed", "failed":
		switch {
		case code != nil && *code < 0:
			// "exit code unknown" is written as -1.
			return task.Lost, nil, true
		case code != nil && *code > 0, status == "failed":
			return task.Failed, code, true
		}
		return task.Succeeded, code, true
	case "killed", "stopped":
		return task.Cancelled, nil, true
	}
	return "", nil, false
}

// best is the report that stands: the most trusted, of those the first.
func (w *work) best() (end, bool) {
	var b end
	ok := false
	for _, e := range w.ends {
		if !ok || e.rank < b.rank {
			b, ok = e, true
		}
	}
	return b, ok
}
