package kimi

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Kimi Code, Kimi CLI", Versions: "2.1.0 (Kimi CLI 1.x from its source)", Sessions: "yes, with state",
	Tasks: "background commands", Output: "live", Exit: "yes", Stop: "yes, by the recorded process", Subagents: "yes, as steps",
}
