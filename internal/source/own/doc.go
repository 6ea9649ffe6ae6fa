// Package own is the source of the tasks that this program started itself: it
// reads their folders (taskdir) and says how each stands. An end is told only
// where it is written; where nobody wrote one the processes decide, known by boot,
// pid and start time or by the mark of the task, and what nobody can know is
// "ended, result unknown" (spec 1 G, spec 2 L3).
//
// It starts, stops and writes nothing; runner does. The registry is its caller.
package own
