package proc

import "time"

// ListeningEvery is how often it is cheap to ask for Listening: a run of lsof.
const ListeningEvery = 10 * time.Second

// Listening are the TCP ports of this machine on which anybody listens that lsof
// can see, each with a number that is another one when another process listens
// there. An error means that it cannot be seen.
func Listening() (map[int]uint64, error) {
	files, err := lsof("-iTCP", "-sTCP:LISTEN", "-F", "pfn")
	if err != nil {
		return nil, err
	}
	out := map[int]uint64{}
	for _, f := range files {
		if port := f.port(); port != 0 {
			out[port] += uint64(f.PID)
		}
	}
	return out, nil
}
