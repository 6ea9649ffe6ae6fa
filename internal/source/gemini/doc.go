// Package gemini finds the sessions and background commands of Gemini CLI: the
// chats tell what was started, with its pid, and a log of that pid holds the
// output. It never writes and never signals.
//
// The agent holds the log and the terminal, not the task: a task is known by the
// pid in the chat, the command in the arguments of its wrapper, and its start
// (K3). How it ended is on disk only if the model asked for the list of
// background processes; else a process that is gone is "ended, result unknown".
//
// Formats: Gemini CLI 0.61.0 as recorded in testdata. The registry calls Scan.
package gemini
