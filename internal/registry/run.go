package registry

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"offstage/internal/runner"
	"offstage/internal/taskdir"
	"offstage/task"
)

// RunSpec is a task of our own as somebody asks for it.
type RunSpec struct {
	// Argv is the command, program first; Shell is a command line for sh instead.
	Argv  []string
	Shell string
	Name  string
	Kind  task.Kind
	Cwd   string
	// Env is the environment; nil is our own.
	Env []string
	// Agent and Session say for which session it is: the agent's name and its own
	// id; where both are "" the environment says it, or a person asked.
	Agent, Session, Call string
	Job, Undo            string
	// Timeout ends it (H1); 0 never. Limit and LimitDo are the guard over its
	// output (O6): bytes, and warn, trim, freeze or stop; "" is the default.
	Timeout   time.Duration
	Limit     int64
	LimitDo   string
	TTY       bool
	KeepAwake bool
	// Reuse answers with a task of the same command, folder and session that runs
	// already.
	Reuse bool
}

// Ran is a task that was started, or that runs already.
type Ran struct {
	// ID is that of the task, PID its command's.
	ID     string
	PID    int
	Output string
	At     time.Time
	// Reused: it ran already and nothing was started.
	Reused bool
	// Note is one sentence: that it may end with the present login, that the ledger
	// does not know it; "" for nothing.
	Note string
}

// Run starts a task of our own and returns while it runs. It outlives this
// program. An error is one sentence that says why not.
func (r *Registry) Run(ctx context.Context, s RunSpec) (Ran, error) {
	if r.w.Recorded() || r.o.State == "" {
		return Ran{}, refusal("This is a recording of another machine: nothing can be started in it.")
	}
	asker := taskdir.Asker{Agent: s.Agent, Session: s.Session, Call: s.Call}
	if asker.Agent == "" {
		env := s.Env
		if env == nil {
			env = os.Environ()
		}
		asker = runner.AskerOf(env)
	}
	if s.Reuse {
		if ran, ok, err := r.runs(ctx, s, asker); ok || err != nil {
			return ran, err
		}
	}
	spec := runner.Spec{
		State: r.o.State, Name: s.Name, Kind: s.Kind, Argv: s.Argv, Shell: s.Shell, Cwd: s.Cwd, Env: s.Env, Job: s.Job, Undo: s.Undo,
		Timeout: s.Timeout, TTY: s.TTY, KeepAwake: s.KeepAwake, Program: r.o.Supervisor.Program, Args: r.o.Supervisor.Args,
		Asker: asker,
	}
	if s.LimitDo != "" {
		spec.Size = taskdir.Size{Limit: s.Limit, Do: s.LimitDo}
	}
	note := ""
	spec.Prepared = func(rec taskdir.Record) { note = r.recordStart(rec) }
	started, err := runner.Start(ctx, r.w, spec)
	if err != nil {
		return Ran{}, err
	}
	r.Wake()
	return Ran{ID: OwnSource + ":" + started.ID, PID: started.PID, Output: started.Output, At: started.At, Note: first(started.MayEnd, note)}, nil
}

// recordStart notes a task in the ledger before it runs. Its folder says all of
// it too, so a ledger that cannot be written is a word and no reason to stop.
func (r *Registry) recordStart(rec taskdir.Record) string {
	d, err := taskdir.At(r.o.State, rec.ID)
	if err == nil && r.ledger.diary != nil {
		_, err = r.ledger.diary.book.Report(startReport(d, rec))
	} else if err == nil {
		err = RecordStart(r.o.State, r.w.Now, d, rec)
	}
	if err != nil {
		return "The ledger does not know it yet: " + Mask(err.Error()) + "."
	}
	return ""
}

// runs is a task of our own that does what is asked for already.
func (r *Registry) runs(ctx context.Context, s RunSpec, asker taskdir.Asker) (Ran, bool, error) {
	cwd, err := filepath.Abs(s.Cwd)
	if err != nil {
		return Ran{}, false, fmt.Errorf("find the folder %s: %w", s.Cwd, err)
	}
	snap, err := r.Scan(ctx, 0)
	if err != nil {
		return Ran{}, false, err
	}
	want := taskdir.Record{Argv: s.Argv, Shell: s.Shell}.CommandLine()
	for _, t := range snap.Tasks {
		if t.Source != OwnSource || t.Status.Ended() {
			continue
		}
		d, err := taskdir.At(r.o.State, t.Native)
		if err != nil {
			continue
		}
		rec, err := taskdir.ReadRecord(d)
		if err != nil || rec.CommandLine() != want || rec.Cwd != cwd || rec.Asker.Agent != asker.Agent || rec.Asker.Session != asker.Session {
			continue
		}
		ran := Ran{ID: t.ID, Output: d.Output(), At: t.Started, Reused: true}
		if st, _ := taskdir.ReadStarted(d); st != nil {
			ran.PID = st.Child.PID
		}
		return ran, true, nil
	}
	return Ran{}, false, nil
}
