//go:build unix

package proc

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// deaf is a command that TERM does not end.
const deaf = `bash -c "trap '' TERM; while :; do sleep 60; done"; true`

// TestForceOfTheAgent: what TERM does not end its agent is asked to, once, before
// the first KILL; what the agent says it did is proven like any other end (K3, K4).
func TestForceOfTheAgent(t *testing.T) {
	for name, does := range map[string]bool{"it does": true, "it cannot": false} {
		t.Run(name, func(t *testing.T) {
			a := newAgent(t, deaf)
			asked, steps := 0, []string{}
			var plan Plan
			o := StopOptions{Grace: 300 * time.Millisecond, Step: 500 * time.Millisecond, Progress: func(step string, _ []Member) { steps = append(steps, step) }}
			o.Force = func(context.Context) error {
				if asked++; !does {
					return errors.New("no")
				}
				for _, m := range plan.Processes {
					if p, err := os.FindProcess(m.PID); err == nil {
						_ = p.Kill()
					}
				}
				return nil
			}
			plan = a.settled(3).Plan(a.target())
			r, err := Stop(context.Background(), thisWorld(t), a.target(), plan, o)
			if err != nil || len(r.Left) > 0 || len(a.marked()) > 0 {
				t.Errorf("left %v, alive %v, %v", r.Left, a.marked(), err)
			}
			if asked != 1 {
				t.Errorf("the agent was asked %d times", asked)
			}
			if all := strings.Join(steps, "; "); strings.Contains(all, "Ended ") == does {
				t.Errorf("steps: %s", all)
			}
		})
	}
}

// TestForceNotNeeded: a task that ends by TERM is never killed by its agent, which
// would leave it no time to put things in order (K3).
func TestForceNotNeeded(t *testing.T) {
	a := newAgent(t, "sleep 600")
	o := StopOptions{Force: func(context.Context) error { t.Error("the agent was asked"); return nil }}
	if _, r := a.stop(scan(t), a.target(), o); len(r.Left) > 0 {
		t.Errorf("left %v", r.Left)
	}
}
