// Package demo is the source of `offstage demo`: tasks that the demo itself
// started, so that everything can be seen without any agent. The demo writes
// what it knows of its children into one file; this source reads it. The disk
// is the bus here too.
//
// It starts, signals and writes nothing. The command line wires it in for a
// demo only.
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
	"offstage/task"
)

// FileName of the record inside a demo's folder.
const FileName = "demo.json"

// Record is what a demo writes.
type Record struct {
	// Agent is the demo itself: the process that is never signalled.
	PID     int         `json:"pid"`
	Session string      `json:"session"`
	Cwd     string      `json:"cwd"`
	Started time.Time   `json:"started"`
	Tasks   []Child     `json:"tasks"`
	Plan    []PlanEntry `json:"plan"`
}

// Child is one command that a demo started. Its output is ID + ".output" in
// the folder.
type Child struct {
	ID      string     `json:"id"`
	Kind    task.Kind  `json:"kind"`
	Title   string     `json:"title"`
	Command string     `json:"command"`
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"`
	Code    int        `json:"code"`
	Signal  string     `json:"signal,omitempty"`
}

// PlanEntry is one entry of the demo's task list.
type PlanEntry struct {
	ID      string           `json:"id"`
	Subject string           `json:"subject"`
	Status  task.EntryStatus `json:"status"`
	Active  string           `json:"active,omitempty"`
	Blocked []string         `json:"blocked_by,omitempty"`
}

// Source reads the demo in one folder.
type Source struct {
	w     *world.World
	dir   string
	procs func() (*proc.Table, error)
}

// New is the source of the demo in dir; procs is the shared process table.
func New(w *world.World, dir string, procs func() (*proc.Table, error)) *Source {
	return &Source{w: w, dir: dir, procs: procs}
}

// Dirs is the demo's folder.
func (s *Source) Dirs() []string { return []string{s.dir} }

// Scan reads the record. One that is not there yet is an empty truth.
func (s *Source) Scan(context.Context) (task.Snapshot, error) {
	snap := task.Snapshot{At: s.w.Now()}
	b, err := os.ReadFile(filepath.Join(s.dir, FileName))
	if os.IsNotExist(err) {
		return snap, nil
	}
	if err != nil {
		return snap, fmt.Errorf("read the demo's record: %w", err)
	}
	var rec Record
	if err := json.Unmarshal(b, &rec); err != nil {
		return snap, fmt.Errorf("read the demo's record: %w", err)
	}
	sid := "demo:" + rec.Session
	start := s.startOf(rec.PID)
	for _, c := range rec.Tasks {
		snap.Tasks = append(snap.Tasks, s.task(c, rec, sid, start))
	}
	snap.Sessions = []task.Session{{
		ID: sid, Agent: "demo", Native: rec.Session, Title: "A tour of Offstage", Cwd: rec.Cwd,
		State: task.BackgroundOnly, StateSince: rec.Started, PID: rec.PID, PIDStart: start, StartedAt: rec.Started, UpdatedAt: rec.Started,
		Interactive: true, Plan: plan(rec.Plan),
	}}
	return snap, nil
}

func (s *Source) startOf(pid int) uint64 {
	table, err := s.procs()
	if err != nil {
		return 0
	}
	p, _ := table.Get(pid)
	return p.Start
}

func (s *Source) task(c Child, rec Record, sid string, start uint64) task.Task {
	path := filepath.Join(s.dir, c.ID+".output")
	t := task.Task{
		ID: "demo:" + c.ID, Source: "demo", Native: c.ID, Kind: c.Kind, Title: c.Title, Command: c.Command, Cwd: rec.Cwd,
		Session: sid, Run: 1, Status: task.Running, Started: c.Started, Output: task.OutputRef{Path: path, Recorded: path},
		StatusSource: "the demo's record", StatusAt: s.w.Now(), Can: task.Can{Read: true, Stop: true},
		Evidence: task.Evidence{AgentPID: rec.PID, AgentStart: start, WritersAreProof: true},
	}
	if st, err := os.Stat(path); err == nil {
		t.Output.Bytes, t.Output.LastWrite = st.Size(), st.ModTime()
	}
	if c.Ended == nil {
		return t
	}
	t.Ended, t.StatusAt, t.Can.Stop = *c.Ended, *c.Ended, false
	code := c.Code
	switch {
	case c.Signal != "":
		t.Status, t.Signal = task.Failed, strings.ToUpper(c.Signal)
	case code == 0:
		t.Status, t.ExitCode = task.Succeeded, &code
	default:
		t.Status, t.ExitCode = task.Failed, &code
	}
	return t
}

func plan(list []PlanEntry) task.Plan {
	p := task.Plan{Native: true}
	for _, e := range list {
		p.Entries = append(p.Entries, task.Entry{ID: e.ID, Subject: e.Subject, Status: e.Status, ActiveForm: e.Active, BlockedBy: e.Blocked})
	}
	return p
}
