// Package kimi finds the sessions and background tasks of Kimi Code, and of Kimi
// CLI 1.x, from what they leave on disk: one record and one log a task, and the
// transcript of each agent. It never writes and never signals.
//
// The agent holds a task's log, not the task: a task is known by the pid and the
// start that its record names (K3). A record that says running with a process
// that lives under nobody is a task whose agent is gone; "lost" is only what the
// agent knows after it was started again, and no end while the process lives.
//
// Formats: Kimi Code 2.1.0 as recorded in testdata, older layouts and Kimi CLI
// 1.x from their published source. The registry calls Scan.
package kimi
