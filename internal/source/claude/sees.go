package claude

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Claude Code", Versions: "2.0.64 – 2.1.332", Sessions: "yes, with state; to 2.1.71 from transcripts alone",
	Tasks: "shells, monitors, remote runs, workflows", Output: "live", Exit: "yes, as Claude Code records it", Stop: "yes, what writes the output; sub-agents live inside the client", Subagents: "yes, as steps", Plan: "yes",
}
