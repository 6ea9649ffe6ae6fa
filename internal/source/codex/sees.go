package codex

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Codex", Versions: "0.171.0", Sessions: "yes, with state",
	Tasks: "background commands", Output: "live from its daemon while it is open, all at the end, from the record", Exit: "yes",
	Stop: "yes, by the marks of its call, or by its daemon", Subagents: "yes, as steps",
}
