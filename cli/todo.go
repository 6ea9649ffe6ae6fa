package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

func (a *app) todoCommand() *cobra.Command {
	var asJSON bool
	var session string
	cmd := &cobra.Command{
		Use:   "todo",
		Short: "Show the task list that an agent keeps for itself",
		Args:  args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, done, err := a.registry(view{everywhere: session != ""})
			if err != nil {
				return err
			}
			defer done()
			s, err := planSession(cmd.Context(), r, session)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(task.EntriesToWire(s.Plan))
			}
			return a.printPlan(s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&session, "session", "", "the session `ID`; without it the newest of this project")
	return cmd
}

// planSession is the session that a person means, or the one that changed last.
func planSession(ctx context.Context, r *registry.Registry, ref string) (task.Session, error) {
	if ref != "" {
		s, _, err := findSession(ctx, r, ref)
		return s, err
	}
	var newest task.Session
	snap, err := r.Scan(ctx, 0)
	if err != nil {
		return newest, err
	}
	for _, s := range snap.Sessions {
		if newest.ID == "" || s.UpdatedAt.After(newest.UpdatedAt) {
			newest = s
		}
	}
	if newest.ID == "" {
		return newest, fmt.Errorf("no agent session belongs to this project (%w): name one with --session ID", registry.ErrNoTask)
	}
	return newest, nil
}

func (a *app) printPlan(s task.Session) error {
	if len(s.Plan.Entries) == 0 {
		_, err := fmt.Fprintln(a.errw, "This session keeps no task list.")
		return err
	}
	marks := map[task.EntryStatus]string{task.Pending: "[ ]", task.InProgress: "[~]", task.Completed: "[x]", task.Deleted: "[-]"}
	for _, e := range s.Plan.Entries {
		line := fmt.Sprintf("%s %s %s", marks[e.Status], e.ID, e.Subject)
		for _, b := range e.BlockedBy {
			line += " (blocked by " + b + ")"
		}
		if _, err := fmt.Fprintln(a.out, line); err != nil {
			return err
		}
	}
	return nil
}
