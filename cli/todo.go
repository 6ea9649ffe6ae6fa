package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"offstage/internal/desk"
	"offstage/internal/registry"
	"offstage/task"
)

func (a *app) todoCommand() *cobra.Command {
	var asJSON bool
	var session string
	cmd := &cobra.Command{
		Use:   "todo",
		Short: "Show and change the task list that an agent keeps for itself",
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
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.PersistentFlags().StringVar(&session, "session", "", "the session `ID`; without it the newest of this project")
	cmd.AddCommand(a.todoAdd(&session, &asJSON), a.todoUpdate(&session, &asJSON), a.todoGet(&session, &asJSON))
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

func (a *app) todoAdd(session *string, asJSON *bool) *cobra.Command {
	var description, active, owner string
	var waits []int
	cmd := &cobra.Command{
		Use: "add SUBJECT", Short: "Add an entry to the list that a session keeps with us", Args: args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			in := map[string]any{"subject": argv[0], "description": first(description, argv[0])}
			put(in, "activeForm", active)
			put(in, "owner", owner)
			if len(waits) > 0 {
				in["blockedBy"] = waits
			}
			return a.changeTodo(cmd.Context(), *session, *asJSON, "TaskCreate", in)
		},
	}
	f := cmd.Flags()
	f.StringVar(&description, "description", "", "what is to be done; the subject, if left out")
	f.StringVar(&active, "active-form", "", "what is shown while it is in progress")
	f.StringVar(&owner, "owner", "", "who works on it")
	f.IntSliceVar(&waits, "after", nil, "numbers of entries that it waits for")
	return cmd
}

func (a *app) todoUpdate(session *string, asJSON *bool) *cobra.Command {
	var status, subject, description, active, owner string
	var waits []int
	cmd := &cobra.Command{
		Use: "update NUMBER", Short: "Change an entry of the list that a session keeps with us", Args: args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			in := map[string]any{"taskid": argv[0]}
			for name, v := range map[string]string{"status": status, "subject": subject, "description": description, "activeForm": active, "owner": owner} {
				put(in, name, v)
			}
			if len(waits) > 0 {
				in["addBlockedBy"] = waits
			}
			return a.changeTodo(cmd.Context(), *session, *asJSON, "TaskUpdate", in)
		},
	}
	f := cmd.Flags()
	f.StringVar(&status, "status", "", "pending, inprogress, completed, or deleted to withdraw it")
	f.StringVar(&subject, "subject", "", "a new subject")
	f.StringVar(&description, "description", "", "a new description")
	f.StringVar(&active, "active-form", "", "what is shown while it is in progress")
	f.StringVar(&owner, "owner", "", "who works on it")
	f.IntSliceVar(&waits, "after", nil, "numbers of entries that it waits for from now on")
	return cmd
}

func (a *app) todoGet(session *string, asJSON *bool) *cobra.Command {
	return &cobra.Command{
		Use: "get NUMBER", Short: "Show one entry", Args: args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			r, done, err := a.registry(view{everywhere: *session != ""})
			if err != nil {
				return err
			}
			defer done()
			s, err := planSession(cmd.Context(), r, *session)
			if err != nil {
				return err
			}
			var ids []string
			for _, e := range task.EntriesToWire(s.Plan) {
				if e.ID != strings.TrimPrefix(argv[0], "#") {
					ids = append(ids, e.ID)
					continue
				}
				if *asJSON {
					return a.printJSON(e)
				}
				_, err := fmt.Fprintf(a.out, "%s %s (%s)\n%s\n", e.ID, e.Subject, e.Status, e.Description)
				return err
			}
			return fmt.Errorf("there is no entry %s (%w): there are %s", argv[0], registry.ErrNoTask, first(strings.Join(ids, ", "), "none"))
		},
	}
}

func put(in map[string]any, name, v string) {
	if v != "" {
		in[name] = v
	}
}

// changeTodo carries a change of a list out. A list that its agent keeps itself is
// refused, with where it is kept (T13).
func (a *app) changeTodo(ctx context.Context, session string, asJSON bool, tool string, in map[string]any) error {
	r, done, err := a.registry(view{everywhere: session != "", writes: true})
	if err != nil {
		return err
	}
	defer done()
	s, err := planSession(ctx, r, session)
	if err != nil {
		return err
	}
	if s.Plan.Native {
		return fmt.Errorf("%w: %s keeps this session's task list itself, in %s; ask it to change it", registry.ErrRefused, s.Agent, first(s.Transcript, "its own records"))
	}
	input := map[string]json.RawMessage{}
	for name, v := range in {
		if input[name], err = json.Marshal(v); err != nil {
			return err
		}
	}
	text, data, err := r.Lists(a.listHooks()).Do(ctx, s.ID, "", tool, input)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(data)
	}
	_, err = fmt.Fprintln(a.out, text)
	return err
}

// listHooks are the commands that the settings want asked (T9).
func (a *app) listHooks() registry.ListHooks {
	hook := func(argv []string) func(context.Context, []byte) error {
		if len(argv) == 0 {
			return nil
		}
		return func(ctx context.Context, entry []byte) error { return desk.Ask(ctx, argv, entry) }
	}
	return registry.ListHooks{Create: hook(a.settings.OnCreate), Complete: hook(a.settings.OnComplete)}
}
