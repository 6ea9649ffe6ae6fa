package testparse

import "strings"

// stream is one flow of lines: the whole log, or one package's lines in the log
// of a monorepo tool. At most one runner owns it at a time: the first whose own
// form of output was recognised beyond doubt. Until then all listen.
type stream struct {
	sc      *Scanner
	prefix  string // "web:test"
	Package string
	// Where is the package that a script header named last ("> web@1.0.0 test").
	Where  string
	Rows   int64  // rows fed
	active uint32 // runners in the middle of a run, known or not, as bits
	heard  uint32 // runners that were given a row since they were made
	Owner  int    // index in talkers + 1; 0: nobody
	// Rival is a runner whose header came in the middle of another's run, index + 1:
	// either that run was killed, or one of its tests printed the header.
	Rival   int
	talkers []runner
	bases   []*talk   // of talkers
	quicks  []quicker // of talkers, nil for those without a short way
}

// runner is one dialect: it reads rows, keeps a run, and says when it is sure
// that the run is its own.
type runner interface {
	feed(s *stream, l line)
	base() *talk
}

// talk is what all runners keep.
type talk struct {
	RunID int64 `json:"run,omitempty"`
	Sure  bool  `json:"sure,omitempty"`
	// Weak: sure, but of a form that others share; all go on listening, and one
	// that is sure without doubt takes the stream over.
	Weak bool `json:"weak,omitempty"`

	// Keep: the next row matters too, though the run is settled.
	Keep bool `json:"keep,omitempty"`

	run  *runState
	seen visible // of the run as it was when Rev last rose for it
}

func (t *talk) base() *talk { return t }

// live says that the runner reads a run that is not settled.
func (t *talk) live() bool { return t.run != nil && !t.run.Settled }

// open begins a new run at line n.
func (t *talk) open(s *stream, name string, n int64) *runState {
	s.sc.nextID++
	t.run = &runState{ID: s.sc.nextID, Runner: name, Package: s.Package, Where: s.Where, Line: n}
	t.RunID, t.Sure, t.Weak = t.run.ID, false, false
	return t.run
}

// at gives the run at hand, or begins one.
func (t *talk) at(s *stream, name string, n int64) *runState {
	if t.run == nil {
		return t.open(s, name, n)
	}
	return t.run
}

func newStream(sc *Scanner, pkg string) *stream {
	s := &stream{sc: sc, Package: pkg, talkers: make([]runner, len(makers)), bases: make([]*talk, len(makers)), quicks: make([]quicker, len(makers))}
	for i := range makers {
		s.renew(i)
	}
	return s
}

// renew makes a runner as it is before its first row.
func (s *stream) renew(i int) {
	s.talkers[i] = makers[i]()
	s.bases[i] = s.talkers[i].base()
	s.quicks[i], _ = s.talkers[i].(quicker)
}

// busy says that a recognised run is under way in this stream, which shows results.
// Of a header alone that cannot be said: a test of another runner may have printed it.
func (s *stream) busy() bool {
	if s.Owner == 0 {
		return false
	}
	t := s.bases[s.Owner-1]
	return t.live() && !t.Weak && (s.Rival != 0 || t.run.hasResult())
}

// take takes a row: a boundary, or one for the runners.
func (s *stream) take(l line) {
	if l.text == "" || l.text[0] != '>' || !s.boundary(l) {
		s.feed(l)
	}
}

// feed gives a row to the owner, or to all while nobody is in the middle of a run.
func (s *stream) feed(l line) {
	s.Rows++
	l.seq = s.Rows
	if s.busy() {
		if s.Rival == 0 && !mayHead(l) {
			s.hear(s.Owner-1, l)
			return
		}
		if s.contest(l); s.Rival == 0 || s.Rival != s.Owner {
			s.hear(s.Owner-1, l)
		}
		s.Rival = s.stillRival()
		return
	}
	for set := interest[l.first()] | s.active; set != 0; {
		var i int
		i, set = lowest(set)
		s.hear(i, l)
		if s.Owner == i+1 && s.busy() {
			s.hush(i)
			return
		}
	}
}

// hear passes a row to one runner and lets it own the stream once it is sure.
func (s *stream) hear(i int, l line) {
	t := s.bases[i]
	before, sure := t.run, t.Sure
	s.talkers[i].feed(s, l)
	s.heard |= 1 << i
	s.mark(i, t)
	if !t.Sure || t.run == nil || s.Owner != i+1 && !s.taken(i, t) {
		return
	}
	if t.run != before || !sure {
		s.publish(t)
		return
	}
	if t.run.visible != t.seen {
		if t.run.Settled && !t.seen.Settled {
			s.hush(i)
		}
		t.seen = t.run.visible
		s.sc.rev++
	}
}

// publish lets the run of a runner stand.
func (s *stream) publish(t *talk) {
	t.seen = t.run.visible
	s.sc.publish(t.run)
}

// hush makes all other runners, but a rival, forget what they thought to have heard.
func (s *stream) hush(except int) {
	for set := s.heard; set != 0; {
		var i int
		if i, set = lowest(set); i != except && i != s.Rival-1 {
			s.renew(i)
			s.active &^= 1 << i
			s.heard &^= 1 << i
		}
	}
}

// mark keeps active up to date.
func (s *stream) mark(i int, t *talk) {
	if t.live() || t.Keep {
		s.active |= 1 << i
	} else {
		s.active &^= 1 << i
	}
}

// boundary sees the header of a package script ("> web@1.0.0 test"): whatever
// ran before in this stream is over, even without a summary.
func (s *stream) boundary(l line) bool {
	pkg, ok := scriptHeader(l.text)
	if !ok {
		return false
	}
	pkg = clip(pkg)
	s.Where = pkg
	if s == s.sc.main && s.sc.mono {
		s.Package = pkg
	}
	s.Owner, s.Rival = 0, 0
	s.hush(-1)
	return true
}

// scriptHeader reads "> name@version script [folder]".
func scriptHeader(text string) (pkg string, ok bool) {
	if !strings.HasPrefix(text, "> ") {
		return "", false
	}
	name, rest, ok := strings.Cut(text[2:], " ")
	if !ok || rest == "" {
		return "", false
	}
	at := strings.LastIndexByte(name, '@')
	if at <= 0 || at+1 >= len(name) || name[at+1] < '0' || name[at+1] > '9' {
		return "", false
	}
	return name[:at], true
}
