// Package task holds the words of the house: what a task, a session, a plan,
// a line of output, a page of it, a stop and a chip are, and what is said of
// them. Every room speaks in these words and no room adds states of its own.
//
// It never reads a file, a clock, a process or a setting: times and ages are
// handed in. It may know testparse (for counts) and nothing else of ours.
// Sources make its values, the registry folds them, faces paint them.
package task
