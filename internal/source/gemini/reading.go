package gemini

import (
	"path"

	"offstage/internal/source/trace"
)

// list is the chats that are there, the one that was written last first.
func (c *view) list() []*chat {
	return c.s.shelf.List(c.l, c.f, newChat, func(x *chat, it trace.Item) { x.item = it })
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
