// Package ui is the window: the one Bubble Tea model, its layout, focus, keys,
// theme, and every command of the program.
//
// It owns what is on the screen and nothing of what it shows: tasks, sessions
// and output come from an Engine, states and words from package task. Update
// and View do no IO and read no clock; all that touches the world stands in
// effects.go. It starts no process, signals none and writes no file. Called by
// cli alone: Run for the window, RunPlain for screen readers and dumb
// terminals.
package ui
