package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// restartWire is what `restart --json` prints.
type restartWire struct {
	ID string `json:"id"`
}

func (a *app) restartCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restart REF",
		Short: "Start a task of our own again, as it was",
		Long:  "Starts a task that was started with offstage run again, with the same command, folder and environment, and prints the id of the new task. One that still runs goes on: stop it first if it should not.",
		Args:  args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			r, done, err := a.registry(view{everywhere: true, writes: true})
			if err != nil {
				return err
			}
			defer done()
			t, err := findTask(cmd.Context(), r, argv[0])
			if err != nil {
				return err
			}
			id, err := r.Restart(cmd.Context(), t.ID)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(restartWire{id})
			}
			_, err = fmt.Fprintln(a.out, id)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
