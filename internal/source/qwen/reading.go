package qwen

// piece is how much of one transcript is read before another has its turn.
const piece = 8 << 20

// readTalks reads what was added to the transcripts; of a session that nobody
// has open only as much as names it.
func (c *view) readTalks(x *session, more func() bool) {
	defer func() {
		for _, k := range x.shells {
			k.learn(&x.talk)
		}
	}()
	read := func(t *talk, rel string, most int64) {
		t.read(c.f, rel, most)
		x.newer(t.lines.ModTime)
		c.s.pending = c.s.pending || most == piece && t.lines.Err == nil && !t.lines.Done()
	}
	_, live := c.live[x.id]
	hot := live || x.running() || c.v.Now.Sub(x.written) < hotFor
	switch {
	case x.chat.Rel == "":
	case !x.talk.lines.Changed(x.chat.Size, x.chat.ModTime):
	case hot:
		read(&x.talk, x.chat.Rel, piece)
	case x.talk.first.IsZero():
		if !more() {
			c.s.pending = true
			return
		}
		read(&x.talk, x.chat.Rel, 1)
	}
	if !hot {
		return
	}
	for _, h := range x.helpers {
		st, ok := c.f.Holds(h.transcript())
		if !ok || !h.talk.lines.Changed(st.Size(), st.ModTime()) {
			continue
		}
		if !more() {
			c.s.pending = true
			return
		}
		read(&h.talk, h.transcript(), piece)
	}
}
