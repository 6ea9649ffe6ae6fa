package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

// waitWire is one task of `wait --json`. Met is absent where the task ended
// without the condition.
type waitWire struct {
	ID       string      `json:"id"`
	Status   task.Status `json:"status"`
	ExitCode *int        `json:"exit_code,omitempty"`
	Met      string      `json:"met,omitempty"`
}

type waitFlags struct {
	cond                         string
	any, allIdle, json, exitCode bool
	everywhere                   bool
	timeout                      duration
}

func (a *app) waitCommand() *cobra.Command {
	f := waitFlags{cond: registry.End}
	cmd := &cobra.Command{
		Use:   "wait REF …",
		Short: "Wait for tasks: their end, a failure, a port, or a text in their output",
		Long: "Waits until each task met the condition. Exit code 0: it came true; 1: a task ended without it; 124: the time was over. " +
			"A text without capital letters is found in either case.",
		Args: func(cmd *cobra.Command, argv []string) error {
			if f.allIdle && len(argv) > 0 {
				return usage("--all-idle waits for every session: leave the tasks out")
			}
			if f.allIdle {
				return nil
			}
			return args(1, -1)(cmd, argv)
		},
		RunE: func(cmd *cobra.Command, argv []string) error { return a.wait(cmd.Context(), argv, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.cond, "for", registry.End, "`WHAT` to wait for: end, fail, port:N, text:S or url")
	fl.BoolVar(&f.any, "any", false, "one task that meets it is enough")
	fl.BoolVar(&f.allIdle, "all-idle", false, "wait until no session of this project runs a turn or a task")
	fl.BoolVarP(&f.everywhere, "everywhere", "A", false, "with --all-idle: all sessions of this machine")
	fl.Var(&f.timeout, "timeout", "give up after this `TIME`: 90s, 5m, 4h; a bare number is seconds")
	fl.BoolVar(&f.exitCode, "exit-code", false, "end with the task's own exit code")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// duration is a time on the command line (spec 5): 90s, 5m, 4h, or seconds.
type duration time.Duration

func (d duration) String() string {
	if d == 0 {
		return ""
	}
	return time.Duration(d).String()
}

func (d duration) Type() string { return "TIME" }

func (d *duration) Set(s string) error {
	v, err := time.ParseDuration(s)
	if n, nerr := strconv.ParseFloat(s, 64); nerr == nil {
		v, err = time.Duration(n*float64(time.Second)), nil
	}
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no length of time: write 90s, 5m, 4h, or a number of seconds", s)
	}
	*d = duration(v)
	return nil
}

func (a *app) wait(ctx context.Context, refs []string, f waitFlags) error {
	cond, err := registry.ParseCondition(f.cond)
	if err != nil {
		return usage("--for %w", err)
	}
	r, done, err := a.registry(view{everywhere: !f.allIdle || f.everywhere})
	if err != nil {
		return err
	}
	defer done()
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(f.timeout))
		defer cancel()
	}
	if f.allIdle {
		return a.waitIdle(ctx, r)
	}
	w := registry.WaitFor{For: cond, Any: f.any}
	for _, ref := range refs {
		t, err := findTask(ctx, r, ref)
		if err != nil {
			return err
		}
		w.Tasks = append(w.Tasks, t.ID)
	}
	got, err := r.Wait(ctx, w)
	if err != nil {
		return err
	}
	return a.sayWaited(got, f)
}

// waitIdle blocks until nothing goes on in the sessions that are in scope.
func (a *app) waitIdle(ctx context.Context, r *registry.Registry) error {
	if _, err := r.Scan(ctx, 0); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	for rev := uint64(0); ; {
		snap, err := r.Next(ctx, rev)
		if errors.Is(err, context.DeadlineExceeded) {
			return exitError(ExitTimeout)
		}
		if err != nil {
			return err
		}
		if rev = snap.Rev; task.NothingGoesOn(snap) && r.Settled() {
			return nil
		}
	}
}

// sayWaited prints the outcome and turns it into the exit code.
func (a *app) sayWaited(got []registry.Waited, f waitFlags) error {
	wires := make([]waitWire, 0, len(got))
	for _, x := range got {
		wires = append(wires, waitWire{ID: x.Task.ID, Status: x.Task.Status, ExitCode: x.Task.ExitCode, Met: x.Met})
		if !f.json {
			_, _ = fmt.Fprintf(a.out, "%s  %s\n", x.Task.ID, waitedWords(x))
		}
	}
	if f.json {
		if err := a.printJSON(wires); err != nil {
			return err
		}
	}
	return waitedCode(got, f)
}

func waitedWords(x registry.Waited) string {
	switch x.Met {
	case registry.Timeout:
		return "not yet: the time is over"
	case registry.Port, registry.Text, registry.URL:
		return x.Met + " is there"
	}
	return task.StateWords(x.Task)
}

// waitedCode is the exit code of a wait; with --exit-code that of the first task
// whose own is not 0.
func waitedCode(got []registry.Waited, f waitFlags) error {
	code, met := ExitDone, 0
	for _, x := range got {
		switch {
		case x.Met == registry.Timeout:
			code = ExitTimeout
		case x.Met != "":
			met++
		case code == ExitDone:
			code = ExitFailed
		}
	}
	if f.any && met > 0 {
		code = ExitDone
	}
	if f.exitCode && code != ExitTimeout {
		for _, x := range got {
			if own := ownCode(x.Task); own != 0 {
				return exitError(own)
			}
		}
	}
	if code == ExitDone {
		return nil
	}
	return exitError(code)
}

// ownCode is a task's exit code, 128 and the signal's number for one that was
// ended by a signal, and 1 for an end that is no success and has neither.
func ownCode(t task.Task) int {
	switch {
	case t.ExitCode != nil:
		return *t.ExitCode
	case registry.SignalNumber(t.Signal) > 0:
		return 128 + registry.SignalNumber(t.Signal)
	case t.Status.Ended() && t.Status != task.Succeeded:
		return ExitFailed
	}
	return 0
}
