package tasklist

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"offstage/task"
)

// in is a call's input.
func in(t testing.TB, text string) map[string]json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func made(t testing.TB, subjects ...string) List {
	t.Helper()
	var l List
	for _, s := range subjects {
		next, _, err := l.Create(in(t, fmt.Sprintf(`{"subject": %q, "description": "do it"}`, s)))
		if err != nil {
			t.Fatal(err)
		}
		l = next
	}
	return l
}

func updated(t testing.TB, l List, agent string, calls ...string) List {
	t.Helper()
	for _, c := range calls {
		next, _, _, err := l.Update(in(t, c), agent)
		if err != nil {
			t.Fatal(c, err)
		}
		l = next
	}
	return l
}

// T1–T3, T6: numbers rise and are never used again; the fields are kept; every
// spelling of the number is read.
func TestCreateAndUpdate(t *testing.T) {
	l := made(t, "one", " two\n more ")
	if l.Entries[0].ID != 1 || l.Entries[1].ID != 2 || l.Entries[1].Subject != "two more" || l.Entries[0].Status != task.Pending {
		t.Fatalf("%+v", l)
	}
	l = l.Without(2)
	if l, e, err := l.Create(in(t, `{"subject": "three", "description": "d", "activeForm": "Doing three", "owner": "a", "blockedBy": ["1"], "metadata": {"k": 1}}`)); err != nil || e.ID != 3 || e.ActiveForm != "Doing three" || e.Owner != "a" ||
		!slices.Equal(e.BlockedBy, []int{1}) || string(e.Metadata) != `{"k": 1}` || !slices.Equal(l.Entries[0].Blocks, []int{3}) {
		t.Errorf("%+v %v", e, err)
	}
	l = made(t, "one", "two", "three")
	l = updated(t, l, "", `{"taskid": 1, "status": "in_progress"}`, `{"taskId": "2", "status": "completed"}`, `{"task_id": "#3", "status": "deleted"}`)
	for i, want := range []task.EntryStatus{task.InProgress, task.Completed, task.Deleted} {
		if l.Entries[i].Status != want {
			t.Errorf("entry %d is %s", i+1, l.Entries[i].Status)
		}
	}
	if text := l.Text(); !strings.Contains(text, "1 of 2 completed, 1 in progress, 1 withdrawn") || !strings.Contains(text, "[~] 1 one") || !strings.Contains(text, "[x] 2 two") || !strings.Contains(text, "[-] 3 three") {
		t.Error(text)
	}
}

// What is wrong is one sentence, and the list is as it was (T5, T6).
func TestRefusals(t *testing.T) {
	l := updated(t, made(t, "one", "two", "three"), "", `{"taskid": 2, "addBlockedBy": [1]}`, `{"taskid": 3, "addBlockedBy": [2]}`)
	before, _ := json.Marshal(l)
	for call, want := range map[string]string{
		`{}`:                                    "subject is missing",
		`{"subject": "x"}`:                      "description is missing",
		`{"subject": "  ", "description": "d"}`: "subject is empty",
		`{"subject": 3, "description": "d"}`:    "subject has to be a text",
		`{"subject": "x", "description": "d", "blocks": [9]}`:     "there is no entry 9: there are 1, 2, 3",
		`{"subject": "x", "description": "d", "blocks": "1"}`:     "blocks has to be a list",
		`{"subject": "x", "description": "d", "metadata": [1]}`:   "metadata has to be an object",
		`{"subject": "x", "description": "d", "status": "later"}`: `there is no status "later"`,
	} {
		if _, _, err := l.Create(in(t, call)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("create %s: %v, want %q", call, err, want)
		}
	}
	for call, want := range map[string]string{
		`{"status": "completed"}`:                 "taskid is missing",
		`{"taskid": "x", "status": "completed"}`:  "taskid has to be an entry's number",
		`{"taskid": 9, "status": "completed"}`:    "there is no entry 9: there are 1, 2, 3",
		`{"taskid": 1}`:                           "nothing is to change",
		`{"taskid": 1, "status": "done"}`:         `there is no status "done": it is pending, inprogress, completed or deleted`,
		`{"taskid": 1, "addBlockedBy": [1]}`:      "cannot wait for itself",
		`{"taskid": 1, "addBlockedBy": [3]}`:      "they would wait for each other",
		`{"taskid": 3, "addBlocks": [1]}`:         "they would wait for each other",
		`{"taskid": 1, "addBlocks": [2, 3, "x"]}`: "addBlocks has to be a list",
	} {
		if _, _, _, err := l.Update(in(t, call), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("update %s: %v, want %q", call, err, want)
		}
	}
	if after, _ := json.Marshal(l); string(after) != string(before) {
		t.Errorf("the list changed: %s", after)
	}
	if _, err := l.Get(in(t, `{"taskid": 7}`)); err == nil || !strings.Contains(err.Error(), "there are 1, 2, 3") {
		t.Errorf("get: %v", err)
	}
	if e, err := l.Get(in(t, `{"taskid": "2"}`)); err != nil || e.Subject != "two" {
		t.Errorf("get: %+v %v", e, err)
	}
	if _, err := (List{}).Get(in(t, `{"taskid": 1}`)); err == nil || !strings.Contains(err.Error(), "the list is empty") {
		t.Errorf("an empty list: %v", err)
	}
}

