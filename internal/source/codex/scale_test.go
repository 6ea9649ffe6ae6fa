package codex

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/task"
)

// TestLongRollout: a long rollout is read in pieces, each answer true so far, and
// its output is not read out of it when it is too long (issue 9).
func TestLongRollout(t *testing.T) {
	h := tracetest.NewHome(t)
	filler := line("response_item", `{"type":"function_call_output","call_id":"x","output":"`+strings.Repeat("words ", 4000)+`"}`)
	h.Put(t, file, meta(thread)+start("call_first", "npm test", 1)+strings.Repeat(filler, (longRollout+(4<<20))/len(filler))+end("call_first", 3, "all"))
	s := New(h.World, tracetest.NoProcs)
	snap, err := s.Scan(context.Background())
	tracetest.Must(t, err)
	if !s.Pending() || tracetest.Find(t, snap, "call_first").Status != task.Running {
		t.Error("the first look read everything, or nothing")
	}
	x := tracetest.Find(t, tracetest.All(t, s), "call_first")
	if x.Status != task.Failed || x.Can.Read || x.Trouble == "" {
		t.Errorf("at the end: %s, read %v, %q", x.Status, x.Can.Read, x.Trouble)
	}
}

// TestOldSessions: thousands of old rollouts are neither read nor told of unless
// all are asked for (issue 9).
func TestOldSessions(t *testing.T) {
	h := stage(t)
	old := time.Now().Add(-10 * 24 * time.Hour)
	const many = 3000
	for i := range many {
		id := fmt.Sprintf("10000000-0000-4000-8000-%012d", i)
		path := h.Put(t, fmt.Sprintf(".codex/sessions/2026/10/%02d/rollout-2026-10-01T00-00-00-%s.jsonl", i%28+1, id), meta(id))
		tracetest.Must(t, os.Chtimes(path, old, old))
	}
	s := New(h.World, tracetest.NoProcs)
	if n := len(tracetest.All(t, s).Sessions); n != 1 {
		t.Errorf("%d sessions, want the one of today", n)
	}
	s.SetDeep(true)
	if n := len(tracetest.All(t, s).Sessions); n != many+1 {
		t.Errorf("%d sessions with all asked for, want %d", n, many+1)
	}
	tracetest.Must(t, os.RemoveAll(filepath.Join(h.Dir, ".codex/sessions/2026/11")))
	s.SetDeep(false)
	if n := len(tracetest.All(t, s).Sessions); n > 1 {
		t.Errorf("%d sessions left", n)
	}
}
