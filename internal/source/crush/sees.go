package crush

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Crush", Versions: "≈0.90", Sessions: "yes, with state",
	Tasks: "background commands", Output: "no: in its memory", Exit: "only where Crush asked for it", Stop: "yes, by its marks, where it is one program",
	Subagents: "no: in its database", Plan: "yes",
}
