package opencode

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "OpenCode", Versions: "1.18.33", Sessions: "yes, with state",
	Tasks: "the command it waits for; `server &` as left behind", Output: "no: in its database", Exit: "no background commands",
	Stop: "yes, as left behind", Subagents: "no: in its database", Plan: "yes",
}
