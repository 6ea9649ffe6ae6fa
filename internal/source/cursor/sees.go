package cursor

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Cursor", Sessions: "projects, not chats",
	Tasks: "background commands", Output: "live", Exit: "yes", Stop: "yes, by the recorded process",
	Subagents: "no", Experimental: true,
}
