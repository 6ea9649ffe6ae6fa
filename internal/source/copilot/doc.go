// Package copilot finds the sessions, background commands and sub-agents of
// GitHub's Copilot CLI from what it leaves on disk: one folder a session with its
// events, the locks of who has it open, and the leases of detached commands with
// their logs in the temporary folder. It never writes and never signals.
//
// Copilot holds what an attached command prints until it is read, and writes no
// pid of it: such a command is known by the marks of its session in its
// environment, by its parent and its own words (K3). A detached one has a log, a
// pid and at the end a code of its own, and outlives its agent. Of an environment
// only the names of the marks are read.
//
// Formats: Copilot CLI 1.0.102 as recorded in testdata; earlier forms as read in
// public records. The registry calls Scan.
package copilot
