package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

// stopWire is one task of `stop --json`.
type stopWire struct {
	ID         string        `json:"id"`
	Status     task.Status   `json:"status"`
	Ended      []processWire `json:"ended"`
	Left       []processWire `json:"left"`
	PortsFreed []int         `json:"ports_freed"`
	MS         int64         `json:"ms"`
}

type processWire struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

type stopFlags struct {
	now, yes, json, nested bool
	session                string
}

func (a *app) stopCommand() *cobra.Command {
	var f stopFlags
	cmd := &cobra.Command{
		Use:   "stop REF … | --session ID",
		Short: "Stop tasks, prove it, and say which ports are free",
		Long:  "Stops tasks and waits for the proof. On a terminal it shows what will end and asks; without one it refuses tasks of an agent unless --yes is given. With --session it stops all tasks of a session that run.",
		Args: func(cmd *cobra.Command, argv []string) error {
			switch {
			case f.session == "":
				return args(1, -1)(cmd, argv)
			case len(argv) > 0:
				return usage("give either REFs or --session ID")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, argv []string) error {
			r, done, err := a.registry(view{everywhere: true, writes: true})
			if err != nil {
				return err
			}
			defer done()
			if f.session != "" {
				if argv, err = runningOf(cmd.Context(), r, f.session); err != nil {
					return err
				}
			}
			return a.stopAll(cmd.Context(), r, argv, f)
		},
	}
	cmd.Flags().VarPF(stopNow{&f.now, &a.now}, "now", "", "do not wait for a gentle end").NoOptDefVal = "true"
	cmd.Flags().BoolVar(&f.yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&f.nested, "nested", false, "stop the tasks too that it started with offstage run")
	cmd.Flags().StringVar(&f.session, "session", "", "stop all tasks of the session `ID`")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// runningOf are the IDs of the tasks of a session that run, which may be none: then
// there is nothing to do (K6).
func runningOf(ctx context.Context, r *registry.Registry, ref string) ([]string, error) {
	s, snap, err := findSession(ctx, r, ref)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, t := range snap.Tasks {
		if t.Session == s.ID && !t.Status.Ended() {
			ids = append(ids, t.ID)
		}
	}
	return ids, nil
}

// stopNow is --now of stop, which has the name of the global --now TIME: alone it
// hurries the stop, with a time it is the clock.
type stopNow struct {
	hurry *bool
	clock *string
}

func (n stopNow) String() string { return "" }

func (n stopNow) Type() string { return "bool" }

func (n stopNow) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if err != nil {
		*n.clock = text // prepare says what is wrong with it
		return nil
	}
	*n.hurry = on
	return nil
}

func (a *app) stopAll(ctx context.Context, r *registry.Registry, refs []string, f stopFlags) error {
	snap, err := r.Scan(ctx, countPatience)
	if err != nil {
		return err
	}
	var out []stopWire
	var errs []error
	for _, ref := range refs {
		t, err := registry.Find(snap, ref)
		if err != nil {
			errs = append(errs, explain(err, ref))
			continue
		}
		w, err := a.stopOne(ctx, r, t, f)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", first(t.Title, t.ID), err))
		}
		if w != nil {
			out = append(out, *w)
		}
	}
	if f.json {
		if out == nil {
			out = []stopWire{}
		}
		if err := a.printJSON(out); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// stopOne shows, asks, stops and reports one task. A nil result means that
// nothing was tried.
func (a *app) stopOne(ctx context.Context, r *registry.Registry, t task.Task, f stopFlags) (*stopWire, error) {
	draw := r.PlanStop
	if f.nested {
		draw = r.PlanStopInner
	}
	plan, err := draw(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	if plan.Refused == "" && !f.yes {
		if err := a.askStop(t, plan); err != nil {
			return nil, err
		}
	}
	rep, err := r.Stop(ctx, plan, f.now, nil)
	if err != nil {
		return nil, err
	}
	w := &stopWire{ID: t.ID, Status: rep.Status, Ended: processes(rep.Ended), Left: processes(rep.Left), PortsFreed: rep.PortsFreed, MS: rep.Took.Milliseconds()}
	if w.PortsFreed == nil {
		w.PortsFreed = []int{}
	}
	if !f.json {
		a.sayStopped(t, rep)
	}
	if len(rep.Left) > 0 {
		return w, incompleteError{fmt.Errorf("%s still alive: %s", plural(len(rep.Left), "process is", "processes are"), names(rep.Left))}
	}
	return w, nil
}

func processes(list []task.Process) []processWire {
	out := make([]processWire, 0, len(list))
	for _, p := range list {
		out = append(out, processWire{PID: p.PID, Command: p.Command})
	}
	return out
}

func names(list []task.Process) string {
	var out []string
	for _, p := range list {
		out = append(out, p.Name())
	}
	return strings.Join(out, ", ")
}

// askStop shows what a stop would end and asks; without a terminal a foreign
// task is refused (spec 5).
func (a *app) askStop(t task.Task, plan task.StopPlan) error {
	f, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		if t.Source == registry.OwnSource {
			return nil
		}
		return fmt.Errorf("%w: it was not started by Offstage, so this asks first, and there is no terminal to ask on; give --yes to stop it", registry.ErrRefused)
	}
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(a.errw, format+"\n", args...) }
	p("Stop %s?", first(t.Title, t.ID))
	for _, m := range plan.Processes {
		p("  %s%s", strings.Repeat("  ", m.Depth), m.Name())
	}
	for _, m := range plan.Spared {
		p("  stays: %s (%s)", m.Name(), m.Why)
	}
	if len(plan.Ports) > 0 {
		p("  frees %s", portWords(plan.Ports))
	}
	if plan.Note != "" {
		p("  %s", plan.Note)
	}
	_, _ = fmt.Fprint(a.errw, "Type y to stop it: ")
	line, _ := bufio.NewReader(a.in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return fmt.Errorf("%w: it was not stopped", registry.ErrRefused)
	}
	return nil
}

func portWords(ports []int) string {
	var out []string
	for _, p := range ports {
		out = append(out, strconv.Itoa(p))
	}
	word := "port "
	if len(ports) > 1 {
		word = "ports "
	}
	return word + strings.Join(out, ", ")
}

func (a *app) sayStopped(t task.Task, rep task.StopReport) {
	text := fmt.Sprintf("%s %s: %s ended", task.Glyph(task.Cancelled), first(t.Title, t.ID), plural(len(rep.Ended), "process", "processes"))
	if len(rep.PortsFreed) > 0 {
		text += ", " + portWords(rep.PortsFreed) + " free"
	}
	if len(rep.PortsHeld) > 0 {
		text += ", " + portWords(rep.PortsHeld) + " still taken"
	}
	_, _ = fmt.Fprintln(a.out, text)
	if rep.Note != "" {
		_, _ = fmt.Fprintln(a.errw, rep.Note)
	}
}
