// Package cli is the command line: one file per verb, the same core as the
// panel. Data goes to stdout, words to stderr; --json is a contract (spec 5).
//
// It parses, asks the registry, prints and chooses an exit code. It holds no
// policy: what is shown, stopped or hidden is decided in the registry.
package cli
