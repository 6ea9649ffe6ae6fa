package left

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// Name of the source, and the first part of its ids: "left:PID-START".
const Name = "left"

// minAge: what is younger may be a command that is only just being started.
const minAge = 5 * time.Second

// maxCommand bounds a command line that is shown, in bytes.
const maxCommand = 4000

// Source looks for left-behind processes in the shared process table. One look at
// the environments serves all rows until the table is read anew.
type Source struct {
	w     *world.World
	procs func() (*proc.Table, error)

	mu    sync.Mutex
	table *proc.Table
	last  task.Snapshot
	// read are processes whose marks are known: an environment changes only when
	// a process becomes another program.
	read map[proc.ID]known
}

type known struct {
	comm string
	origin
	marked bool
}

// New reads the table that procs shares.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	return &Source{w: w, procs: procs, read: map[proc.ID]known{}}
}

// Dirs: there is no folder whose change is news.
func (s *Source) Dirs() []string { return nil }

// Scan lists what was left behind, one task for each tree, and the sessions that
// the marks name, all as ended: a source that knows a session better wins. Where
// processes cannot be seen the list is empty; other sources say so.
func (s *Source) Scan(context.Context) (task.Snapshot, error) {
	table, err := s.procs()
	if err != nil {
		return task.Snapshot{At: s.w.Now()}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if table == s.table {
		return s.last, nil
	}
	found := s.orphans(table)
	s.table, s.last = table, s.snapshot(table, found)
	return s.last, nil
}

// orphan is one tree that was left behind, by its topmost process.
type orphan struct {
	proc.Proc
	origin
	args []string
}

// orphans are the topmost marked processes that no agent stands above.
func (s *Source) orphans(t *proc.Table) []orphan {
	marked := map[int]origin{}
	rows := t.All()
	fresh := make(map[proc.ID]known, len(s.read))
	for _, p := range rows {
		if p.Dead() || p.TTY || !t.Own(p) {
			continue
		}
		k, ok := s.read[p.ID]
		if !ok || k.comm != p.Comm {
			k = known{comm: p.Comm}
			k.origin, k.marked = originOf(t, p.PID)
		}
		fresh[p.ID] = k
		if k.marked {
			marked[p.PID] = k.origin
		}
	}
	s.read = fresh
	var out []orphan
	for _, p := range rows {
		o, ok := marked[p.PID]
		if !ok || s.young(t, p) {
			continue
		}
		if root, ok := rootOf(t, p, o, marked); !ok || root != p.PID {
			continue
		}
		out = append(out, orphan{Proc: p, origin: o, args: t.Args(p.PID)})
	}
	return out
}

func (s *Source) young(t *proc.Table, p proc.Proc) bool {
	at := t.StartedAt(p.ID)
	return !at.IsZero() && s.w.Now().Sub(at) < minAge
}

// rootOf is the topmost marked process above p, p itself included; ok is false
// where an agent, an editor, a terminal or Offstage stands in that line: then p
// belongs to a command that still runs, or to a place where people work.
func rootOf(t *proc.Table, p proc.Proc, o origin, marked map[int]origin) (pid int, ok bool) {
	root := p.PID
	for _, a := range append([]proc.Proc{p}, t.Ancestors(p.PID)...) {
		if a.PID <= 1 {
			break
		}
		if o.agentPID == a.PID || t.IsAgent(a.PID) || host(a.Comm, t.Args(a.PID)) {
			return 0, false
		}
		if _, is := marked[a.PID]; is {
			root = a.PID
		} else if a.PID != p.PID && a.TTY {
			return 0, false // a person's shell: they started it by hand
		}
	}
	return root, true
}

// snapshot turns the trees into tasks; helpers of one session are one line.
func (s *Source) snapshot(t *proc.Table, found []orphan) task.Snapshot {
	snap := task.Snapshot{At: s.w.Now()}
	helpers := map[string][]orphan{}
	for _, o := range found {
		if helper(o.args) {
			helpers[o.sessionID()] = append(helpers[o.sessionID()], o)
			continue
		}
		snap.Tasks = append(snap.Tasks, s.task(t, o))
	}
	for _, list := range helpers {
		snap.Tasks = append(snap.Tasks, s.helpers(t, list))
	}
	slices.SortFunc(snap.Tasks, func(a, b task.Task) int { return strings.Compare(a.ID, b.ID) })
	snap.Sessions = s.sessions(found)
	return snap
}

// sessionID is the session as its agent's source names it.
func (o orphan) sessionID() string {
	if o.session == "" {
		return o.mark.agent + ":left-behind"
	}
	return o.mark.agent + ":" + o.session
}

func (s *Source) task(t *proc.Table, o orphan) task.Task {
	x := s.row(t, o)
	x.Native = strconv.Itoa(o.PID) + "-" + strconv.FormatUint(o.Start, 10)
	x.ID = Name + ":" + x.Native
	x.Command = commandLine(o.args)
	x.Title = title(o.args)
	x.Can = task.Can{Stop: o.Start > 0}
	x.Output, x.Trouble = s.output(t, o.PID)
	x.Can.Read = x.Output.Path != ""
	x.Evidence.Roots = []task.ProcessID{{PID: o.PID, Start: o.Start}}
	return x
}

// row is what a tree and a line of helpers have in common.
func (s *Source) row(t *proc.Table, o orphan) task.Task {
	return task.Task{
		Source: Name, Kind: task.Shell, Run: 1, LeftBehind: true, Status: task.Running,
		StatusSource: task.SeenProcesses, StatusAt: s.w.Now(),
		Session: o.sessionID(), Cwd: t.Cwd(o.PID), Started: t.StartedAt(o.ID),
		Notified: true, // its agent knows nothing of it
	}
}

// helpers is the one line for the shared helpers of a session, without a Stop.
func (s *Source) helpers(t *proc.Table, list []orphan) task.Task {
	first := slices.MinFunc(list, func(a, b orphan) int { return t.StartedAt(a.ID).Compare(t.StartedAt(b.ID)) })
	x := s.row(t, first)
	x.Native = "helpers-" + first.sessionID()[len(first.mark.agent)+1:]
	x.ID = Name + ":" + x.Native
	x.Title = fmt.Sprintf("%d helpers left running", len(list))
	if len(list) == 1 {
		x.Title = "1 helper left running"
	}
	var names []string
	for _, o := range list {
		names = append(names, short(o.args))
		x.Evidence.Roots = append(x.Evidence.Roots, task.ProcessID{PID: o.PID, Start: o.Start})
	}
	slices.Sort(names)
	x.Activity = strings.Join(slices.Compact(names), ", ")
	x.Can.WhyNot = "Shared helpers (build daemons, language servers, key agents) serve other programs too: end one with its own command."
	return x
}

// output is the file that the process writes as its fd 1, where it is a file.
func (s *Source) output(t *proc.Table, pid int) (task.OutputRef, string) {
	to := t.Link(pid, 1)
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "/dev/") {
		return task.OutputRef{}, ""
	}
	if strings.HasSuffix(to, " (deleted)") {
		return task.OutputRef{}, "Its output goes to a file that was deleted: it cannot be read."
	}
	return task.OutputRef{Path: s.w.Path(to), Recorded: to}, ""
}

