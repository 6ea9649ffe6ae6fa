package own

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/task"
)

// unknownAfter is how long a task without supervisor, processes and end waits
// for its worker before it counts as ended, result unknown (G3).
const unknownAfter = 90 * time.Second

// Where a state comes from.
const (
	fromEnd        = "its exit record"
	fromSupervisor = "its supervisor"
	fromRecord     = "its record"
)

// task is the row of a folder.
func (s *Source) task(k *known, table *proc.Table, now time.Time) task.Task {
	f := k.folder
	rec, id := f.Record, f.Dir.ID()
	t := task.Task{
		ID: Name + ":" + id, Source: Name, Native: id, Kind: rec.Kind, Title: title(rec), Command: rec.CommandLine(), Cwd: rec.Cwd,
		ToolCall: rec.Asker.Call, Run: max(1, rec.Run), Started: rec.Created, Trouble: f.Trouble,
		Output: task.OutputRef{Path: f.Dir.Output(), Recorded: f.Dir.Output(), Bytes: f.Output.Size, LastWrite: f.Output.ModTime},
		Can:    task.Can{Read: true},
	}
	if t.Kind == "" {
		t.Kind = task.Shell
	}
	if t.Title == "" {
		t.Title = id
	}
	if rec.Asker.Task != "" {
		t.Parent = Name + ":" + rec.Asker.Task
	}
	if f.Started != nil && !f.Started.At.IsZero() {
		t.Started = f.Started.At
	}
	t.Warning = warning(f)
	switch {
	case f.Exit != nil:
		ended(&t, *f.Exit)
	case f.Started == nil:
		unstarted(&t, now)
	default:
		s.open(&t, k, table, now)
		if !t.Status.Ended() {
			t.Disk = k.disk(t.StatusSource == fromSupervisor, t.Started, now)
		}
	}
	return t
}

// ended takes over what stands in the exit record.
func ended(t *task.Task, e taskdir.Exit) {
	t.Status, t.ExitCode, t.Signal, t.Ended = e.Status(), e.Code, e.Signal, e.Ended
	t.StatusSource, t.StatusAt = fromEnd, e.Ended
	switch e.Reason {
	case taskdir.FailedToStart:
		t.Trouble = sentence(e.Error)
	case taskdir.SizeLimit:
		t.Summary = "Stopped because its output passed the size limit."
	case taskdir.Shutdown:
		t.Summary = "Ended with the login or the machine: its supervisor was told to end."
	case taskdir.TimedOut:
		t.Summary = "Ended because its time was over."
	}
	if e.Undo != nil && e.Undo.Error != "" {
		t.Warning = e.Undo.Error
	} else if e.Undo != nil && e.Undo.Code != nil && *e.Undo.Code != 0 {
		t.Warning = fmt.Sprintf("Its undo command failed with code %d.", *e.Undo.Code)
	}
}

// unstarted is a folder that no supervisor has signed yet.
func unstarted(t *task.Task, now time.Time) {
	t.StatusSource, t.StatusAt = fromRecord, now
	if now.Sub(t.Started) < unknownAfter && !t.Started.IsZero() {
		t.Status, t.Can.WhyNot = task.Queued, "It is being started."
		return
	}
	t.Status, t.Ended = task.Lost, t.Started
	t.Summary = "It was never started: its starter ended while the task was made."
}

// open is a task without an end.
func (s *Source) open(t *task.Task, k *known, table *proc.Table, now time.Time) {
	st := k.folder.Started
	visible, earlier := s.here(st)
	if earlier {
		t.Status, t.StatusSource, t.StatusAt = task.Lost, fromRecord, now
		t.Ended, t.Summary = s.machine.Since, "The machine was restarted while it ran: nobody knows how it ended."
		return
	}
	if !visible || table == nil {
		t.Status, t.StatusSource, t.StatusAt = task.Running, fromRecord, st.At
		t.Can.WhyNot = "Cannot see its processes from here: open Offstage on the machine or in the container where they run."
		return
	}
	supervisor := proc.ID{PID: st.Supervisor.PID, Start: st.Supervisor.Start}
	child := proc.ID{PID: st.Child.PID, Start: st.Child.Start}
	if supervisor.Start != 0 && table.Alive(supervisor) {
		k.alive, k.deadAt = true, time.Time{}
		t.Status, t.StatusSource, t.StatusAt, t.Can.Stop = task.Running, fromSupervisor, now, true
		t.Can.Answer, t.Awake = k.folder.Record.TTY, st.Awake
		t.Evidence = evidence(k.folder, supervisor, child, table)
		t.Timeout = endsAt(k.folder)
		return
	}
	if !table.At.IsZero() && st.At.After(table.At) { // started since that look: it cannot stand in it
		t.Status, t.StatusSource, t.StatusAt, t.Can.Stop = task.Running, fromRecord, st.At, true
		t.Evidence, t.Timeout = evidence(k.folder, supervisor, child, table), endsAt(k.folder)
		return
	}
	if roots := s.living(table, child, t.Native); len(roots) > 0 {
		k.alive, k.deadAt = true, time.Time{}
		t.Status, t.StatusSource, t.StatusAt, t.Can.Stop = task.Running, task.SeenProcesses, now, true
		t.Warning = "Running, unsupervised: its supervisor was ended, so its exit code will not be known."
		t.Evidence.Roots = roots
		return
	}
	s.gone(t, k, now)
}

// endsAt is when the time of a task is over (H1), zero for never: as its
// supervisor said at the last turn, else counted from the start.
func endsAt(f taskdir.Folder) time.Time {
	ms := f.Record.TimeoutMS
	switch {
	case ms <= 0:
		return time.Time{}
	case !f.Started.EndsAt.IsZero():
		return f.Started.EndsAt
	}
	return f.Started.At.Add(time.Duration(ms) * time.Millisecond)
}

