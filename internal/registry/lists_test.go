package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"offstage/task"
)

func do(t *testing.T, l *TaskLists, session, agent, tool, args string) (string, error) {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &m); err != nil {
		t.Fatal(err)
	}
	text, _, err := l.Do(context.Background(), session, agent, tool, m)
	return text, err
}

// T12, T13: a list that an agent keeps with us is its session's plan, over a
// restart too; a list of its own goes before.
func TestListsAreShown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	native := task.Plan{Native: true, Entries: []task.Entry{{ID: "1", Subject: "its own"}}}
	snap := task.Snapshot{Sessions: []task.Session{{ID: "kimi:a", Agent: "kimi", State: task.Idle}, {ID: "claude:b", Agent: "claude", State: task.Idle, Plan: native}}}
	r, _ := desk(t, dir, snap)
	l := r.Lists(ListHooks{})
	for _, session := range []string{"kimi:a", "claude:b"} {
		if _, err := do(t, l, session, "kimi", "TaskCreate", `{"subject": "write it", "description": "all of it"}`); err != nil {
			t.Fatal(err)
		}
	}
	text, err := do(t, l, "kimi:a", "kimi", "TaskUpdate", `{"taskid": 1, "status": "inprogress"}`)
	if err != nil || !strings.Contains(text, "Changed entry 1: write it") || !strings.Contains(text, "owner: kimi") {
		t.Fatalf("%q %v", text, err)
	}
	again, _ := desk(t, dir, snap)
	got := look(t, again)
	for _, s := range got.Sessions {
		want := "write it"
		if s.Plan.Native {
			want = "its own"
		}
		if len(s.Plan.Entries) != 1 || s.Plan.Entries[0].Subject != want {
			t.Errorf("%s: %+v", s.ID, s.Plan)
		}
	}
	if s := l.Snapshot("kimi:a"); !strings.Contains(s, "[~] 1 write it") || l.Snapshot("kimi:none") != "" {
		t.Errorf("the snapshot: %q", s)
	}
}

// T9: a command that refuses a creation takes the entry back, its number is not
// given again; one that refuses a completion leaves the entry as it was.
func TestListHooks(t *testing.T) {
	r, _ := desk(t, filepath.Join(t.TempDir(), "state"), task.Snapshot{})
	var seen []string
	hook := func(_ context.Context, entry []byte) error {
		seen = append(seen, string(entry))
		if strings.Contains(string(entry), "bad") {
			return errors.New("not like this")
		}
		return nil
	}
	l := r.Lists(ListHooks{Create: hook, Complete: hook})
	if _, err := do(t, l, "s", "", "TaskCreate", `{"subject": "bad", "description": "d"}`); err == nil || !strings.Contains(err.Error(), "not like this") {
		t.Errorf("create: %v", err)
	}
	if text, err := do(t, l, "s", "", "TaskCreate", `{"subject": "good", "description": "d"}`); err != nil || !strings.Contains(text, "Made entry 2: good") {
		t.Errorf("%q %v", text, err)
	}
	if _, err := do(t, l, "s", "", "TaskUpdate", `{"taskid": 2, "subject": "bad now", "status": "completed"}`); err == nil {
		t.Error("a completion was not refused")
	}
	if text, err := do(t, l, "s", "", "TaskList", `{}`); err != nil || !strings.Contains(text, "[ ] 2 good") {
		t.Errorf("%q %v", text, err)
	}
	if len(seen) != 3 || !strings.Contains(seen[2], `"status":"completed"`) {
		t.Errorf("asked with %v", seen)
	}
}

// Two agents of one session at once: no entry is lost, no number given twice (R8).
func TestListsAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	var all sync.WaitGroup
	for i := range 4 {
		r, _ := desk(t, dir, task.Snapshot{})
		l := r.Lists(ListHooks{})
		all.Go(func() {
			for j := range 25 {
				if _, _, err := l.Do(context.Background(), "s", "", "TaskCreate", map[string]json.RawMessage{"subject": json.RawMessage(fmt.Sprintf(`"%d-%d"`, i, j)), "description": json.RawMessage(`"d"`)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	r, _ := desk(t, dir, task.Snapshot{})
	list, err := r.Lists(ListHooks{}).read("s")
	if err != nil || len(list.Entries) != 100 || list.Highest != 100 {
		t.Errorf("%d entries, highest %d, %v", len(list.Entries), list.Highest, err)
	}
}

// C9: what leaves a list is masked.
func TestListsMask(t *testing.T) {
	r, _ := desk(t, filepath.Join(t.TempDir(), "state"), task.Snapshot{})
	l := r.Lists(ListHooks{})
	secret := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	text, data, err := l.Do(context.Background(), "s", "", "TaskCreate", map[string]json.RawMessage{"subject": json.RawMessage(`"use ` + secret + `"`), "description": json.RawMessage(`"token=` + secret + `"`)})
	b, _ := json.Marshal(data)
	if err != nil || strings.Contains(text+string(b), secret) || !strings.Contains(text, "[redacted]") {
		t.Errorf("%q %s %v", text, b, err)
	}
}
