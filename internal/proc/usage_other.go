//go:build !linux && !darwin && !windows

package proc

// Usage cannot be asked on this system.
func Usage([]ID) map[ID]Use { return nil }
