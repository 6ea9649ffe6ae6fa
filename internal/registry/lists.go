package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"offstage/internal/store"
	"offstage/internal/tasklist"
	"offstage/task"
)

// ListHooks are commands that a person wants asked when an entry is made or
// completed (T9): they get the entry as JSON and refuse it by their error, whose
// text the agent is told. Nil asks nobody.
type ListHooks struct {
	Create, Complete func(ctx context.Context, entry []byte) error
}

// Lists keeps task lists for sessions whose agent has none of its own (T13).
func (r *Registry) Lists(h ListHooks) *TaskLists { return &TaskLists{r, h} }

// TaskLists carries the tools of spec 4 out, for the MCP server and the command
// line. Texts that it answers are masked.
type TaskLists struct {
	r     *Registry
	hooks ListHooks
}

// ErrNative: the session's agent keeps its list itself; it is read here and not
// written.
var ErrNative = errors.New("the agent of this session keeps its task list itself")

// Do carries out TaskCreate, TaskList, TaskGet or TaskUpdate for a session. Agent
// names who asks. An error is one sentence; nothing was changed then.
func (l *TaskLists) Do(ctx context.Context, session, agent, tool string, input map[string]json.RawMessage) (text string, data any, err error) {
	if l.r.ledger.diary == nil {
		return "", nil, ErrNoLedger
	}
	list, err := l.read(session)
	if err != nil {
		return "", nil, err
	}
	switch tool {
	case "TaskList":
		text, data = list.Text(), map[string]any{"tasks": entries(list)}
	case "TaskGet":
		e, err := list.Get(input)
		if err != nil {
			return "", nil, err
		}
		text, data = list.Answer("This is", e), e
	case "TaskCreate":
		text, data, err = l.create(ctx, session, input)
	case "TaskUpdate":
		text, data, err = l.update(ctx, session, agent, input)
	default:
		err = fmt.Errorf("there is no tool %s", tool)
	}
	if err != nil {
		return "", nil, err
	}
	news, err := l.assigned(session, agent)
	return Mask(news + text), maskData(data), err
}

// entries is never null in JSON.
func entries(l tasklist.List) []tasklist.Stored {
	if l.Entries == nil {
		return []tasklist.Stored{}
	}
	return l.Entries
}

// maskData hides what is secret in the texts of a result.
func maskData(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out any
	if json.Unmarshal(b, &out) != nil {
		return nil
	}
	return maskValue(out)
}

func maskValue(v any) any {
	switch v := v.(type) {
	case string:
		return Mask(v)
	case []any:
		for i := range v {
			v[i] = maskValue(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = maskValue(v[k])
		}
	}
	return v
}

// read is the list of a session as it is kept.
func (l *TaskLists) read(session string) (tasklist.List, error) {
	b, err := l.r.ledger.store.List(session)
	if err != nil {
		return tasklist.List{}, err
	}
	return decode(b)
}

func decode(b []byte) (tasklist.List, error) {
	var list tasklist.List
	if len(b) == 0 {
		return list, nil
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return list, fmt.Errorf("the kept task list cannot be read: %w", err)
	}
	return list, nil
}

// change reads, changes and writes a list in one transaction: two agents of one
// session never undo each other.
func (l *TaskLists) change(session string, f func(tasklist.List) (tasklist.List, error)) error {
	return l.r.ledger.store.Update(true, func(tx *store.Tx) error {
		b, err := tx.List(session)
		if err != nil {
			return err
		}
		list, err := decode(b)
		if err != nil {
			return err
		}
		next, err := f(list)
		if err != nil {
			return err
		}
		if b, err = json.Marshal(next); err != nil {
			return err
		}
		return tx.PutList(session, b, l.r.w.Now())
	})
}

func (l *TaskLists) create(ctx context.Context, session string, input map[string]json.RawMessage) (text string, data any, err error) {
	var made tasklist.Stored
	var after tasklist.List
	err = l.change(session, func(list tasklist.List) (tasklist.List, error) {
		next, e, err := list.Create(input)
		made, after = e, next
		return next, err
	})
	if err != nil {
		return "", nil, err
	}
	if err := ask(ctx, l.hooks.Create, made); err != nil {
		// The entry is taken back; its number is not given again (T9, T1).
		terr := l.change(session, func(list tasklist.List) (tasklist.List, error) { return list.Without(made.ID), nil })
		return "", nil, errors.Join(err, terr)
	}
	l.r.Wake()
	return after.Answer("Made", made), map[string]any{"task": made, "tasks": entries(after)}, nil
}

func (l *TaskLists) update(ctx context.Context, session, agent string, input map[string]json.RawMessage) (text string, data any, err error) {
	now, err := l.read(session)
	if err != nil {
		return "", nil, err
	}
	_, before, wanted, err := now.Update(input, agent)
	if err != nil {
		return "", nil, err
	}
	if before.Status != task.Completed && wanted.Status == task.Completed {
		if err := ask(ctx, l.hooks.Complete, wanted); err != nil {
			return "", nil, err
		}
	}
	var after tasklist.List
	var entry tasklist.Stored
	err = l.change(session, func(list tasklist.List) (tasklist.List, error) {
		var err error
		after, before, entry, err = list.Update(input, agent)
		return after, err
	})
	if err != nil {
		return "", nil, err
	}
	l.r.Wake()
	text = after.Answer("Changed", entry)
	if after.Nudge(before, entry) {
		text += "\n\n" + tasklist.NudgeText
	}
	return text, map[string]any{"task": entry, "tasks": entries(after)}, nil
}

// hookPatience bounds a command that is asked.
const hookPatience = 10 * time.Second

func ask(ctx context.Context, hook func(context.Context, []byte) error, e tasklist.Stored) error {
	if hook == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return hook(ctx, b)
}

// assigned is what has come to an agent since it was told last (T10), once.
func (l *TaskLists) assigned(session, agent string) (string, error) {
	list, err := l.read(session)
	if err != nil {
		return "", err
	}
	if _, mine := list.TakeAssigned(agent); len(mine) == 0 {
		return "", nil
	}
	var mine []tasklist.Stored
	err = l.change(session, func(list tasklist.List) (tasklist.List, error) {
		next, got := list.TakeAssigned(agent)
		mine = got
		return next, nil
	})
	text := ""
	for _, e := range mine {
		text += fmt.Sprintf("Assigned to you: entry %d, %s\n", e.ID, e.Subject)
	}
	if text != "" {
		text += "\n"
	}
	return text, err
}

// Snapshot is the list of a session in the form in which it is put before its
// agent after a compaction (T8); "" where it keeps none with us.
func (l *TaskLists) Snapshot(session string) string {
	list, err := l.read(session)
	if err != nil || len(list.Entries) == 0 {
		return ""
	}
	return Mask(list.Snapshot())
}

// withLists gives the sessions the lists that they keep with us; a list of the
// agent's own goes before (T13).
func withLists(sessions []task.Session, kept map[string]task.Plan) []task.Session {
	if len(kept) == 0 {
		return sessions
	}
	out := append([]task.Session(nil), sessions...)
	for i, s := range out {
		if p, ok := kept[s.ID]; ok && !s.Plan.Native && len(s.Plan.Entries) == 0 {
			out[i].Plan = p
		}
	}
	return out
}

// readLists are the kept lists as plans; one that cannot be read is left out.
func readLists(s *store.Store) (map[string]task.Plan, error) {
	all, err := s.Lists()
	out := make(map[string]task.Plan, len(all))
	for session, b := range all {
		if list, err := decode(b); err == nil {
			out[session] = list.Plan()
		}
	}
	return out, err
}
