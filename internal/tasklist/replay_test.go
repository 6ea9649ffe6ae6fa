package tasklist

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"offstage/task"

	"github.com/google/go-cmp/cmp"
)

type step struct{ name, input, result string }

func play(steps []step) *Replay {
	r := &Replay{}
	for _, s := range steps {
		var result json.RawMessage
		if s.result != "" {
			result = json.RawMessage(s.result)
		}
		r.Call(s.name, json.RawMessage(s.input), result)
	}
	return r
}

// T7: replaying the calls gives the same list with the same ids.
func TestReplayOfTheRealClient(t *testing.T) {
	r := play([]step{
		{"TaskCreate", `{"subject":"Write the parser","description":"Parse JSONL lines","activeForm":"Writing the parser"}`, `{"task":{"id":"1","subject":"Write the parser"}}`},
		{"TaskCreate", `{"subject":"Ship it","description":"Tag"}`, `{"task":{"id":"3","subject":"Ship it"}}`},
		{"TaskCreate", `{"subject":"Test the parser","description":"Cover bad lines"}`, `{"task":{"id":"2","subject":"Test the parser"}}`},
		{"TaskUpdate", `{"taskId":"2","addBlockedBy":["1"]}`, `{"success":true,"taskId":"2","updatedFields":["blockedBy"]}`},
		{"TaskUpdate", `{"taskId":"1","status":"completed"}`, `{"success":true}`},
		{"TaskUpdate", `{"taskId":"2","status":"in_progress","owner":"main"}`, `{"success":true}`},
		{"TaskUpdate", `{"taskId":"3","status":"deleted"}`, `{"success":true}`},
		{"TaskUpdate", `{"taskId":"3","status":"pending"}`, `{"success":false,"error":"no such task"}`},
		{"TaskUpdate", `{"taskId":"1","status":"pending"}`, `"Error: refused"`},
		{"mcp__offstage__TaskCreate", `{"subject":"ours"}`, `{"task":{"id":"9"}}`},
	})
	want := task.Plan{Native: true, Entries: []task.Entry{
		{ID: "1", Subject: "Write the parser", Description: "Parse JSONL lines", ActiveForm: "Writing the parser", Status: task.Completed, Blocks: []string{"2"}},
		{ID: "2", Subject: "Test the parser", Description: "Cover bad lines", Owner: "main", Status: task.InProgress, BlockedBy: []string{"1"}},
		{ID: "3", Subject: "Ship it", Description: "Tag", Status: task.Deleted},
	}}
	if d := cmp.Diff(want, r.Plan()); d != "" {
		t.Error(d)
	}
}

// T7: numbering by order is used only where the result has no id; T1: ids in
// every spelling are read as the same.
func TestReplayWithoutIDs(t *testing.T) {
	r := play([]step{
		{"TaskCreate", `{"subject":"a"}`, ""},
		{"TaskCreate", `{"subject":"b"}`, `{"task":{"id":7}}`},
		{"TaskCreate", `{"subject":"c"}`, `null`},
		{"TaskUpdate", `{"task_id":7,"status":"inprogress"}`, ""},
		{"TaskUpdate", `{"taskid":"#8","status":"completed"}`, ""},
	})
	got := map[string]task.EntryStatus{}
	for _, e := range r.Plan().Entries {
		got[e.ID+e.Subject] = e.Status
	}
	want := map[string]task.EntryStatus{"1a": task.Pending, "7b": task.InProgress, "8c": task.Completed}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// T7: calls that do not fit are skipped and counted; nothing is changed.
func TestReplayCountsWhatDoesNotFit(t *testing.T) {
	r := play([]step{
		{"TaskCreate", `{"subject":"a"}`, ""},
		{"TaskCreate", `{"title":"old form"}`, ""},
		{"TaskUpdate", `{"taskId":"99","status":"completed"}`, ""},
		{"TaskUpdate", `{"taskId":"1","status":"blocked","subject":"changed"}`, ""},
		{"TodoWrite", `{"list":[]}`, ""},
		{"TaskUpdate", `[1,2`, ""},
	})
	p := r.Plan()
	if p.Skipped != 5 || len(p.Entries) != 1 || p.Entries[0].Subject != "a" || p.Entries[0].Status != task.Pending {
		t.Errorf("%+v", p)
	}
}

// T7: TodoWrite has no ids: the text is the identity.
func TestReplayTodoWrite(t *testing.T) {
	r := play([]step{
		{"TodoWrite", `{"todos":[{"content":"read","status":"in_progress","activeForm":"Reading"},{"content":"write","status":"pending"}]}`, `{"oldTodos":[],"newTodos":[]}`},
		{"TodoWrite", `{"todos":[{"content":"read","status":"completed"},{"content":"check","status":"pending"}]}`, ""},
	})
	want := []task.Entry{
		{ID: "1", Subject: "read", Status: task.Completed},
		{ID: "2", Subject: "write", Status: task.Deleted},
		{ID: "3", Subject: "check", Status: task.Pending},
	}
	if d := cmp.Diff(want, r.Plan().Entries); d != "" {
		t.Error(d)
	}
}

func TestReadFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"10.json":        `{"id":"10","subject":"j","description":"","status":"pending","blocks":[],"blockedBy":["2"]}`,
		"2.json":         `{"id":"2","subject":"b","status":"in_progress","owner":"main","blocks":["10"],"blockedBy":[]}`,
		"3.json":         `{"id":"3"`,
		".lock":          "",
		".highwatermark": "10",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "4.json.lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := ReadFolder(dir)
	if len(p.Entries) != 2 || p.Entries[0].ID != "2" || p.Entries[1].BlockedBy[0] != "2" || p.Skipped != 1 {
		t.Errorf("%+v", p)
	}
	if p := ReadFolder(filepath.Join(dir, "none")); len(p.Entries) != 0 || p.Native {
		t.Errorf("a missing folder is an empty list: %+v", p)
	}
}

func FuzzReplay(f *testing.F) {
	f.Add("TaskCreate", `{"subject":"a"}`, `{"task":{"id":1}}`)
	f.Add("TodoWrite", `{"todos":[{"content":"a","status":"pending"}]}`, ``)
	f.Fuzz(func(t *testing.T, name, input, result string) {
		r := &Replay{}
		for range 2 {
			r.Call(name, json.RawMessage(input), json.RawMessage(result))
		}
		for _, e := range r.Plan().Entries {
			if e.ID == "" {
				t.Fatal("an entry without an id")
			}
		}
	})
}
