// Package uitest is an engine by script: several sessions, a dozen tasks in all
// states, output that grows. The tests of ui look at it, and ui/uitest/show
// opens the window on it, so that every screen can be seen without an agent.
//
// It touches no file and no process: a stop ends nothing but an entry in its
// own list.
package uitest
