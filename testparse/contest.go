package testparse

// Whose a stream is where two runners claim it: a header alone proves nothing, as a
// test may have printed it, and a run that was killed has no end.

// contest lets a rival listen beside the owner; the stream is its own once a
// result of a test follows its header.
func (s *stream) contest(l line) {
	if i := headerOf(l); i >= 0 && i != s.Owner-1 {
		s.Rival = i + 1
	}
	if s.Rival == 0 {
		return
	}
	i := s.Rival - 1
	s.heard |= 1 << i
	s.talkers[i].feed(s, l)
	t := s.bases[i]
	s.mark(i, t)
	if t.run != nil && t.Sure && t.run.hasResult() {
		s.overrule(t)
		s.Owner = s.Rival
		s.hush(i)
		s.publish(t)
	}
}

// within says that the owner's run began after the header of a rival: a test of the
// rival's may have printed it.
func (s *stream) within(rival *talk) bool {
	o := s.bases[s.Owner-1]
	return o.run != nil && rival.run != nil && o.run.Line > rival.run.Line
}

// overrule takes the owner's run back where a rival, now with results, began before it.
func (s *stream) overrule(rival *talk) {
	if s.within(rival) {
		s.sc.withdraw(s.bases[s.Owner-1].run)
	}
}

// stillRival ends the contest when it is decided.
func (s *stream) stillRival() int {
	if s.Rival == s.Owner {
		return 0
	}
	if s.Rival > 0 && !s.busy() && !s.within(s.bases[s.Rival-1]) {
		s.Rival = 0
		s.hush(s.Owner - 1)
		return 0
	}
	return s.Rival
}

// taken says that a runner that is sure has the stream now. One that has shown but
// its header gives way to results, and stays a rival.
func (s *stream) taken(i int, t *talk) bool {
	if i == s.Rival-1 {
		if !t.run.hasResult() {
			return false
		}
		s.overrule(t)
		s.Rival = 0
	} else if s.Owner > 0 {
		if o := s.bases[s.Owner-1]; o.live() {
			if t.Weak {
				t.Sure = false
				return false
			}
			if bare := !o.run.hasResult(); !t.run.hasResult() && (!bare || !o.Weak) {
				return false // a header alone, which a test may have printed
			} else if bare && !o.Weak {
				s.Rival = s.Owner
			}
			s.sc.withdraw(o.run)
		}
	}
	s.Owner = i + 1
	if t.run.hasResult() {
		s.hush(i)
	}
	return true
}
