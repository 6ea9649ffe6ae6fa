package registry

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"offstage/internal/output"
	"offstage/task"
)

// idNames makes ids safe at the door, before anything keeps them: an id may be
// a file's name, and so hold a control sequence, a line break or a secret (C9).
// The same id always gets the same safe one. It remembers what it has answered,
// within bounds.
type idNames struct {
	known map[string]string
	rev   uint64 // of the person's patterns
}

// safe is snap with safe ids wherever one stands. An untouched snapshot is the
// common case and is not copied.
func (n *idNames) safe(snap task.Snapshot) task.Snapshot {
	good := func(ids ...string) bool {
		return !slices.ContainsFunc(ids, func(s string) bool { return n.id(s) != s })
	}
	if slices.ContainsFunc(snap.Tasks, func(t task.Task) bool { return !good(t.ID, t.Session, t.Parent) }) {
		snap.Tasks = slices.Clone(snap.Tasks)
		for i, t := range snap.Tasks {
			t.ID, t.Native, t.Session, t.Parent = n.id(t.ID), n.name(t.Native), n.id(t.Session), n.id(t.Parent)
			snap.Tasks[i] = t
		}
	}
	if slices.ContainsFunc(snap.Sessions, func(s task.Session) bool { return !good(s.ID) }) {
		snap.Sessions = slices.Clone(snap.Sessions)
		for i, s := range snap.Sessions {
			s.ID, s.Native = n.id(s.ID), n.name(s.Native)
			snap.Sessions[i] = s
		}
	}
	return snap
}

// id is a whole id, part by part: what follows the last colon stays the native
// one (spec 5).
func (n *idNames) id(s string) string {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return n.name(s)
	}
	return n.name(s[:i]) + ":" + n.name(s[i+1:])
}

// name is one id, or part of one, that may be shown. What was hidden is told
// apart by a few digits of a hash, so that two rows stay two.
func (n *idNames) name(s string) string {
	if rev := noTask.Rev(); rev != n.rev {
		n.known, n.rev = nil, rev
	}
	if out, ok := n.known[s]; ok || s == "" {
		return out
	}
	out := strings.Map(func(r rune) rune {
		if unsafeRune(r) || r == '\n' || r == '\t' {
			return '_'
		}
		return r
	}, s)
	out = output.Mask(out)
	if out != s {
		h := fnv.New32a()
		_, _ = h.Write([]byte(s))
		out += fmt.Sprintf("~%06x", h.Sum32()&0xffffff)
	}
	if n.known == nil || len(n.known) >= maxKnown {
		n.known = map[string]string{}
	}
	n.known[s] = out
	return out
}
