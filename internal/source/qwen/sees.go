package qwen

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Qwen Code", Versions: "0.24.4", Sessions: "yes, with state",
	Tasks: "background commands", Output: "live", Exit: "yes", Stop: "yes, by the recorded process", Subagents: "yes, as steps",
}
