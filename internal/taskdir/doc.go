// Package taskdir is the folder of a task of our own, STATE/tasks/t-xxxxxxxx:
// which files it holds, how each looks, and how they are read back.
//
//	task.json     what was asked for              the starter, before anything runs
//	environment   the environment it was asked in the starter (0600, for a restart)
//	output        what the task writes            made by the starter, O_EXCL, append only
//	exit.room     blanks, room for exit.json      the starter
//	started.json  who supervises, who runs        the supervisor, before and after the start
//	control.sock  where the supervisor listens    the supervisor
//	stop.json     that a stop was asked for       the supervisor, before the first signal
//	guard.json    what became of a large output   the supervisor, when it changes
//	exit.json     how it ended                    the supervisor, before anybody is told
//
// A folder is 0700, a file 0600; a record is replaced as a whole, so nobody reads
// half of one. The folders are the truth and the ledger is their index.
//
// It never starts, signals or judges anything, knows no clock and no ledger, and
// takes nothing that it reads for granted: a record that is broken, newer or
// hostile is the trouble of its own row. runner writes it, source/own and the
// ledger's rebuild read it.
package taskdir
