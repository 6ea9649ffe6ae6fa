package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"offstage/internal/output"
	"offstage/task"
	"offstage/testparse"
)

// testsWire is what `tests FILE --json` prints: no total without a run.
type testsWire struct {
	Runs  []testparse.Run   `json:"runs"`
	Total *testparse.Totals `json:"total,omitempty"`
}

func (a *app) testsCommand() *cobra.Command {
	var asJSON bool
	var command string
	cmd := &cobra.Command{
		Use:   "tests FILE",
		Short: "Say which test runs a log contains",
		Args:  args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			in, err := a.openInput(cmd.Context(), argv[0])
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			runs, total, found, err := testparse.Parse(in, testparse.Options{Command: command})
			if err != nil {
				return fmt.Errorf("read %s: %w", argv[0], err)
			}
			w := maskedTests(runs, total, found, command)
			if asJSON {
				return a.printJSON(w)
			}
			return a.printRuns(w)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&command, "command", "", "the command that wrote the log, as evidence")
	return cmd
}

// maskedTests hides what is secret in the names of failed tests (C9).
func maskedTests(runs []testparse.Run, total testparse.Totals, found bool, command string) testsWire {
	w := testsWire{Runs: []testparse.Run{}}
	w.Runs = append(w.Runs, output.MaskTests(runs, output.NewSecrets(command))...)
	if found {
		w.Total = &total
	}
	return w
}

func (a *app) printRuns(w testsWire) error {
	if len(w.Runs) == 0 {
		_, err := fmt.Fprintln(a.errw, "No test run was found in this log.")
		return err
	}
	for _, r := range w.Runs {
		t := task.Tests{Totals: testparse.Totals{Passed: r.Passed, Failed: r.Failed, Skipped: r.Skipped, Todo: r.Todo, Flaky: r.Flaky, SuitesFailed: r.SuitesFailed, Red: r.Red, Settled: r.Settled, PassedUnknown: r.PassedUnknown}, Complete: true, Runs: []testparse.Run{r}}
		c := task.TestChip(&t)
		line := c.Text + "  " + c.Title
		if r.Package != "" {
			line += "  " + r.Package
		}
		if !r.Settled {
			line += "  (no summary yet)"
		}
		if r.First != nil {
			line += fmt.Sprintf("\n    first failure, line %d: %s", r.First.Line, r.First.Name)
		}
		if _, err := fmt.Fprintln(a.out, line); err != nil {
			return err
		}
	}
	return nil
}
