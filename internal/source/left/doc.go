// Package left lists what commands of coding agents left running outside any
// task (A11): "server &", setsid, survivors of a client that crashed. It goes by
// the marks that agents put into the environment of the children of commands,
// never by a process's name, and reads nothing else of an environment: those
// hold keys.
//
// It does not know which processes belong to the tasks of other sources: what
// turns out to be one's is dropped by the registry, its only caller. It signals
// nothing.
package left
