package left

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Left behind (`server &`, survivors of a crash)", Sessions: "by their marks",
	Tasks: "processes outside any task", Output: "–", Exit: "–", Stop: "yes, it asks",
}
