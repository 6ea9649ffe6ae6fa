package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"offstage/task"
)

// completePatience bounds what a person waits for behind a Tab.
const completePatience = time.Second

// refs makes a shell complete the REFs of a verb: the native ids of what is
// listed, each with its title. It says nothing where nothing can be read.
func (a *app) refs(cmd *cobra.Command, wanted func(task.Task) bool) *cobra.Command {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if a.prepare() != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		r, done, err := a.registry(view{everywhere: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer done()
		ctx, cancel := context.WithTimeout(cmd.Context(), completePatience)
		defer cancel()
		snap, _ := r.Scan(ctx, 0) // what was seen in that time is offered
		var out []cobra.Completion
		for _, t := range snap.Tasks {
			if wanted(t) && strings.HasPrefix(t.Native, begun) {
				out = append(out, cobra.CompletionWithDesc(t.Native, strings.Join(strings.Fields(t.Title), " ")+" ("+task.StateWords(t)+")"))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// anyTask and openTask are what a verb can be given.
func anyTask(task.Task) bool    { return true }
func openTask(t task.Task) bool { return !t.Status.Ended() }
