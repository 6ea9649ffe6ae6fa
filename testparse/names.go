package testparse

// names is a set of names by their hashes: of the tests that run at a time, few
// mostly, thousands where all run in parallel. Beyond 10,000 it takes no more.
type names struct {
	Few  []uint64        `json:"few,omitempty"`
	Many map[uint64]bool `json:"many,omitempty"`
}

// few is how many are looked through one by one: quicker than a map.
const few = 16

func (s *names) size() int { return len(s.Few) + len(s.Many) }

func (s *names) add(h uint64) {
	switch {
	case s.has(h) || s.size() >= 10_000:
	case len(s.Few) < few:
		s.Few = append(s.Few, h)
	default:
		if s.Many == nil {
			s.Many = map[uint64]bool{}
		}
		s.Many[h] = true
	}
}

func (s *names) has(h uint64) bool {
	for _, x := range s.Few {
		if x == h {
			return true
		}
	}
	return len(s.Many) > 0 && s.Many[h]
}

// take removes a name and says whether it was there.
func (s *names) take(h uint64) bool {
	for i, x := range s.Few {
		if x == h {
			s.Few = append(s.Few[:i], s.Few[i+1:]...)
			return true
		}
	}
	if len(s.Many) == 0 || !s.Many[h] {
		return false
	}
	delete(s.Many, h)
	return true
}
