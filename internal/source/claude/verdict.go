package claude

import (
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// grace is how long a task may have no process and no record of its end before
// it is lost: the client writes both within a fifth of a second.
const grace = 5 * time.Second

// verdict is a status with its source and the time it was so.
type verdict struct {
	status task.Status
	source string
	at     time.Time
	ended  time.Time
	code   *int
	end    end
}

// sight is what can be seen of a task's processes at this moment.
type sight struct {
	// looked: the process table was there and the question could be asked.
	looked bool
	// alive: a process of the task was found.
	alive bool
	// owner is the client that runs it now, nil if none lives.
	owner *client
	// unseen: its processes cannot be seen from here (G6).
	unseen bool
	// noTable: there is no process table at all.
	noTable bool
	// launchedBy is set where the session's file is still there though its client died.
	leftover bool
}

// judge decides the state of a task (K7, A5). Stops from here are the
// registry's: it knows the intents.
func (s *Source) judge(w *work, o outFile, v sight) verdict {
	marked := w.markEnd(o)
	best, ok := w.best()
	if ok && best.rank < rankMark {
		return settle(best, marked)
	}
	if v.alive {
		// A mark while a process still writes is the command's own text, or the
		// process has not died yet: alive is alive.
		s.lastSeen[w.key] = s.now
		return verdict{status: task.Running, source: byProcesses, at: s.now}
	}
	if marked.status != "" {
		return settle(marked, marked)
	}
	if ok && best.rank < rankOrphan {
		return settle(best, marked)
	}
	if ok {
		return settle(best, marked)
	}
	return s.openState(w, o, v)
}

// settle makes the verdict of a report of an end; a code that only the end
// mark has is taken from there when both agree.
func settle(e, marked end) verdict {
	if e.code == nil && marked.code != nil && marked.status == e.status {
		e.code = marked.code
	}
	return verdict{status: e.status, source: e.source, at: e.at, ended: e.at, code: e.code, end: e}
}

// markEnd is the end that the mark in the output file tells.
func (w *work) markEnd(o outFile) end {
	m := o.mark
	if !m.set || (w.launch.kind != task.Shell && w.launch.kind != task.Monitor) {
		return end{}
	}
	e := end{at: o.ref.LastWrite, source: byMark, rank: rankMark}
	switch {
	case m.killed:
		e.status = task.Cancelled
		if w.launch.timeout > 0 && !e.at.Before(w.launched.Add(w.launch.timeout)) {
			e.status = task.TimedOut
		}
	case m.unknown:
		e.status = task.Lost
	case m.code == 0:
		e.status, e.code = task.Succeeded, &m.code
	default:
		e.status, e.code = task.Failed, &m.code
	}
	return e
}

// openState is the state of a task that nothing says has ended and of which no
// process was found.
func (s *Source) openState(w *work, o outFile, v sight) verdict {
	running := verdict{status: task.Running, source: bySource, at: w.lastAt}
	switch {
	case v.unseen, v.noTable && v.owner != nil, v.noTable && v.leftover:
		return running
	case w.inside():
		// It lives in the agent's own process and dies with it.
		if v.owner != nil && !s.pastTimeout(w) && !w.olderThan(v.owner) {
			running.source, running.at = byAgentAlive, s.now
			return running
		}
	case v.owner != nil && !v.looked && !v.noTable:
		running.source = byAgentAlive
		return running
	}
	var last time.Time
	for _, t := range []time.Time{w.lastAt, o.ref.LastWrite, s.lastSeen[w.key], w.runSince} {
		// A time that is still to come (a clock was set back) proves nothing.
		if t.After(last) && t.Before(s.now.Add(grace)) {
			last = t
		}
	}
	if s.now.Sub(last) < grace {
		return running
	}
	source := byProcesses
	if v.owner == nil || w.olderThan(v.owner) {
		source = byAgentGone
	}
	return verdict{status: task.Lost, source: source, at: s.now, ended: last}
}

// olderThan says that the task began before the client that has its session
// now: a resumed session does not take over what lived inside the old client.
func (w *work) olderThan(c *client) bool {
	since := w.launched
	if w.runSince.After(since) {
		since = w.runSince
	}
	return w.inside() && !c.startedAt.IsZero() && c.startedAt.After(since.Add(grace))
}

// inside says that no process of its own belongs to the task.
func (w *work) inside() bool {
	switch w.launch.kind {
	case task.Shell:
		return false
	case task.Monitor:
		return w.launch.command == ""
	}
	return true
}

// pastTimeout: a monitor outlived its limit without a word.
func (s *Source) pastTimeout(w *work) bool {
	l := w.launch
	return l.kind == task.Monitor && l.timeout > 0 && !l.persistent && s.now.Sub(w.launched) > l.timeout+2*grace
}

// older says whether version a comes before b, by its numbers.
func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range y {
		if i >= len(x) {
			return true
		}
		m, errM := strconv.Atoi(x[i])
		n, errN := strconv.Atoi(y[i])
		if errM != nil || errN != nil {
			return false
		}
		if m != n {
			return m < n
		}
	}
	return false
}

// writesItself says whether the child holds the output file as fd 1 and 2:
// monitors and 2.0 clients write it themselves, through a socket.
func (w *work) writesItself() bool {
	return w.launch.kind == task.Shell && (w.launch.version == "" || !older(w.launch.version, "2.1.0"))
}
