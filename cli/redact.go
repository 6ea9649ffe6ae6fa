package cli

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/output"
	"offstage/redact"
)

func (a *app) redactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "redact [FILE]",
		Short: "Copy a text with its secrets replaced by [redacted]",
		Long:  "Copies FILE, or standard input, byte for byte but for secrets. It streams: a line leaves as soon as no later line can change it.",
		Args:  args(0, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			in, err := a.openInput(cmd.Context(), arg(argv))
			if err != nil {
				return err
			}
			defer func() { _ = in.Close() }()
			return filter(cmd.Context(), in, a.out)
		},
	}
}

// redactQuiet is how long held text waits for more input before it leaves as it
// is, safely masked (spec 5).
const redactQuiet = 200 * time.Millisecond

// filter streams in to out. Reading is a goroutine of its own, so that a pause
// of the writer can be noticed; it ends with its input.
func filter(ctx context.Context, in io.Reader, out io.Writer) error {
	type chunk struct {
		b   []byte
		err error
	}
	chunks := make(chan chunk)
	go func() {
		defer close(chunks)
		for {
			b := make([]byte, 32<<10)
			n, err := in.Read(b)
			select {
			case chunks <- chunk{b[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	r := redact.New(redact.Options{Patterns: output.Patterns(), Memory: new(redact.Memory)})
	quiet := time.NewTimer(redactQuiet)
	defer quiet.Stop()
	for {
		var leave []byte
		var end error
		select {
		case c := <-chunks:
			leave, end = r.Write(c.b), c.err
		case <-quiet.C:
			leave = r.Release()
		case <-ctx.Done():
			end = io.EOF
		}
		// What a redactor gives is good until the next call.
		if _, err := out.Write(leave); err != nil {
			return err
		}
		if end != nil {
			if _, err := out.Write(r.Flush()); err != nil {
				return err
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
		quiet.Reset(redactQuiet)
	}
}
