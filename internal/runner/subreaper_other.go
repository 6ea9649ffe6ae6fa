//go:build !linux && !windows

package runner

// adopt: there is no such thing here. Who leaves the session is found by the
// mark in its environment.
func adopt() error { return nil }
