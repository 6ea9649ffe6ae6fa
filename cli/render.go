package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"offstage/internal/output"
)

func (a *app) renderCommand() *cobra.Command {
	var asJSON, plain, noFold bool
	var color string
	var o output.ReadOptions
	cmd := &cobra.Command{
		Use:   "render FILE",
		Short: "Print a log as the console would show it",
		Long:  "Prints FILE (- is standard input) with redraws settled, control sequences gone, secrets hidden and repeats folded.",
		Args:  args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if plain {
				color = "never"
			}
			colored, err := a.useColor(color)
			if err != nil {
				return err
			}
			if o.Width < 0 || o.Height < 0 {
				return usage("--width and --height are numbers of cells, 0 or more")
			}
			in, err := a.openInput(cmd.Context(), argv[0])
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			p := newPrinter(a.out, colored, asJSON)
			o.Redact, o.NoFold = true, noFold
			return a.render(cmd, in, o, p, argv[0])
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print one JSON object a row")
	f.BoolVar(&plain, "plain", false, "no colour")
	f.BoolVar(&noFold, "no-fold", false, "print equal rows one by one")
	f.IntVar(&o.Width, "width", 0, "columns of the terminal that the log was written for")
	f.IntVar(&o.Height, "height", 0, "rows of that terminal")
	f.StringVar(&color, "color", "auto", "auto, always or never")
	return cmd
}

func (a *app) render(cmd *cobra.Command, in io.Reader, o output.ReadOptions, p *printer, name string) error {
	if err := output.ReadFrom(cmd.Context(), in, o, p.line); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return p.flush()
}
