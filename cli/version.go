package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(0, 0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "offstage %s %s/%s %s\n", a.wire.Version, runtime.GOOS, runtime.GOARCH, runtime.Version())
			return err
		},
	}
}