// T10: who sets an entry in progress owns it; who gets one from another is told
// once.
func TestOwners(t *testing.T) {
	l := updated(t, made(t, "one", "two"), "a", `{"taskid": 1, "status": "inprogress"}`)
	if l.Entries[0].Owner != "a" || len(l.Assigned) != 0 {
		t.Fatalf("%+v", l)
	}
	l = updated(t, l, "a", `{"taskid": 1, "owner": "b"}`, `{"taskid": 2, "status": "inprogress", "owner": "b"}`)
	l, mine := l.TakeAssigned("b")
	if len(mine) != 2 || mine[0].ID != 1 || mine[1].ID != 2 {
		t.Errorf("%+v", mine)
	}
	if _, mine := l.TakeAssigned("b"); len(mine) != 0 {
		t.Errorf("told twice: %+v", mine)
	}
}

// T11: the last of three or more entries, none of which verified anything.
func TestNudge(t *testing.T) {
	close := func(l List) bool {
		for i, e := range l.Entries {
			next, before, after, err := l.Update(in(t, fmt.Sprintf(`{"taskid": %d, "status": "completed"}`, e.ID)), "")
			if err != nil {
				t.Fatal(err)
			}
			if nudged := next.Nudge(before, after); nudged || i == len(l.Entries)-1 {
				return nudged
			}
			l = next
		}
		return false
	}
	for want, lists := range map[bool][]List{
		true:  {made(t, "write", "move", "rename")},
		false: {made(t, "write", "move"), made(t, "write", "move", "run the tests"), made(t, "write", "review it", "move")},
	} {
		for _, l := range lists {
			if got := close(l); got != want {
				t.Errorf("%s: %v", l.Text(), got)
			}
		}
	}
}

// T8: the snapshot is the very form that TaskList answers.
func TestSnapshot(t *testing.T) {
	l := updated(t, made(t, "one", "two"), "", `{"taskid": 1, "status": "completed"}`)
	if s := l.Snapshot(); !strings.Contains(s, l.Text()) || !strings.HasSuffix(s, "Call TaskList before you go on.") {
		t.Error(s)
	}
}

// Any calls in any order: numbers rise, links stand at both ends, nothing waits
// for itself, also not by others.
func TestAnyCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			id := rapid.IntRange(1, 8)
			if rapid.Bool().Draw(t, "create") {
				call := fmt.Sprintf(`{"subject": "s", "description": "d", "blocks": [%d]}`, id.Draw(t, "blocks"))
				if rapid.Bool().Draw(t, "plain") {
					call = `{"subject": "s", "description": "d"}`
				}
				var m map[string]json.RawMessage
				_ = json.Unmarshal([]byte(call), &m)
				next, e, err := l.Create(m)
				if err == nil && e.ID <= l.Highest {
					t.Fatalf("number %d was given before", e.ID)
				}
				l = next
				continue
			}
			call := fmt.Sprintf(`{"taskid": %d, %q: [%d], "status": %q}`, id.Draw(t, "id"), rapid.SampledFrom([]string{"addBlocks", "addBlockedBy"}).Draw(t, "link"), id.Draw(t, "other"),
				rapid.SampledFrom([]string{"pending", "inprogress", "completed", "deleted"}).Draw(t, "status"))
			var m map[string]json.RawMessage
			_ = json.Unmarshal([]byte(call), &m)
			l, _, _, _ = l.Update(m, "a")
		}
		for _, e := range l.Entries {
			for _, b := range e.Blocks {
				if i := l.find(b); i < 0 || !slices.Contains(l.Entries[i].BlockedBy, e.ID) {
					t.Fatalf("entry %d blocks %d, which does not know it", e.ID, b)
				}
				if l.waitsFor(e.ID, b) {
					t.Fatalf("entries %d and %d wait for each other", e.ID, b)
				}
			}
			for _, b := range e.BlockedBy {
				if i := l.find(b); i < 0 || !slices.Contains(l.Entries[i].Blocks, e.ID) {
					t.Fatalf("entry %d waits for %d, which does not know it", e.ID, b)
				}
			}
		}
	})
}
