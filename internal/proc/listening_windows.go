package proc

import "time"

// ListeningEvery is how often it is cheap to ask for Listening.
const ListeningEvery = time.Second

// Listening are the TCP ports of this machine on which anybody listens, each with a
// number that is another one when another process listens there. An error means
// that it cannot be seen.
func Listening() (map[int]uint64, error) {
	all, err := allListeners()
	if err != nil {
		return nil, err
	}
	out := map[int]uint64{}
	for _, l := range all {
		out[l.Port] += uint64(l.PID)
	}
	return out, nil
}
