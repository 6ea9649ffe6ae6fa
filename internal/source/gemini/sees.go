package gemini

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Gemini CLI", Versions: "0.61.0", Sessions: "yes",
	Tasks: "background commands", Output: "live", Exit: "only if the model asked for it", Stop: "yes, by the recorded process",
}
