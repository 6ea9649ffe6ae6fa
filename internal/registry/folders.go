package registry

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/ledger"
	"offstage/internal/taskdir"
	"offstage/task"
)

// folders are the folders of our own tasks as the ledger reads them: the truth of
// which it is an index.
type folders struct{ state string }

// Records is what every folder says of its task. What cannot be read is left out.
func (f folders) Records(ctx context.Context) ([]ledger.Report, error) {
	list, err := taskdir.List(f.state)
	if err != nil {
		return nil, err
	}
	out := make([]ledger.Report, 0, len(list))
	for _, d := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r, ok := folderReport(taskdir.Read(d)); ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// folderReport is a task's folder as a report; false where it does not say what
// was started.
func folderReport(f taskdir.Folder) (ledger.Report, bool) {
	if !f.HasRecord {
		return ledger.Report{}, false
	}
	rec := recordOf(f.Dir, f.Record)
	rec.Status = task.Queued
	at := f.Record.Created
	if s := f.Started; s != nil && s.Child.PID > 0 {
		rec.Status, rec.Started, at = task.Running, s.At, s.At
		rec.Process = task.Identity{BootID: s.Boot, PID: s.Child.PID, Start: s.Child.Start}
		if s.Namespace != 0 {
			rec.Process.PIDNS = strconv.FormatUint(s.Namespace, 10)
		}
	}
	if f.Exit == nil {
		return ledger.Report{Record: rec, At: at, Proof: ledger.Hearsay}, true
	}
	return endReport(rec, *f.Exit), true
}

// recordOf is what is known of a task when it is asked for. Its texts are masked.
func recordOf(d taskdir.Dir, r taskdir.Record) task.Record {
	rec := task.Record{
		ID: OwnSource + ":" + d.ID(), Run: 1, Runtime: ledger.RuntimeShell, Kind: r.Kind, RunID: d.ID(), Title: Mask(first(r.Name, r.CommandLine())),
		Command: Mask(r.CommandLine()), Cwd: r.Cwd, ToolCall: r.Asker.Call, Owner: ledger.Person, Scope: task.SessionScope,
		Created: r.Created, Output: task.OutputFile{Path: d.Output()}, Folder: string(d),
	}
	switch {
	case r.Job != "":
		rec.Runtime = ledger.RuntimeCron
	case r.Kind == task.Agent:
		rec.Runtime = ledger.RuntimeAgent
	}
	if r.Asker.Agent != "" {
		rec.Session = r.Asker.Agent + ":" + first(r.Asker.Session, "unknown")
		rec.Owner = rec.Session
	}
	if r.Asker.Task != "" {
		rec.Parent = OwnSource + ":" + r.Asker.Task
	}
	if key, _, ok := keyOf(d.Output()); ok {
		rec.Output.Dev, rec.Output.Ino, rec.Output.Birth = key.Dev, key.Ino, key.Birth
	}
	return rec
}

// endReport is the end of a task as its exit record says it.
func endReport(rec task.Record, e taskdir.Exit) ledger.Report {
	rec.Status, rec.ExitCode, rec.Signal, rec.Ended = e.Status(), e.Code, e.Signal, e.Ended
	rec.StatusSource, rec.Error = "exit record", Mask(e.Error)
	return ledger.Report{Record: rec, At: e.Ended, Proof: ledger.Witnessed}
}

// RecordStart notes a task of our own in the ledger of a state folder before it
// runs; an error is a warning: its folder says it too.
func RecordStart(state string, now func() time.Time, d taskdir.Dir, r taskdir.Record) error {
	return ledger.RecordEnd(state, now, startReport(d, r))
}

// startReport is a task that is about to run.
func startReport(d taskdir.Dir, r taskdir.Record) ledger.Report {
	rec := recordOf(d, r)
	rec.Status = task.Queued
	return ledger.Report{Record: rec, At: r.Created}
}

// RecordEnd notes the end of a task of our own, after its exit record was
// written: for a supervisor, which had no ledger before.
func RecordEnd(state string, now func() time.Time, d taskdir.Dir, r taskdir.Record, e taskdir.Exit) error {
	return ledger.RecordEnd(state, now, endReport(recordOf(d, r), e))
}

// recoverEnd looks into a task's folder for an end that the ledger missed.
func (f folders) recoverEnd(_ context.Context, r task.Record) (ledger.Report, bool, error) {
	d, err := taskdir.At(f.state, strings.TrimPrefix(r.ID, OwnSource+":"))
	if err != nil {
		return ledger.Report{}, false, nil
	}
	folder := taskdir.Read(d)
	if folder.Exit == nil {
		return ledger.Report{}, false, nil
	}
	return endReport(recordOf(d, folder.Record), *folder.Exit), true, nil
}

// busy says whether a process has the output of a task's folder open: then the
// folder stays.
func (r *Registry) busy(folder string) bool {
	table, err := r.procs.Table()
	if err != nil {
		return true
	}
	users, err := table.Users(taskdir.Dir(folder).Output())
	return err != nil || len(users) > 0
}

// removeFolder removes a task's folder, if it is one of this state folder.
func (f folders) removeFolder(path string) error {
	d := taskdir.Dir(path)
	want, err := taskdir.At(f.state, d.ID())
	if err != nil || want != d || !fsys.Inside(path, taskdir.Root(f.state)) {
		return fmt.Errorf("remove %s: it is no folder of a task of this program", path)
	}
	return taskdir.Remove(d)
}
