// Package registry is the living set of tasks: the one desk that all faces come
// to. It asks every source for its whole truth, folds in what the ledger, the
// outputs and the processes say, hides what is secret, and hands out snapshots.
//
// It owns the rules: which rows stay how long (A5), what a stop from here means
// for a status (K7), what may be stopped and how that is told (K3, K4), which
// tasks belong to a project. It never paints, never parses a terminal and never
// signals by itself: that is proc's. Faces and the MCP server call it.
package registry
