// Package panel is the list of background tasks as a component: the collapsed
// line, the rows, the session headings, and the strip that asks before a stop.
//
// It owns which row is selected, which rows the filter leaves, and how far the
// list is scrolled; the selection follows a task's id, never an index. It takes
// data by setter, gives back a typed Action, returns no commands and never
// touches the world: no clock, no file, no process. It decides nothing about a
// task: what is said of one comes from package task. Called by ui alone.
package panel
