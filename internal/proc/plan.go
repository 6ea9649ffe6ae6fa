package proc

import (
	"errors"
	"slices"
)

// Plan is what a stop of the task would end, and what it would leave, to be
// shown before. It signals nothing. It wants a table that was read just now: a
// process that is younger than the table is not seen.
func (t *Table) Plan(tg Target) Plan {
	if t.recorded {
		return Plan{Refused: "This is a recording of a machine: nothing can be stopped in it."}
	}
	if why := cannotStop(tg); why != "" {
		return Plan{Refused: why}
	}
	pick, err := t.pick(tg, nil)
	if err != nil {
		return Plan{Refused: sentence(err)}
	}
	plan := Plan{Processes: pick.members(), Spared: pick.spares()}
	if plan.Refused = pick.refusal(); plan.Refused != "" {
		plan.Processes, plan.Unseen = nil, !pick.self && len(pick.in) == 0
		return plan
	}
	ports, err := t.Ports(pids(plan.Processes))
	if err != nil {
		plan.Note = "Which ports it holds cannot be seen from here."
	}
	plan.Ports = ports
	return plan
}

// refusal is "" where there is something that may be ended.
func (k *picker) refusal() string {
	if k.self {
		return "Offstage itself runs inside this task: stop it from another terminal."
	}
	if len(k.in) > 0 {
		return ""
	}
	for _, m := range k.spares() {
		switch {
		case m.Why == whyAgent:
			return "Only the agent itself holds its output: end the task in the agent."
		case m.UID >= 0 && k.guard.uid >= 0 && m.UID != k.guard.uid:
			return "Its processes belong to another user: stop it as that user."
		}
	}
	if len(k.out) > 0 {
		return "None of the processes around it may be ended from here: none writes its output as its own."
	}
	return "No process of it can be found: it may have ended already."
}

// sentence is err for a person.
func sentence(err error) string {
	switch {
	case errors.Is(err, ErrAmbiguous):
		return "Several processes run this very command and which one is meant cannot be told: end it in the agent."
	case errors.Is(err, ErrCannotLook):
		return "Its processes cannot be seen from here: they belong to another user or are hidden."
	case errors.Is(err, ErrNoProcs):
		return "Its processes cannot be seen from here: open Offstage on the machine or in the container where they run."
	}
	return "Its processes could not be read (" + err.Error() + "): try again."
}

func pids(members []Member) []int {
	out := make([]int, len(members))
	for i, m := range members {
		out[i] = m.PID
	}
	slices.Sort(out)
	return out
}
