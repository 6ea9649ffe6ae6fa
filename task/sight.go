package task

// Sight is what a source can see of its agent, in a few words each, "" for what
// there is not. The source declares it; doctor prints it and the README's table of
// agents is written from it (spec 6 D), so that both say the same as the code does.
type Sight struct {
	// Agent is the name that people know it by, Versions those that were tried.
	Agent, Versions string
	// Sessions: where sessions come from. Tasks: which work is listed. Output: how
	// what it prints is followed. Exit: how an end is known. Stop: how it is stopped.
	Sessions, Tasks, Output, Exit, Stop string
	// Subagents and Plan: the agent's own helpers and task list.
	Subagents, Plan string
	// Experimental: built from documents, not from recordings.
	Experimental bool
}
