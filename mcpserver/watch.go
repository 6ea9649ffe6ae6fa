package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"offstage/internal/registry"
	"offstage/task"
)

// watcher is the watch of this connection. It goes on where the last call ended
// as long as the same is asked for, so that nothing is missed between two calls.
func (s *Server) watcher(ctx context.Context, c *call) (*registry.Watch, error) {
	refs, err := c.list("sessions")
	if err != nil {
		return nil, err
	}
	words, err := c.list("events")
	if err != nil {
		return nil, err
	}
	var wanted []task.NewsKind
	for _, word := range words {
		k := task.NewsKind(word)
		if !slices.Contains(kinds, k) {
			return nil, wrong("there is no event %q: there are task_started, task_finished, task_failed, all_idle", word)
		}
		wanted = append(wanted, k)
	}
	var ids []string
	if len(refs) > 0 {
		snap, err := s.snapshot(ctx)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			x, err := findSession(snap, ref)
			if err != nil {
				return nil, err
			}
			ids = append(ids, x.ID)
		}
	}
	key := fmt.Sprint(ids) + strings.Join(words, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != nil && s.watched == key {
		return s.watch, nil
	}
	w, err := s.o.Registry.Watch(ids, wanted)
	if err != nil {
		return nil, err
	}
	s.watch, s.watched = w, key
	return w, nil
}
