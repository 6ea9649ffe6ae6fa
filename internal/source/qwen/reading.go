package qwen

import "offstage/internal/source/trace"

// readTalks reads what was added to the transcripts; of a session that nobody
// has open only as much as names it.
func (c *view) readTalks(x *session) {
	defer func() {
		for _, k := range x.shells {
			k.learn(&x.talk)
		}
	}()
	read := func(t *talk, rel string, most int64) {
		t.read(c.f, rel, most)
		x.newer(t.lines.ModTime)
		if most == trace.Piece && t.lines.Err == nil && !t.lines.Done() {
			c.l.Later()
		}
	}
	_, live := c.live[x.id]
	hot := live || x.running() || c.l.V.Now.Sub(x.written) < trace.Hot
	switch {
	case x.chat.Rel == "":
	case !x.talk.lines.Changed(x.chat.Size, x.chat.ModTime):
	case hot:
		read(&x.talk, x.chat.Rel, trace.Piece)
	case x.talk.first.IsZero():
		if !c.l.More() {
			c.l.Later()
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
		if !c.l.More() {
			c.l.Later()
			return
		}
		read(&h.talk, h.transcript(), trace.Piece)
	}
}
