package cli

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"offstage/internal/config"
	"offstage/ui"
)

// manCommand prints the manual page, written from the commands themselves, the
// key table, the settings and the exit codes.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page: offstage man | man -l -",
		Args:  args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mango.NewManPage(1, cmd.Root())
			if err != nil {
				return fmt.Errorf("write the manual page: %w", err)
			}
			page = page.WithSection("Keys", keysText()).WithSection("Exit status", exitText).
				WithSection("Settings", strings.ReplaceAll(config.Commented(), "# ", "")).
				WithSection("Files", "~/.config/offstage/config.toml, .offstage.toml of a project: settings.\n\n~/.local/state/offstage: the ledger and the folders of tasks of your own.")
			_, err = fmt.Fprint(a.out, oneDash().ReplaceAllString(page.Build(roff.NewDocument()), `\fB-$1`))
			return err
		},
	}
}

// oneDash are one-letter flags, which the library writes with two dashes.
var oneDash = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\fB--([A-Za-z])\b`) })

const exitText = "0 done; 1 failed for a stated reason; 2 wrong usage; 3 no such task; 4 ambiguous REF; 5 not allowed or refused; 6 stopped incompletely; " +
	"124 wait timed out; with run --wait the command's own code, 128+N for a signal."

// keysText is the key table, group by group.
func keysText() string {
	var b strings.Builder
	last := ""
	for _, k := range ui.KeyTable() {
		if k.Group != last {
			fmt.Fprintf(&b, "%s:\n\n", k.Group)
			last = k.Group
		}
		fmt.Fprintf(&b, "%s: %s\n\n", strings.Join(k.Keys, ", "), k.Words)
	}
	return b.String()
}