// living are the command, if it runs, else all that carry the task's mark.
func (s *Source) living(table *proc.Table, child proc.ID, id string) []task.ProcessID {
	if child.Start != 0 && table.Alive(child) {
		return []task.ProcessID{{PID: child.PID, Start: child.Start}}
	}
	var out []task.ProcessID
	for _, p := range s.marks.of(table, id) {
		out = append(out, task.ProcessID{PID: p.PID, Start: p.Start})
	}
	return out
}

// gone is a task of which nothing lives and no end is written: a stop that was
// under way has ended it; else its worker may be late with the record, for a
// while.
func (s *Source) gone(t *task.Task, k *known, now time.Time) {
	f := k.folder
	if k.alive && k.deadAt.IsZero() {
		k.deadAt = now
	}
	last := latest(f.Started.At, f.Output.ModTime, k.deadAt)
	if f.Stop != nil {
		t.Status, t.StatusSource, t.StatusAt, t.Ended = f.Stop.Status(), "its stop record", f.Stop.At, latest(f.Stop.At, f.Output.ModTime)
		return
	}
	t.StatusAt = now
	if now.Sub(last) < unknownAfter {
		t.Status, t.StatusSource = task.Running, fromRecord
		t.Can.WhyNot = "It waits for its worker after the restart."
		t.Warning = task.WaitingForWorker
		return
	}
	t.Status, t.StatusSource, t.Ended = task.Lost, task.SeenProcesses, last
	t.Summary = "Ended, result unknown: its supervisor was ended before it could write how."
}

// evidence says how its processes are found: the supervisor is held like an
// agent, watched and never signalled.
func evidence(f taskdir.Folder, supervisor, child proc.ID, table *proc.Table) task.Evidence {
	e := task.Evidence{AgentPID: supervisor.PID, AgentStart: supervisor.Start, WritersAreProof: !f.Record.TTY}
	for _, p := range table.Children(supervisor.PID) {
		if table.Env(p.PID, taskdir.SupervisorVar)[taskdir.SupervisorVar] != "" {
			e.Keep = append(e.Keep, task.ProcessID{PID: p.PID, Start: p.Start})
		} else {
			e.Roots = append(e.Roots, task.ProcessID{PID: p.PID, Start: p.Start})
		}
	}
	if len(e.Roots) == 0 && child.Start != 0 {
		e.Roots = []task.ProcessID{{PID: child.PID, Start: child.Start}}
	}
	return e
}

// leftBehind is the row of what outlived an ended task and is still there.
func (s *Source) leftBehind(k *known, of task.Task, table *proc.Table) (task.Task, bool) {
	if k.folder.Exit == nil || table == nil || k.folder.Started == nil {
		return task.Task{}, false
	}
	if visible, _ := s.here(k.folder.Started); !visible {
		return task.Task{}, false
	}
	var roots []task.ProcessID
	command := ""
	for _, p := range k.folder.Exit.Survivors {
		if p.Start != 0 && table.Alive(proc.ID{PID: p.PID, Start: p.Start}) {
			if len(roots) == 0 {
				command = p.Command
			}
			roots = append(roots, task.ProcessID{PID: p.PID, Start: p.Start})
		}
	}
	if len(roots) == 0 {
		return task.Task{}, false
	}
	native := fmt.Sprintf("left:%d-%d", roots[0].PID, roots[0].Start)
	t := task.Task{
		ID: Name + ":" + native, Source: Name, Native: native, Kind: task.Shell, Title: "left behind by " + of.Title, Command: command,
		Cwd: of.Cwd, Session: of.Session, Run: 1, Status: task.Running, Started: of.Started, Output: of.Output, StatusSource: task.SeenProcesses,
		StatusAt: s.w.Now(), Parent: of.ID, LeftBehind: true, Can: task.Can{Read: true, Stop: true},
	}
	t.Evidence.Roots = roots
	return t, true
}

// warning is what a person should see of a running task.
func warning(f taskdir.Folder) string {
	g := f.Guard
	if g != nil && f.Exit == nil {
		switch {
		case g.Trouble != "":
			return g.Trouble
		case !g.FrozenAt.IsZero():
			return "Frozen: its output passed the size limit, or somebody froze it."
		}
	}
	switch {
	case g != nil && !g.TrimmedAt.IsZero() && g.DiskLow:
		return "The disk is nearly full: the middle of its output was cut out."
	case g != nil && !g.TrimmedAt.IsZero():
		return "Its output passed the size limit: the middle of it was cut out."
	case f.Exit != nil:
		return ""
	case g != nil && !g.WarnedAt.IsZero():
		return "Its output grows large."
	case f.Started != nil && f.Started.Scope == "" && f.Started.Login != "":
		return "It may end with this login: no systemd user manager keeps it."
	}
	return ""
}

// title is the name that was given, or the command's start.
func title(r taskdir.Record) string {
	if r.Name != "" {
		return r.Name
	}
	text := r.CommandLine()
	line, _, _ := strings.Cut(text, "\n")
	const most = 80
	if chars := []rune(line); len(chars) > most {
		line = string(chars[:most-1]) + "…"
	}
	if len(r.Argv) > 0 && filepath.IsAbs(r.Argv[0]) {
		line = filepath.Base(r.Argv[0]) + strings.TrimPrefix(line, r.Argv[0])
	}
	return line
}

// sentence makes an error's text one.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func latest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if t.After(out) {
			out = t
		}
	}
	return out
}
