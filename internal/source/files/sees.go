package files

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Any folder of log files (`--files DIR`)", Sessions: "–",
	Tasks: "one for each file", Output: "live", Exit: "only from an end mark", Stop: "what writes the file",
}
