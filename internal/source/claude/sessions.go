package claude

import (
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/tasklist"
	"offstage/task"
)

// sessions makes a session of every transcript that was looked at and of every
// client that has none yet.
func (v *view) sessions(tasks []task.Task) []task.Session {
	running, of := map[string]int{}, map[string][]task.Task{}
	for _, t := range tasks {
		of[t.Session] = append(of[t.Session], t)
		if !t.Status.Ended() && !t.Foreground {
			running[t.Session]++
		}
	}
	from := map[string]string{}
	for a, b := range v.next {
		from[b] = a
	}
	var out []task.Session
	done := map[string]bool{}
	for _, f := range v.chosen {
		r := v.s.readers[f.real]
		if !r.started {
			continue
		}
		done[f.session] = true
		out = append(out, v.one(f.session, f, r, running, from, of))
	}
	for _, group := range []map[string]*client{v.by, v.left} {
		ids := make([]string, 0, len(group))
		for id := range group {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range ids {
			if !done[id] {
				done[id] = true
				out = append(out, v.one(id, nil, nil, running, from, of))
			}
		}
	}
	// A task may belong to a session whose transcript was not chosen.
	for _, t := range tasks {
		if id := strings.TrimPrefix(t.Session, Name+":"); !done[id] {
			done[id] = true
			out = append(out, v.one(id, nil, nil, running, from, of))
		}
	}
	return out
}

func (v *view) one(id string, f *found, r *reader, running map[string]int, from map[string]string, of map[string][]task.Task) task.Session {
	s := task.Session{ID: Name + ":" + id, Agent: Name, Native: id, Interactive: true}
	var x *extract
	if f != nil {
		x = r.x
		s.Transcript, s.Trouble = f.real, r.trouble
		s.Cwd, s.Version, s.Branch = x.cwd.value, x.version.value, x.branch.value
		s.StartedAt, s.UpdatedAt = x.firstAt, r.modified
		s.Title = firstOf(x.title.value, x.aiTitle.value, x.summary.value, x.prompt, firstLine(x.lastPrompt.value), x.name.value)
		s.Interactive = !strings.HasPrefix(x.entrypoint.value, "sdk")
		if r.tooLong > 0 {
			s.Trouble = "The transcript has lines of more than 64 MB; they were passed over."
		}
		s.Plan = v.plan(f, r)
	}
	c := v.by[id]
	if c == nil {
		c = v.left[id]
	}
	if c != nil {
		v.fromClient(&s, c)
	}
	if prev := from[id]; prev != "" {
		s.Continues = Name + ":" + prev
	}
	s.State, s.StateSince = v.state(id, x, running[s.ID], s.Interactive)
	s.AgentGone = v.by[id] == nil && (v.left[id] != nil || running[s.ID] > 0)
	s.Unreported = s.State == task.BackgroundOnly && running[s.ID] == 0 && (r == nil || r.low == 0) && v.settled(s, of[s.ID])
	s.Cards = cards(s, of[s.ID])
	return s
}

// settled: neither the client's word nor a task's end is so fresh that one may
// not know of the other yet.
func (v *view) settled(s task.Session, tasks []task.Task) bool {
	for _, t := range tasks {
		if v.s.now.Sub(t.Ended) < grace {
			return false
		}
	}
	return v.s.now.Sub(s.StateSince) >= grace
}

func (v *view) fromClient(s *task.Session, c *client) {
	s.Cwd, s.Version = firstOf(c.cwd, s.Cwd), firstOf(c.version, s.Version)
	s.Title = firstOf(s.Title, c.name)
	s.Pane = c.pane
	if c.entrypoint != "" {
		s.Interactive = !strings.HasPrefix(c.entrypoint, "sdk")
	}
	if !c.startedAt.IsZero() && (s.StartedAt.IsZero() || c.startedAt.Before(s.StartedAt)) {
		s.StartedAt = c.startedAt
	}
	if c.statusAt.After(s.UpdatedAt) {
		s.UpdatedAt = c.statusAt
	}
	if c.alive {
		s.PID, s.PIDStart = c.id.PID, c.id.Start
		s.WaitingFor = c.waitingFor
		if c.unseen {
			s.Trouble = task.CannotSee + " or on another host. Open offstage there to see and stop them."
		}
	}
}

// state says what a session does now (A7): what its file says, refined by the
// end of the conversation; without a file by the conversation alone.
func (v *view) state(id string, x *extract, running int, interactive bool) (task.SessionState, time.Time) {
	var t turn
	if x != nil {
		t = x.turn.value
	}
	c := v.by[id]
	if c == nil {
		return v.withoutClient(id, x)
	}
	since := c.statusAt
	switch c.status {
	case "waiting":
		return task.WaitingPerson, since
	case "shell":
		return task.BackgroundOnly, since
	case "idle":
		return task.Idle, since
	case "busy":
		if t.over && t.agents+t.workflow > 0 {
			return task.BackgroundOnly, t.at
		}
		// A headless run stays busy while its shells run after the last word.
		if !interactive && (t.over || t.answered) && running > 0 {
			return task.BackgroundOnly, t.at
		}
		return task.RunningTurn, since
	}
	// An older client does not say: the conversation does.
	switch {
	case t.at.IsZero(), t.over, t.answered:
		if running > 0 {
			return task.BackgroundOnly, t.at
		}
		return task.Idle, t.at
	}
	return task.RunningTurn, t.at
}

// quietSession is how long a session without any client on record counts as
// idle where processes cannot be seen.
const quietSession = 30 * time.Minute

func (v *view) withoutClient(id string, x *extract) (task.SessionState, time.Time) {
	var last time.Time
	if x != nil {
		last = x.lastAt.value
	}
	if v.table == nil && v.left[id] == nil && !last.IsZero() && v.s.now.Sub(last) < quietSession {
		return task.Idle, last
	}
	return task.EndedSession, last
}

// plan is the agent's own list (T7): by replay, or as the files show it where
// the transcript has no call of it (yet).
func (v *view) plan(f *found, r *reader) task.Plan {
	if !r.replayed {
		var replay tasklist.Replay
		for _, e := range r.x.ordered(planned) {
			if e.plan.name != "" {
				replay.Call(e.plan.name, e.plan.input, e.plan.result)
			}
		}
		r.plan, r.replayed = replay.Plan(), true
	}
	if r.low == 0 && r.plan.Native {
		return r.plan
	}
	folder := path.Join(f.config, "tasks", f.session)
	if len(v.s.list(folder)) == 0 {
		return r.plan
	}
	if p := tasklist.ReadFolder(v.s.w.Path(folder)); len(p.Entries) > 0 {
		return p
	}
	return r.plan
}

// ordered are the events of one kind in the order of the file.
func (x *extract) ordered(kind eventKind) []event {
	var out []event
	for _, e := range x.events {
		if e.kind == kind {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b event) int {
		if a.off != b.off {
			return int(min(1, max(-1, a.off-b.off)))
		}
		return a.part - b.part
	})
	return out
}

// maxCards bounds the session view (A12).
const maxCards = 50

// cards are the finished sub-agents and workflows of a session and what its agent
// said when it was told of an end (I4), newest first, and what it went on from.
func cards(s task.Session, tasks []task.Task) []task.Card {
	var out []task.Card
	for _, t := range tasks {
		if t.Status.Ended() && t.Continuation != "" {
			out = append(out, task.Card{Task: t.ID, Title: t.Title, Text: t.Continuation, At: t.Ended, Kind: "continuation", Failed: t.Status.Bad()})
		}
		if !t.Status.Ended() || (t.Kind != task.Agent && t.Kind != task.Workflow) {
			continue
		}
		card := task.Card{Task: t.ID, Title: t.Title, Text: firstOf(t.Result, t.Summary), At: t.Ended, Kind: string(t.Kind),
			Failed: t.Status == task.Failed || t.Status == task.TimedOut}
		if t.Kind == task.Workflow {
			card.Title = task.WorkflowTitle(t)
		}
		out = append(out, card)
	}
	slices.SortStableFunc(out, func(a, b task.Card) int { return b.At.Compare(a.At) })
	if len(out) > maxCards {
		out = out[:maxCards]
	}
	if s.Continues != "" {
		out = append(out, task.Card{Title: "Continues an earlier session", Text: s.Continues, At: s.StartedAt, Kind: "session"})
	}
	return out
}
