// Package codex finds the sessions and background commands of Codex from what it
// leaves on disk: a rollout for each thread, with a record of the end of every
// command, and the marks in the environment of what runs. Where the control
// socket of its daemon answers it is asked too, for what it lists, prints and can
// end; nothing is ever sent to a thread, and no approval is answered.
//
// A running command is joined with its record exactly, by CODEX_TOOL_CALL_ID
// (K3); only the names of marks are read of an environment. The daemon keeps
// commands running when the window that started them is gone.
//
// Two forms of tools exist. In the older one a call tells whether it was handed
// to the background; in code mode nothing tells a command that is waited for from
// one that is not, so there it is a task while it runs, and afterwards if it took
// its time.
//
// Formats: Codex 0.171.0 as recorded in testdata. The registry calls Scan.
package codex
