package proc

import "context"

// askAgent has the agent end the task by force, where it can be asked, once, and
// waits for what comes of it. False where there is nobody to ask, or the agent did
// not do it: then the KILL is ours.
func (s *stopper) askAgent(ctx context.Context, alive []Member) bool {
	r := &s.rung
	if r.told || s.o.Force == nil {
		return false
	}
	r.told = true
	const step = "Asked the agent to end it by force"
	s.o.Progress(step, s.left(alive))
	if s.o.Force(ctx) != nil {
		return false
	}
	r.sent, r.at = nil, s.w.Now()
	s.wait(ctx, alive, s.o.Step, step)
	return true
}
