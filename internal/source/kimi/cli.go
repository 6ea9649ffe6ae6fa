package kimi

import (
	"crypto/md5" //nolint:gosec // the agent names its folders so
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/source/trace"
	"offstage/task"
)

// cliHome is the folder of Kimi CLI 1.x: sessions/<md5 of the folder>/<uuid>/
// tasks/<id>/ with spec.json, runtime.json, control.json and output.log.
type cliHome struct {
	recorded string
	shelf    trace.Shelf
	tasks    map[string]*cliTask
	// cwds are the folders that kimi.json lists, by the name that stands for them.
	cwds   map[string]string
	listAt time.Time
}

func (h *cliHome) init(recorded string) {
	h.recorded, h.tasks = recorded, map[string]*cliTask{}
	h.shelf.Pattern = "sessions/*/*/tasks/*"
}

// cliSpec is what was asked for; it never changes.
type cliSpec struct {
	ID          string  `json:"id"`
	Kind        string  `json:"kind"` // bash, agent
	SessionID   string  `json:"session_id"`
	Description string  `json:"description"`
	ToolCallID  string  `json:"tool_call_id"`
	CreatedAt   float64 `json:"created_at"` // s
	Command     string  `json:"command"`
	Cwd         string  `json:"cwd"`
	TimeoutS    float64 `json:"timeout_s"`
}

// cliRuntime is how it stands, written by its worker alone.
type cliRuntime struct {
	Status        string  `json:"status"`
	WorkerPID     int     `json:"worker_pid"`
	ChildPID      int     `json:"child_pid"`
	StartedAt     float64 `json:"started_at"` // s
	HeartbeatAt   float64 `json:"heartbeat_at"`
	UpdatedAt     float64 `json:"updated_at"`
	FinishedAt    float64 `json:"finished_at"`
	ExitCode      *int    `json:"exit_code"`
	Interrupted   bool    `json:"interrupted"`
	TimedOut      bool    `json:"timed_out"`
	FailureReason string  `json:"failure_reason"`
}

// cliControl is the file by which anybody may ask the worker for a stop.
type cliControl struct {
	KillRequestedAt float64 `json:"kill_requested_at"` // s
	KillReason      string  `json:"kill_reason"`
}

// cliTask is one task's folder with what was read of it.
type cliTask struct {
	rel       string
	spec      cliSpec
	runtime   cliRuntime
	control   cliControl
	specRead  bool
	runtimeAt time.Time
	controlAt time.Time
	broken    bool
}

func (x *cliTask) open() bool {
	switch x.runtime.Status {
	case "completed", "failed", "killed", "lost":
		return false
	}
	return x.runtime.FinishedAt == 0
}

// look reads what changed.
func (x *cliTask) look(f *trace.Folder) {
	x.broken = false
	if !x.specRead {
		_, err := f.JSON(path.Join(x.rel, "spec.json"), &x.spec)
		x.specRead, x.broken = err == nil, err != nil
	}
	again := func(name string, at *time.Time, into any) {
		rel := path.Join(x.rel, name)
		st, err := f.Stat(rel)
		if err != nil || st.ModTime().Equal(*at) {
			return
		}
		if _, err := f.JSON(rel, into); err != nil {
			x.broken = true
			return
		}
		*at = st.ModTime()
	}
	again("runtime.json", &x.runtimeAt, &x.runtime)
	again("control.json", &x.controlAt, &x.control)
}

// scanCLI tells of Kimi CLI 1.x. Only sessions with background tasks are known
// from its files.
func (s *Source) scanCLI(l *trace.Look) {
	h := &s.cli
	f := l.Open(h.recorded)
	if f == nil {
		clear(h.tasks)
		return
	}
	defer f.Close()
	h.readCwds(f)
	sessions := map[string]*cliSession{}
	here := map[string]bool{}
	items := h.shelf.Scan(f, l.V.Now, l.More)
	if !h.shelf.Complete() {
		l.Later()
	}
	for i, it := range items {
		here[it.Rel] = true
		x := h.tasks[it.Rel]
		if x == nil {
			if i >= 4 && !l.More() {
				l.Later()
				continue
			}
			x = &cliTask{rel: it.Rel}
			h.tasks[it.Rel] = x
			x.look(f)
		} else if x.open() || x.broken {
			x.look(f)
		}
		t := s.cliRow(f, l, x, h)
		if t.Status.Ended() && !l.Recent(t.Ended) {
			continue
		}
		l.Watch(f, x.rel)
		one := sessions[t.Session]
		if one == nil {
			one = &cliSession{id: t.Session, cwd: t.Cwd}
			sessions[t.Session] = one
		}
		one.add(t, x)
		l.Snap.Tasks = append(l.Snap.Tasks, t)
	}
	for rel := range h.tasks {
		if !here[rel] && h.shelf.Complete() {
			delete(h.tasks, rel)
		}
	}
	l.Sessions(len(sessions))
	s.cliSessions(l, sessions)
	l.Watch(f, h.shelf.Folders()...)
}

// readCwds reads the list of work folders: a session's folder is named by a hash.
func (h *cliHome) readCwds(f *trace.Folder) {
	st, err := f.Stat("kimi.json")
	if err != nil || st.ModTime().Equal(h.listAt) {
		return
	}
	var list struct {
		WorkDirs []struct {
			Path string `json:"path"`
		} `json:"work_dirs"`
	}
	if _, err := f.JSON("kimi.json", &list); err != nil {
		return
	}
	h.listAt, h.cwds = st.ModTime(), map[string]string{}
	for _, d := range list.WorkDirs {
		sum := md5.Sum([]byte(d.Path)) //nolint:gosec // a name, not a secret
		h.cwds[hex.EncodeToString(sum[:])] = d.Path
	}
}

