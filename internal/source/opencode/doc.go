// Package opencode finds the sessions of OpenCode 1.x in its database, which it
// only reads, with what each does now, its task list, and the command that it
// waits for. It never writes and never signals.
//
// OpenCode 1.x has no background commands: what a command puts there with "&" is
// unknown to it and is listed by the source of what was left behind, by its marks.
// Its sub-agents are sessions inside the database and cannot be followed as a file.
//
// Formats: OpenCode 1.18.33 as recorded in testdata. The registry calls Scan.
package opencode
