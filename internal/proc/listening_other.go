//go:build !linux && !darwin && !windows

package proc

import "time"

// ListeningEvery is of no use here: see Listening.
const ListeningEvery = time.Minute

// Listening cannot be asked on this system.
func Listening() (map[int]uint64, error) { return nil, ErrNoProcs }