// sessions are those that the marks name.
func (s *Source) sessions(found []orphan) []task.Session {
	seen := map[string]bool{}
	var out []task.Session
	for _, o := range found {
		id := o.sessionID()
		if seen[id] {
			continue
		}
		seen[id] = true
		x := task.Session{ID: id, Agent: o.mark.agent, Native: id[len(o.mark.agent)+1:], State: task.EndedSession, AgentGone: true}
		if o.session == "" {
			x.Title = "Left behind by " + o.mark.label + ", which does not say by which session"
		}
		out = append(out, x)
	}
	return out
}

// commandLine is what runs: the words, or the script of a shell.
func commandLine(args []string) string {
	text := strings.Join(args, " ")
	if len(args) == 3 && args[1] == "-c" {
		text = args[2]
	}
	if len(text) > maxCommand {
		text = strings.ToValidUTF8(text[:maxCommand], "") + "…"
	}
	return strings.TrimSpace(text)
}

// title is a command line with its program's name alone.
func title(args []string) string {
	if len(args) == 3 && args[1] == "-c" {
		return commandLine(args)
	}
	return commandLine(append([]string{short(args)}, args[min(1, len(args)):]...))
}

// short is a program in one word.
func short(args []string) string {
	if len(args) == 0 {
		return "a program whose command line is hidden"
	}
	name := args[0]
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		name = name[i+1:]
	}
	return name
}
