package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) answerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "answer REF TEXT",
		Short: "Answer a task of our own that waits for input",
		Long:  "Types TEXT and Enter into the terminal of a task that was started with offstage run --tty.",
		Args:  args(2, 2),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if strings.ContainsAny(argv[1], "\n\r") {
				return usage("an answer is one line: leave the line breaks out")
			}
			r, done, err := a.registry(view{everywhere: true})
			if err != nil {
				return err
			}
			defer done()
			t, err := findTask(cmd.Context(), r, argv[0])
			if err != nil {
				return err
			}
			return r.Answer(cmd.Context(), t.ID, argv[1])
		},
	}
}