// cliRow makes a row of a task's folder.
func (s *Source) cliRow(f *trace.Folder, l *trace.Look, x *cliTask, h *cliHome) task.Task {
	parts := strings.Split(x.rel, "/") // sessions, hash, uuid, tasks, id
	id := parts[4]
	t := task.Task{
		ID: Name + ":" + id, Source: Name, Native: id, Kind: kind(x.spec.Kind), Run: 1, Session: Name + ":" + parts[2],
		Title: trace.First(x.spec.Description, trace.FirstLine(x.spec.Command), id), Command: x.spec.Command,
		Cwd: trace.First(x.spec.Cwd, h.cwds[parts[1]]), ToolCall: x.spec.ToolCallID,
		Started: later(trace.Seconds(x.runtime.StartedAt), trace.Seconds(x.spec.CreatedAt)),
	}
	if x.broken {
		l.Broken(&t)
	}
	if x.spec.TimeoutS > 0 && !t.Started.IsZero() {
		t.Timeout = t.Started.Add(time.Duration(min(x.spec.TimeoutS, 1e9)) * time.Second)
	}
	log := path.Join(x.rel, "output.log")
	if st, ok := f.Holds(log); ok {
		t.Output = task.OutputRef{Path: f.Real(log), Recorded: f.Recorded(log), Bytes: st.Size(), LastWrite: st.ModTime()}
	}
	t.Can.Read = t.Output.Path != ""
	s.judgeCLI(&t, l.V, x)
	return t
}

// judgeCLI says how a task stands: a heartbeat older than 15 s means that the
// worker is gone, not that the command is.
func (s *Source) judgeCLI(t *task.Task, v trace.View, x *cliTask) {
	r := x.runtime
	at := later(trace.Seconds(r.UpdatedAt), x.runtimeAt)
	ended := func(st task.Status) {
		trace.Verdict{Status: st, Source: trace.ByRecord, At: at, Ended: later(trace.Seconds(r.FinishedAt), at)}.On(t)
		t.Summary = trace.First(r.FailureReason, x.control.KillReason)
		if r.ExitCode != nil && *r.ExitCode >= 0 && st != task.Cancelled {
			t.ExitCode = r.ExitCode
		}
	}
	root, alive := trace.Process(v.Table, r.ChildPID, trace.Seconds(r.StartedAt), x.spec.Command)
	switch {
	case r.Status == "completed":
		ended(task.Succeeded)
	case r.TimedOut:
		ended(task.TimedOut)
	case r.Status == "failed":
		ended(task.Failed)
	case r.Status == "killed":
		ended(task.Cancelled)
	case r.Status == "lost" && !alive:
		ended(task.Lost)
	case (r.Status == "created" || r.Status == "") && r.ChildPID == 0 && v.Now.Sub(at) < time.Minute:
		trace.Verdict{Status: task.Queued, Source: trace.ByRecord, At: at}.On(t)
	default:
		beats := v.Now.Sub(trace.Seconds(r.HeartbeatAt)).Abs() < 15*time.Second
		v.Open(trace.Opening{Alive: alive, Agent: beats, Writes: true, Started: t.Started, Written: later(trace.Seconds(r.HeartbeatAt), at)}).On(t)
	}
	if t.Status.Ended() {
		return
	}
	_, worker := trace.Process(v.Table, r.WorkerPID, time.Time{}, "kimi")
	v.Note(t, worker)
	if alive {
		t.Evidence.Roots = []task.ProcessID{root}
	}
	if w, ok := trace.Process(v.Table, r.WorkerPID, time.Time{}, "kimi"); ok {
		t.Evidence.AgentPID, t.Evidence.AgentStart = w.PID, w.Start
	}
	if x.spec.Kind == "agent" {
		t.Can.WhyNot = "It runs inside Kimi CLI: stop it there (/tasks)."
		return
	}
	t.Can.Stop, t.Can.WhyNot = trace.CanStop(s.W.Recorded(), v.Table, root, "Kimi CLI", "/tasks")
	if x.control.KillRequestedAt > 0 {
		t.Activity, t.ActivityAt = "a stop was asked for through its control file", trace.Seconds(x.control.KillRequestedAt)
	}
}

// cliSession is what the tasks of one session tell of it.
type cliSession struct {
	id, cwd string
	written time.Time
	running int
	worker  bool
	tasks   []task.Task
}

func (c *cliSession) add(t task.Task, x *cliTask) {
	c.tasks = append(c.tasks, t)
	c.cwd = trace.First(c.cwd, t.Cwd)
	if x.runtimeAt.After(c.written) {
		c.written = x.runtimeAt
	}
	if !t.Status.Ended() {
		c.running++
		c.worker = c.worker || t.Evidence.AgentPID > 0
	}
}

func (s *Source) cliSessions(l *trace.Look, list map[string]*cliSession) {
	var candidates []trace.Candidate
	for id, c := range list {
		candidates = append(candidates, trace.Candidate{ID: id, Cwd: c.cwd, Written: c.written})
	}
	slices.SortFunc(candidates, func(a, b trace.Candidate) int { return strings.Compare(a.ID, b.ID) })
	owners := trace.Owners(s.programs.Look(l.V.Table), candidates)
	for _, one := range candidates {
		c := list[one.ID]
		owner, live := owners[c.id]
		x := task.Session{ID: c.id, Agent: Name, Native: strings.TrimPrefix(c.id, Name+":"), Cwd: c.cwd, UpdatedAt: c.written,
			Interactive: true, PID: owner.PID, PIDStart: owner.Start, State: trace.State(live, false, c.running),
			AgentGone: l.V.Table != nil && !live && c.running > 0, Cards: trace.Cards(c.id, c.tasks)}
		l.Snap.Sessions = append(l.Snap.Sessions, x)
	}
}
