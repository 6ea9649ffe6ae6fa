// Package runner starts tasks of our own and supervises them.
//
// Start makes the task's folder and launches a supervisor: this program again
// under a hidden verb, in a session of its own, adopted by nobody who could take
// it along. Supervise is what runs there: it starts the command in a session of
// its own, alone waits for it, guards the size of its output, keeps its time,
// ends it when asked, and writes how it ended before it tells anybody. Stop,
// Answer, Turn, Freeze, Thaw, Trim and Status talk to it over the socket in the
// task's folder; Stop works without it too.
//
// It never stands between a command and its output (but for a terminal that was
// asked for), never invents an exit code, never opens the ledger (who calls
// Supervise is handed the end), and signals only through proc. The command line
// and the registry call it; Supervise is called by main's hidden verb alone.
package runner
