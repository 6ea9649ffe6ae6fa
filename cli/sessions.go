package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

func (a *app) sessionsCommand() *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List agent sessions and what they do",
		Args:  args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			snap, err := a.snapshot(cmd, view{everywhere: true, ended: all})
			if err != nil {
				return err
			}
			if asJSON {
				out := make([]task.WireSession, 0, len(snap.Sessions))
				for _, s := range snap.Sessions {
					out = append(out, task.SessionToWire(s, snap.Tasks))
				}
				return a.printJSON(out)
			}
			return a.printSessions(snap)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also sessions that ended")
	return cmd
}

// snapshot is one look at everything a verb asks for.
func (a *app) snapshot(cmd *cobra.Command, v view) (task.Snapshot, error) {
	r, done, err := a.registry(v)
	if err != nil {
		return task.Snapshot{}, err
	}
	defer done()
	snap, err := r.Scan(cmd.Context(), countPatience)
	if err == nil {
		a.sayTroubles(snap)
	}
	return snap, err
}

func (a *app) printSessions(snap task.Snapshot) error {
	if len(snap.Sessions) == 0 {
		_, err := fmt.Fprintln(a.errw, "No agent session was found on this machine.")
		return err
	}
	tw := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for _, s := range snap.Sessions {
		w := task.SessionToWire(s, snap.Tasks)
		state := s.State.Words()
		if s.AgentGone && w.Tasks.Running > 0 {
			state = "agent gone"
		}
		_, _ = fmt.Fprintln(tw, strings.Join([]string{s.Native[:min(len(s.Native), 8)], s.Agent, state, plural(w.Tasks.Running, "task", "tasks"), cutText(s.Title, 40), s.Cwd}, "\t"))
	}
	return tw.Flush()
}

// wireWhole is a session with all that belongs to it (`session ID --json`).
type wireWhole struct {
	task.WireSession
	Tasks     []task.Wire         `json:"tasks"`
	Todo      []task.WireEntry    `json:"todo"`
	Workflows []task.WireWorkflow `json:"workflows"`
}

func (a *app) sessionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "session ID",
		Short: "Show one agent session: its tasks, its plan, its results",
		Args:  args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			r, done, err := a.registry(view{everywhere: true})
			if err != nil {
				return err
			}
			defer done()
			if _, _, err := findSession(cmd.Context(), r, argv[0]); err != nil {
				return err
			}
			// All that is known of it, ended tasks and results too.
			r.Ended(true)
			snap, err := r.Scan(cmd.Context(), countPatience)
			if err != nil {
				return err
			}
			s, err := registry.FindSession(snap, argv[0])
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(wholeSession(s, snap))
			}
			return a.printSession(s, snap)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func wholeSession(s task.Session, snap task.Snapshot) wireWhole {
	out := wireWhole{WireSession: task.SessionToWire(s, snap.Tasks), Tasks: []task.Wire{}, Todo: task.EntriesToWire(s.Plan), Workflows: []task.WireWorkflow{}}
	for _, t := range snap.Tasks {
		if t.Session != s.ID {
			continue
		}
		if t.Kind == task.Workflow {
			out.Workflows = append(out.Workflows, task.ToWireWorkflow(t, snap.At))
		} else {
			out.Tasks = append(out.Tasks, task.ToWire(t, snap.At))
		}
	}
	return out
}

func (a *app) printSession(s task.Session, snap task.Snapshot) error {
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(a.out, format+"\n", args...) }
	p("%s  %s", s.Agent, first(s.Title, s.Native))
	p("%s · %s", s.Cwd, s.State.Words())
	for _, t := range snap.Tasks {
		if t.Session == s.ID {
			p("  %s %s  %s  %s", task.Glyph(t.Status), t.Native, t.Title, task.StateWords(t))
			for _, row := range task.TreeRows(t.Workflow, nil) {
				p("      %s", task.TreeWords(row, snap.At))
			}
		}
	}
	for _, e := range s.Plan.Entries {
		p("  [%s] %s %s", e.Status, e.ID, e.Subject)
	}
	for _, c := range s.Cards {
		p("\n%s\n%s", c.Title, c.Text)
	}
	return nil
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
