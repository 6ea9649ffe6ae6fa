package own

import "offstage/task"

// Sees is what this source can see of its agent (spec 6 D).
var Sees = task.Sight{
	Agent: "Tasks of your own (`offstage run`, `run_task`)", Sessions: "–",
	Tasks: "all", Output: "live", Exit: "yes, proven", Stop: "yes, the whole tree, proven", Plan: "for agents that keep none",
}
