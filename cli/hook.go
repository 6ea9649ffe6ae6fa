package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/hook"
)

// hookPatience bounds the reading of an event: an agent gives it at once.
const hookPatience = 2 * time.Second

// maxHookEvent bounds what is read of it.
const maxHookEvent = 33 << 20

func (a *app) hookCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hook",
		Short: "Take an agent's hook event from standard input",
		Long: "An agent starts this by itself for its events (offstage setup claude puts it into the settings). It notes launches, and tells the agent once " +
			"what ended and what a person stopped on purpose. It always ends with 0, prints nothing unless there is something to tell, and never waits.",
		Args: args(0, 0),
		RunE: func(_ *cobra.Command, _ []string) error {
			if err := a.hook(); err != nil {
				_, _ = fmt.Fprintln(a.errw, "offstage: "+maskText(err.Error()))
			}
			return nil // a hook that fails must not hold its agent up
		},
	}
}

func (a *app) hook() error {
	raw, err := readEvent(a.in)
	if err != nil {
		return err
	}
	r, done, err := a.registry(view{everywhere: true, writes: true})
	if err != nil {
		return err
	}
	defer done()
	out, err := hook.Run(r, raw, hook.Options{Silent: a.settings.AfterStop == "silent"})
	if err != nil {
		return err
	}
	if len(out) > 0 {
		_, err = a.out.Write(append(out, '\n'))
	}
	return err
}

// readEvent reads all of an event, for no longer than an agent takes to write it.
func readEvent(in io.Reader) ([]byte, error) {
	type read struct {
		b   []byte
		err error
	}
	got := make(chan read, 1)
	go func() { // ends with the program where the input does not
		b, err := io.ReadAll(io.LimitReader(in, maxHookEvent))
		got <- read{b, err}
	}()
	select {
	case r := <-got:
		return r.b, r.err
	case <-time.After(hookPatience):
		return nil, fmt.Errorf("no event came on standard input: an agent starts this verb by itself")
	}
}
