package cli

import (
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
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			snap, err := a.snapshot(cmd, view{everywhere: session != "", ended: true})
			if err != nil {
				return err
			}
			s, err := planSession(snap, session)
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
func planSession(snap task.Snapshot, ref string) (task.Session, error) {
	if ref != "" {
		s, err := registry.FindSession(snap, ref)
		if err != nil {
			return s, fmt.Errorf("%q names no session here (%w): `offstage sessions --all` lists them", ref, err)
		}
		return s, nil
	}
	var newest task.Session
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
