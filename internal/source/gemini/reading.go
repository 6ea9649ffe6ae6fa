package gemini

import (
	"path"

	"offstage/task"
)

// list is the chats that are there, the one that was written last first.
func (c *view) list(more func() bool) []*chat {
	items := c.s.shelf.Scan(c.f, c.v.Now, more)
	c.s.pending = !c.s.shelf.Complete()
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
		if !here[rel] && !c.s.pending {
			delete(c.s.chats, rel)
		}
	}
	c.s.listed, c.s.order = c.s.shelf.Rev, out
	return out
}

// readAll reads what was added to the chats that may have news, which are those
// that were written to lately, and the newest of every folder with an agent in it.
func (c *view) readAll(list []*chat, more func() bool) {
	folders := map[string]bool{}
	for _, p := range c.s.programs.Look(c.v.Table) {
		folders[p.Cwd] = true
	}
	for i, x := range list {
		cwd := c.s.root(c.f, x.rel)
		if !c.s.recent(x.item.ModTime, c.v.Now) && !folders[cwd] {
			continue
		}
		delete(folders, cwd)
		if !x.lines.Changed(x.item.Size, x.item.ModTime) {
			if x.lines.Err != nil {
				c.s.outside(x.rel)
			}
			continue
		}
		if i >= 4 && !more() {
			c.s.pending = true
			continue
		}
		x.read(c.f, piece)
		c.s.pending = c.s.pending || x.lines.Err == nil && !x.lines.Done()
	}
}

// outside says that a chat is no file of the folder.
func (s *Source) outside(rel string) {
	if len(s.troubles) < 20 {
		s.troubles = append(s.troubles, task.Trouble{Source: Name, Text: "The chat " + path.Base(rel) + " is no file of Gemini's own folder; it is not opened."})
	}
}
