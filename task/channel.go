package task

import (
	"context"
	"io"
)

// Channel is how an agent can be asked about one of its tasks while it runs, over
// a socket of its own. Its methods may take a while, end with ctx, and are safe for
// concurrent use. An error is what went wrong, for a sentence that says with what.
type Channel interface {
	// Before is what the task printed, as far as that is known from elsewhere.
	Before(ctx context.Context) []byte
	// Listen writes what the task prints from now on, as it does. It returns nil
	// when the task ended, an error where the agent breaks off: what is printed until
	// the next Listen is missed.
	Listen(ctx context.Context, w io.Writer) error
	// End has the agent end the task by force, and is nil once the agent says that
	// it did. What left the agent's sight may live on: it has to be looked for.
	End(ctx context.Context) error
}
