package gemini

import (
	"path"

	"offstage/internal/source/trace"
)

// list is the chats that are there, the one that was written last first.
func (c *view) list() []*chat {
	items := c.s.shelf.Scan(c.f, c.l.V.Now, c.l.More)
	if !c.s.shelf.Complete() {
		c.l.Later()
	}
	if c.s.shelf.Rev == c.s.listed {
		return c.s.order
	}
	here := make(map[string]bool, len(items))
	out := make([]*chat, 0, len(items))
	for _, it := range items {
		here[it.Rel] = true
		x := c.s.chats[it.Rel]
		if x == nil {
			x = newChat(it.Rel)
			c.s.chats[it.Rel] = x
		}
		x.item = it
		out = append(out, x)
	}
	for rel := range c.s.chats {
		if !here[rel] && !c.l.Left() {
			delete(c.s.chats, rel)
		}
	}
	c.s.listed, c.s.order = c.s.shelf.Rev, out
	return out
}

// readAll reads what was added to the chats that may have news, which are those
// that were written to lately, and the newest of every folder with an agent in it.
func (c *view) readAll(list []*chat) {
	folders := map[string]bool{}
	for _, p := range c.s.programs.Look(c.l.V.Table) {
		folders[p.Cwd] = true
	}
	for i, x := range list {
		cwd := c.s.root(c.f, x.rel)
		if !c.l.Recent(x.item.ModTime) && !folders[cwd] {
			continue
		}
		delete(folders, cwd)
		if !x.lines.Changed(x.item.Size, x.item.ModTime) {
			if x.lines.Err != nil {
				c.l.Trouble("The chat " + path.Base(x.rel) + " is no file of Gemini's own folder; it is not opened.")
			}
			continue
		}
		if i >= 4 && !c.l.More() {
			c.l.Later()
			continue
		}
		x.read(c.f, trace.Piece)
		if x.lines.Err == nil && !x.lines.Done() {
			c.l.Later()
		}
	}
}
