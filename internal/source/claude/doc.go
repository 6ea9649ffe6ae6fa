// Package claude finds the sessions and background tasks of Claude Code from
// what it leaves on disk: session files, transcripts, output files, sub-agent
// folders, and the processes at the moment (spec 1 A7, G5, G6; spec 2 L1–L3,
// K7). It never writes, never signals, and trusts no record: an unknown one, a
// half-written or a broken one changes nothing.
//
// A transcript is read once. Its lines become events (extract.go), the events
// of all transcripts become works (merge.go), a work becomes a task with a
// status, its source and its time (verdict.go). The registry calls Scan.
package claude
