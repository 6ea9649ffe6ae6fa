package claude

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"offstage/internal/fsys"
	"offstage/task"
)

// agentView is a sub-agent as its own files show it.
type agentView struct {
	meta   agentMeta
	reader *reader
	info   fs.FileInfo
}

// metaOf reads meta.json, again only when it changed.
func (s *Source) metaOf(file string) agentMeta {
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() {
		return agentMeta{}
	}
	if m, ok := s.metas[file]; ok && m.modified.Equal(st.ModTime()) {
		return m
	}
	var m agentMeta
	if _, ok := readJSON(file, &m); !ok {
		return agentMeta{}
	}
	m.modified, m.known = st.ModTime(), true
	if len(s.metas) > 8192 {
		clear(s.metas)
	}
	s.metas[file] = m
	return m
}

// agentEnds adds what a sub-agent's own files say of its end: stopped by the
// person (with no notification that names it), or finished.
func (w *work) agentEnds(v agentView) {
	if v.meta.modified.Before(w.runSince) {
		// It tells of an earlier run.
		return
	}
	if v.meta.StoppedByUser {
		w.end(end{at: v.meta.modified, status: task.Cancelled, source: byAgentFile, rank: rankRecord, summary: "Stopped by the user"})
	}
	if !v.meta.Finished || v.reader == nil || w.waits {
		return
	}
	st := &v.reader.x.stats
	switch {
	case st.failed.value:
		w.end(end{at: v.meta.modified, status: task.Failed, source: byAgentFile, rank: rankRead, summary: firstLine(st.said.value)})
	case st.done.value:
		w.end(end{at: v.meta.modified, status: task.Succeeded, source: byAgentFile, rank: rankRead, result: st.said.value})
	default:
		w.end(end{at: v.meta.modified, status: task.Lost, source: byAgentFile, rank: rankRead})
	}
}

// agentFacts puts what a sub-agent did on its task (P1): tokens, calls, the
// last thing it did.
func agentFacts(t *task.Task, w *work, v agentView) {
	if n, err := strconv.Atoi(tag(w.usage, "tool_uses")); err == nil {
		t.ToolCalls = n
	}
	if v.reader == nil {
		return
	}
	x := v.reader.x
	if x.stats.calls > t.ToolCalls {
		t.ToolCalls = x.stats.calls
	}
	var out int64
	for _, n := range x.stats.output {
		out += n
	}
	if out > 0 || x.stats.context.value > 0 {
		t.Tokens = &task.Tokens{Input: x.stats.context.value, Output: out}
	}
	t.Activity, t.ActivityAt = x.activity.value, x.activityAt.value
}

// workflowView is a workflow as its journal and run record show it.
type workflowView struct {
	status   string
	result   string
	at       time.Time
	activity string
	started  int
	done     int
}

// runRecord is workflows/wf_….json, which is written at the end only.
type runRecord struct {
	Status  string `json:"status"`
	Summary string `json:"summary"`
	Error   string `json:"error"`
}

// workflowOf reads how far a workflow is. Titles of phases that are not known
// yet are left out, never invented.
func (s *Source) workflowOf(w *work) workflowView {
	var v workflowView
	if w.launch.folder == "" || !safeName(w.launch.runID) {
		return v
	}
	if f := w.from.file; f != nil {
		record := strings.TrimSuffix(f.recorded, ".jsonl") + "/workflows/" + w.launch.runID + ".json"
		var r runRecord
		if st, ok := readJSON(s.w.Path(record), &r); ok {
			v.status, v.at = r.Status, st.ModTime()
			v.result = firstOf(r.Error, r.Summary)
		}
	}
	s.journal(w.launch.folder, &v)
	return v
}

// journal reads the live list of a workflow's agents.
func (s *Source) journal(folder string, v *workflowView) {
	real := s.w.Path(folder + "/journal.jsonl")
	if !s.insideConfig(real) {
		return
	}
	f, err := fsys.Open(real)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxMeta))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Type  string `json:"type"`
			Label string `json:"label"`
			Phase string `json:"phase"`
		}
		if !lenient([]byte(line), &e) {
			continue
		}
		switch e.Type {
		case "started":
			v.started++
			v.activity = e.Label
			if e.Phase != "" {
				v.activity = e.Phase + ": " + e.Label
			}
		case "result":
			v.done++
		}
	}
	if v.started > 0 {
		v.activity = fmt.Sprintf("%s · %d of %d agents done", v.activity, v.done, v.started)
	}
}

// workflowEnds adds what the run record says of the end.
func (w *work) workflowEnds(v workflowView) {
	switch v.status {
	case "completed", "success", "succeeded":
		w.end(end{at: v.at, status: task.Succeeded, source: byRunRecord, rank: rankRecord, result: v.result})
	case "failed", "error":
		w.end(end{at: v.at, status: task.Failed, source: byRunRecord, rank: rankRecord, result: v.result})
	case "killed", "stopped", "cancelled":
		w.end(end{at: v.at, status: task.Cancelled, source: byRunRecord, rank: rankRecord})
	}
}

// insideConfig keeps paths that records name within the agent's own folders.
func (s *Source) insideConfig(real string) bool {
	for _, c := range s.places.config {
		if strings.HasPrefix(real, s.w.Path(c)+"/") {
			return true
		}
	}
	return false
}
