package claude

import (
	"io/fs"
	"os"
	"strconv"

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
