package task

import (
	"strconv"
	"strings"
	"time"
)

// What is said of a workflow, its agents and its end (A9).

// AgentLabel is how an agent of a workflow is called: its label, else its id.
func AgentLabel(a WorkflowAgent) string {
	switch {
	case a.Label != "":
		return a.Label
	case a.ID != "":
		return "agent " + a.ID[:min(len(a.ID), 9)]
	}
	return "agent"
}

// AgentGlyph is the mark of an agent in a workflow's tree (A9).
func AgentGlyph(s Status) string {
	switch s {
	case Queued:
		return "○"
	case Running:
		return "◐"
	case Succeeded:
		return "✓"
	case Lost:
		return "?"
	}
	return "✗"
}

// AgentWords are the line about an agent in a workflow's tree: model, tokens,
// tool calls, time, and its attempt after a retry. What is not known is left out.
func AgentWords(a WorkflowAgent, now time.Time) string {
	var out []string
	add := func(s string) {
		if s != "" {
			out = append(out, s)
		}
	}
	add(strings.TrimPrefix(a.Model, "claude-"))
	if a.Tokens > 0 {
		add(TokenCount(a.Tokens))
	}
	switch {
	case a.ToolCalls == 1:
		add("1 tool call")
	case a.ToolCalls > 1:
		add(strconv.Itoa(a.ToolCalls) + " tool calls")
	}
	switch {
	case a.Ran > 0:
		add(Brief(a.Ran))
	case a.Status == Running && now.After(a.Started) && !a.Started.IsZero():
		add(Brief(now.Sub(a.Started)))
	}
	if a.Attempt > 1 {
		add("attempt " + strconv.Itoa(a.Attempt))
	}
	return strings.Join(out, " · ")
}

// AgentNow is what else there is to say of an agent: while it runs its present
// tool, after a failure the reason.
func AgentNow(a WorkflowAgent) string {
	switch {
	case a.Status == Running:
		return a.Tool
	case a.Status.Ended() && a.Status != Succeeded:
		return a.Error
	}
	return ""
}

// TokenCount is a number of tokens as a person reads it: "812 tok", "76.0k tok",
// "1.2M tok".
func TokenCount(n int64) string {
	f := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " tok"
	case n < 999_950:
		return f(float64(n)/1e3) + "k tok"
	}
	return f(float64(n)/1e6) + "M tok"
}

// Brief is a duration in at most two units, without a part that is zero: "41s",
// "1m19s", "28m", "1h12m", "2d".
func Brief(d time.Duration) string {
	s := int(max(d, 0) / time.Second)
	big, small, unit := 0, 0, [2]string{"m", "s"}
	switch {
	case s < 60:
		return strconv.Itoa(s) + "s"
	case s < 600:
		big, small = s/60, s%60
	case s < 3600:
		return strconv.Itoa(s/60) + "m"
	case s < 24*3600:
		big, small, unit = s/3600, s/60%60, [2]string{"h", "m"}
	default:
		big, small, unit = s/(24*3600), s/3600%24, [2]string{"d", "h"}
	}
	out := strconv.Itoa(big) + unit[0]
	if small > 0 {
		out += strconv.Itoa(small) + unit[1]
	}
	return out
}

// WorkflowCounts are the agents of a workflow by their state: "120 · 2 running · 1
// failed", "" for no workflow.
func WorkflowCounts(w *WorkflowTree) string {
	if w == nil {
		return ""
	}
	n := map[Status]int{}
	for _, a := range w.Agents {
		n[a.Status]++
	}
	out := strconv.Itoa(max(w.Total, len(w.Agents)))
	for _, c := range []struct {
		n    int
		word string
	}{{n[Queued], "queued"}, {n[Running], "running"}, {n[Succeeded], "done"}, {n[Failed] + n[TimedOut], "failed"}, {n[Cancelled], "killed"}} {
		if c.n > 0 {
			out += " · " + strconv.Itoa(c.n) + " " + c.word
		}
	}
	if w.Tokens > 0 {
		out += ", " + TokenCount(w.Tokens)
	}
	if w.ToolCalls > 0 {
		out += ", " + strconv.Itoa(w.ToolCalls) + " tool calls"
	}
	return out
}

// WorkflowMark stands before the card of a workflow that has ended (A9); it is
// two cells wide.
const WorkflowMark = "🧩"

// WorkflowTitle is the card of a workflow that has ended (A9), without its mark:
// "Finished background task — review-shared-modules · 20 agents · 1.2M tok · 28m".
// What is not known is left out.
func WorkflowTitle(t Task) string {
	name := t.Title
	if w := t.Workflow; w != nil && w.Name != "" {
		name = w.Name
	}
	out := "Finished background task — " + name
	switch t.Status {
	case Failed, TimedOut:
		out += " (failed)"
	case Cancelled:
		out += " (killed)"
	case Succeeded:
	default:
		out += " (unconfirmed)"
	}
	if w := t.Workflow; w != nil {
		switch {
		case w.Total == 1:
			out += " · 1 agent"
		case w.Total > 1:
			out += " · " + strconv.Itoa(w.Total) + " agents"
		}
		if w.Tokens > 0 {
			out += " · " + TokenCount(w.Tokens)
		}
	}
	if !t.Ended.IsZero() && !t.Started.IsZero() && t.Ended.After(t.Started) {
		out += " · " + Brief(t.Ended.Sub(t.Started))
	}
	return out
}
