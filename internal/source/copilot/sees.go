package copilot

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Copilot CLI", Versions: "1.0.102", Sessions: "yes, with state",
	Tasks: "background commands", Output: "live where detached; else what Copilot has read", Exit: "yes", Stop: "yes, by the marks of its session",
	Subagents: "yes, as steps", Plan: "yes",
}
