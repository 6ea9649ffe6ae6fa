package runner

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"offstage/internal/taskdir"
	"offstage/internal/world"
	"offstage/task"
)

// Verb is the hidden verb of this program under which a supervisor runs; the
// task's folder follows it.
const Verb = "supervise-task"

// Spec is what is asked for.
type Spec struct {
	// State is the program's state folder.
	State string
	Name  string
	// Kind is task.Shell where it is "".
	Kind task.Kind
	// Argv is the command, program first, as it is executed; Shell is a command line
	// for sh instead.
	Argv  []string
	Shell string
	// Cwd is where it runs; "" is our own.
	Cwd string
	// Env is the whole environment; nil is our own.
	Env   []string
	Asker taskdir.Asker
	// Job names a scheduled run, Undo is a command line for after a stop (K5).
	Job, Undo string
	// Timeout ends it after so much time without a turn of its agent (H1); 0 never.
	Timeout time.Duration
	// Size is the guard over its output (O6); the zero value is DefaultSize.
	Size taskdir.Size
	// TTY gives it a terminal of 120×40, which can be answered.
	TTY bool
	// KeepAwake holds a sleep inhibitor while it runs (H2).
	KeepAwake bool
	// Restarts is the native id of the task that this one repeats.
	Restarts string
	// Prepared, where set, is told of the folder before anything runs, for the
	// ledger's row. It should take no longer than an insert.
	Prepared func(taskdir.Record)
	// Program is what is executed as the supervisor, with Args before the verb;
	// "" is this very program.
	Program string
	Args    []string
}

// Started is a task that runs.
type Started struct {
	// ID is the native id ("t-0k4m9x2q"), PID the command's.
	ID     string
	PID    int
	Dir    taskdir.Dir
	Output string
	At     time.Time
	// Scope is the systemd user scope it runs in, "" for none. MayEnd is one
	// sentence where it may end with the present login.
	Scope, MayEnd string
}

// DefaultSize is what is done about a large output where nothing else was asked.
var DefaultSize = taskdir.Size{Limit: 5 << 30, Do: taskdir.Trim}

// AgentTimeout is how long a task that an agent started may run where no setting
// says otherwise (H1). One that a person started has no end.
const AgentTimeout = 4 * time.Hour

// Reasons not to start. The error's text is one sentence for a person.
var (
	ErrNoCommand     = errors.New("there is no such command")
	ErrNotExecutable = errors.New("it cannot be executed")
	ErrNoFolder      = errors.New("its folder cannot be entered")
	ErrState         = errors.New("the state folder cannot be written")
	ErrDiskFull      = errors.New("the disk is full")
	ErrSystem        = errors.New("tasks of our own need Linux or macOS")
)

// startError is a sentence that is one of the sentinels to those who branch.
type startError struct {
	text string
	is   error
}

func (e *startError) Error() string { return e.text }
func (e *startError) Unwrap() error { return e.is }

// Start starts a task and returns while it runs, or says in one sentence why
// not. It takes some 10 ms, and up to 200 ms more where a systemd user manager
// is asked for a scope. The task outlives its starter.
func Start(ctx context.Context, w *world.World, s Spec) (Started, error) {
	if w.Recorded() {
		return Started{}, &startError{"a recording of a machine is shown: nothing can be started in it", ErrSystem}
	}
	if s.Env == nil {
		s.Env = os.Environ()
	}
	if s.Kind == "" {
		s.Kind = task.Shell
	}
	if s.Size == (taskdir.Size{}) {
		s.Size = DefaultSize
	}
	if s.Asker.Task == "" {
		s.Asker.Task = AskerOf(s.Env).Task // the task that we run in, whoever asks
	}
	if err := s.settle(); err != nil {
		return Started{}, err
	}
	dir, err := taskdir.Create(s.State)
	if err != nil {
		return Started{}, stateError(s.State, err)
	}
	rec, err := s.prepare(w, dir)
	if err != nil {
		return Started{}, err
	}
	return s.launch(ctx, w, dir, func() {
		if s.Prepared != nil {
			s.Prepared(rec)
		}
	})
}

