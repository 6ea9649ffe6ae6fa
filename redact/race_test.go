//go:build race

package redact

// raceOn: the race detector is on, which makes everything ten times slower.
func init() { raceOn = true }
