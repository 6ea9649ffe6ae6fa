// Package hook turns an event that an agent's hook is given into what the ledger
// should know and what the agent should read (spec 6 B). One event in, one answer
// out: it keeps nothing, reads no process and waits for nobody.
//
// It is never the reason that an agent waits or fails: what is wrong with an event
// is one sentence on stderr and an empty answer. The command line calls it.
package hook
