// Package qwen finds the sessions and background tasks of Qwen Code from what it
// leaves on disk: a registry of its running processes with their exact starts,
// transcripts, and one record and one log a background command. It never writes
// and never signals.
//
// The agent holds a task's log, not the task: a task is known by the pid and the
// start that its record names, and by the mark of its session in its environment
// (K3); of an environment only those names are read. After a crash the record
// says running for ever: what lives under nobody is shown so.
//
// Formats: Qwen Code 0.24.4 as recorded in testdata; earlier forms from its
// published source. The registry calls Scan.
package qwen
