package claude

import "strings"

// agentStats add up what a sub-agent used (spec 2 P1).
type agentStats struct {
	calls   int
	output  map[string]int64
	context latest[int64]
	failed  latest[bool]
	done    latest[bool]
	said    latest[string]
	// total is what its latest call took, context and answer; model who answered.
	total latest[int64]
	model latest[string]
}

// noModel is who writes what the client itself says in an answer's place.
const noModel = "<synthetic>"

// agentMessage counts what a sub-agent did.
func (x *extract) agentMessage(r record, m message, off int64) {
	s := &x.stats
	if u := m.Usage; u != nil {
		if s.output == nil {
			s.output = map[string]int64{}
		}
		// One message is written as several lines, each with the usage so far.
		if u.Output > s.output[m.ID] {
			s.output[m.ID] = u.Output
		}
		s.context.put(off, u.Input+u.CacheRead+u.CacheWrite)
		if m.Model != noModel {
			s.total.put(off, u.Input+u.CacheRead+u.CacheWrite+u.Output)
			s.model.put(off, m.Model)
		}
	}
	s.failed.put(off, r.apiError)
	s.done.put(off, m.StopReason == "end_turn" || m.StopReason == "stop_sequence")
	for _, b := range m.blocks() {
		switch b.Type {
		case "tool_use":
			s.calls++
			x.activity.put(off, strings.TrimSpace(b.Name+" "+headline(b.Name, b.Input)))
			x.activityAt.put(off, r.at)
		case "text":
			if strings.TrimSpace(b.Text) != "" {
				s.said.put(off, b.Text)
			}
		}
	}
}
