// Package proc is what the house knows of processes: which there are, who holds
// a file open, what a task's processes are, that one has ended, and how they are
// ended. It is the only room that signals a process, and the only one besides
// world that reads the process folder (always through world.Proc).
//
// It owns the process table (Scan), the search for writers (Users, Writers),
// the held process whose end is an event (Hold), the choice of what belongs to
// a foreign task (Members, Plan) and the ladder that ends it (Stop), and the same
// for a task of our own (PlanOwn, StopOwn, Freeze).
//
// It never signals a process group (but one: InterruptGroup), a bare pid, another user's process, the
// agent, a person's shell or one of our own ancestors; it never writes a file
// and never takes "cannot look" for "nobody". Command lines that leave it are
// raw: the registry masks them. Sources, runner and registry call it.
package proc