// settle finds folder and program, so that most of what can be wrong is said
// before anything is made.
func (s *Spec) settle() error {
	if err := s.findCwd(); err != nil {
		return err
	}
	if s.Shell == "" && len(s.Argv) == 0 {
		return &startError{"there is no command to start: give one behind --", ErrNoCommand}
	}
	if s.Shell != "" {
		return nil
	}
	_, err := findProgram(s.Argv[0], s.Cwd, s.Env)
	return err
}

// prepare fills the task's folder; where it fails that is gone again.
func (s *Spec) prepare(w *world.World, d taskdir.Dir) (taskdir.Record, error) {
	rec := taskdir.Record{
		ID: d.ID(), Name: s.Name, Kind: s.Kind, Argv: s.Argv, Shell: s.Shell, Cwd: s.Cwd, Asker: s.Asker, Job: s.Job, Undo: s.Undo,
		TimeoutMS: s.Timeout.Milliseconds(), Size: s.Size, TTY: s.TTY, KeepAwake: s.KeepAwake, Run: 1, Restarts: s.Restarts, Created: w.Now().UTC(),
	}
	if err := d.Prepare(rec, s.Env); err != nil {
		_ = taskdir.Remove(d)
		return taskdir.Record{}, stateError(s.State, err)
	}
	return rec, nil
}

// Again is the Spec that starts the task of d once more: same command, folder
// and environment (K8). taskdir.ErrNoTask where there is no record of it.
func Again(d taskdir.Dir, state string) (Spec, error) {
	rec, err := taskdir.ReadRecord(d)
	if err != nil {
		return Spec{}, err
	}
	env, err := taskdir.ReadEnvironment(d)
	if err != nil {
		return Spec{}, err
	}
	first := rec.Restarts
	if first == "" {
		first = rec.ID
	}
	return Spec{
		State: state, Name: rec.Name, Kind: rec.Kind, Argv: rec.Argv, Shell: rec.Shell, Cwd: rec.Cwd, Env: append([]string{}, env...),
		Asker: rec.Asker, Job: rec.Job, Undo: rec.Undo, Timeout: time.Duration(rec.TimeoutMS) * time.Millisecond, Size: rec.Size,
		TTY: rec.TTY, KeepAwake: rec.KeepAwake, Restarts: first,
	}, nil
}

// agentVars are the variables by which the commands of an agent can be told, and
// those that name session and call, where it has such (reference notes on each
// agent, environment of its children).
var agentVars = []struct{ mark, agent, session, call string }{
	{"CLAUDECODE", "claude", "CLAUDE_CODE_SESSION_ID", ""},
	{"QWEN_CODE", "qwen", "QWEN_CODE_SESSION_ID", ""},
	{"CODEX_THREAD_ID", "codex", "CODEX_THREAD_ID", "CODEX_TOOL_CALL_ID"},
	{"COPILOT_CLI", "copilot", "COPILOT_AGENT_SESSION_ID", ""},
	{"GEMINI_CLI", "gemini", "", ""},
	{"OPENCODE", "opencode", "", ""},
	{"CRUSH", "crush", "", ""},
}

// AskerOf tells from an environment who starts a task: an agent that marks its
// commands, a task of our own, or (all empty) a person.
func AskerOf(env []string) taskdir.Asker {
	get := func(name string) string {
		if name == "" {
			return ""
		}
		for i := len(env) - 1; i >= 0; i-- { // the last one counts, as for execve's readers
			if v, ok := strings.CutPrefix(env[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
	a := taskdir.Asker{}
	if id := get(taskdir.MarkVar); taskdir.ValidID(id) {
		a.Task = id
	}
	for _, v := range agentVars {
		if get(v.mark) != "" {
			a.Agent, a.Session, a.Call = v.agent, get(v.session), get(v.call)
			break
		}
	}
	return a
}
