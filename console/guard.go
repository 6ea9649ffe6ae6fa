package console

import "offstage/task"

// The disk strip: what an output takes of the disk, and what can be done about it
// one key away (spec 2 O6).

// The words of Guard.
const (
	GuardFreeze = "freeze"
	GuardThaw   = "thaw"
	GuardTrim   = "trim"
)

// disk is what there is to say, nil for nothing.
func (m *Model) disk() *task.DiskNote { return task.DiskOf(m.task, m.now) }

func (m *Model) canFreeze() bool {
	n := m.disk()
	return n != nil && n.CanFreeze && !m.task.Status.Ended()
}

func (m *Model) canTrim() bool {
	n := m.disk()
	return n != nil && n.CanTrim
}

// freeze lets the task stand still, or go on. It can be undone and so asks nothing.
func (m *Model) freeze() Action {
	switch {
	case !m.canFreeze():
		return Toast{"It cannot be frozen from here"}
	case m.disk().Frozen:
		return Guard{What: GuardThaw}
	}
	return Guard{What: GuardFreeze}
}

// trim cuts the middle out of the output, which cannot be undone: the key is
// pressed twice.
func (m *Model) trim() Action {
	switch {
	case !m.canTrim():
		return Toast{"Its output cannot be trimmed from here"}
	case !m.armed:
		m.arming = true
		m.note = "Press " + m.keyFor("console.trim") + " again: only the first 8 MiB and the last 64 MiB of the output stay"
		return nil
	}
	return Guard{What: GuardTrim}
}

// diskStrips are the strip of a large output; the header has its Stop.
func (m *Model) diskStrips() []strip {
	n := m.disk()
	if n == nil {
		return nil
	}
	words, tone := task.DiskWords(n)
	var keys []piece
	key := func(id, word string, h hit) {
		keys = append(keys, piece{text: m.keyFor("console."+id) + " " + word, look: m.look.accent, hit: h, gap: 2})
	}
	if m.canFreeze() {
		word := "freeze"
		if n.Frozen {
			word = "go on"
		}
		key("freeze", word, hitFreeze)
	}
	if m.canTrim() {
		key("trim", "trim", hitTrim)
	}
	if len(keys) > 0 {
		keys = append(keys, piece{gap: 1})
	}
	return m.withKeys(m.atMost(2, m.sentence(words, m.look.tone(tone), m.set.warn)), keys)
}
