package cli

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"offstage/mcpserver"
)

func (a *app) mcpCommand() *cobra.Command {
	var foreign bool
	todo := "auto"
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the verbs to an agent over MCP, on standard input and output",
		Long: "An agent's client starts this by itself (offstage setup puts it into the client's configuration). Tasks that it starts outlive it. " +
			"It ends with its input.",
		Args: args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch todo {
			case "auto", "on", "off":
			default:
				return usage("--todo %s: auto, on or off is wanted", todo)
			}
			r, done, err := a.registry(view{everywhere: true, writes: true})
			if err != nil {
				return err
			}
			defer done()
			cwd, err := os.Getwd()
			if err != nil {
				return err
			}
			s := mcpserver.New(mcpserver.Options{
				Registry: r, Version: a.wire.Version, AllowForeign: foreign, Lists: r.Lists(a.listHooks()), Todo: todo, Timeout: a.settings.Timeout,
				Limit: a.settings.SizeLimit.Bytes, LimitDo: a.settings.SizeLimit.Do, KeepAwake: a.settings.KeepAwake, MaxText: a.settings.MaxText,
				QuietAfter: a.settings.QuietAfter, Now: a.w.Now, Cwd: cwd, Client: os.Getppid(), Getenv: a.getenv,
			})
			return s.Serve(cmd.Context(), io.NopCloser(a.in), nopCloser{a.out})
		},
	}
	cmd.Flags().BoolVar(&foreign, "allow-foreign", false, "let the agent stop tasks of other sessions too")
	cmd.Flags().StringVar(&todo, "todo", "auto", "serve the task list tools: auto (not to a client that has its own), on, off")
	return cmd
}

// nopCloser leaves the stream to who opened it.
type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
