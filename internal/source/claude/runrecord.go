package claude

import (
	"cmp"
	"io"
	"io/fs"
	"slices"
	"time"

	"offstage/internal/fsys"
	"offstage/task"
)

// runRecord is workflows/wf_….json, which is written at the end only. Its
// script and its result are passed over.
type runRecord struct {
	TaskID, Status, Summary, Error, Name string
	Agents, ToolCalls                    int
	Tokens                               int64
	Phases                               []struct{ Title string }
	Logs                                 []string
	Progress                             []progress

	modified time.Time
	size     int64
	tree     *task.WorkflowTree
	folder   string // that tree was made for
}

// progress is a phase or an agent of the record, as its client showed it last.
type progress struct {
	Type, Title, Label, AgentID, Model string
	State, Error, LastToolName         string
	LastToolSummary                    string
	Index, PhaseIndex                  int
	Attempt, ToolCalls                 int
	Tokens                             int64
	StartedAt, DurationMs              float64
	LastProgressAt                     float64
	Skipped, Cached                    bool
}

// maxRunRecord bounds a run record; it holds the workflow's whole result.
const maxRunRecord = 32 << 20

// runRecord reads a run record, again only when it changed. One that its client
// is still writing is not there yet.
func (s *Source) runRecord(recorded string) *runRecord {
	real := s.real(recorded)
	st, err := statFile(real)
	if err != nil || !st.Mode().IsRegular() || !s.insideConfig(real) {
		return nil
	}
	if r := s.records[real]; r != nil && r.modified.Equal(st.ModTime()) && r.size == st.Size() {
		return r
	}
	if st.Size() > maxRunRecord {
		s.tell("The record of a workflow is larger than 32 MB; it is not read: %s", recorded)
		return nil
	}
	r, ok := readRunRecord(real, st)
	if !ok {
		return nil
	}
	if len(s.records) > maxJournals {
		clear(s.records)
	}
	s.records[real] = r
	return r
}

func readRunRecord(real string, st fs.FileInfo) (*runRecord, bool) {
	f, err := fsys.Open(real)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxRunRecord))
	if err != nil {
		return nil, false
	}
	r := &runRecord{modified: st.ModTime(), size: st.Size()}
	if !walk(b, r.take) {
		return nil, false
	}
	return r, true
}

func (r *runRecord) take(key, value []byte) bool {
	switch string(key) {
	case "taskId":
		r.TaskID = str(value)
	case "status":
		r.Status = str(value)
	case "summary":
		r.Summary = str(value)
	case "error":
		r.Error = str(value)
	case "workflowName":
		r.Name = clip(str(value))
	case "agentCount":
		lenient(value, &r.Agents)
	case "totalTokens":
		lenient(value, &r.Tokens)
	case "totalToolCalls":
		lenient(value, &r.ToolCalls)
	case "phases":
		lenient(value, &r.Phases)
	case "logs":
		lenient(value, &r.Logs)
	case "workflowProgress":
		lenient(value, &r.Progress)
	}
	return true
}

// settledTree is the tree of a run record, made once.
func (v *view) settledTree(r *runRecord, folder string) *task.WorkflowTree {
	if r.tree != nil && r.folder == folder {
		return r.tree
	}
	w := &task.WorkflowTree{Name: r.Name, Tokens: max(r.Tokens, 0), ToolCalls: max(r.ToolCalls, 0), Settled: true, Steps: Steps{}}
	at := map[int]int{} // their number to its place in Phases
	for _, p := range r.Progress {
		if p.Type == "workflow_phase" && len(w.Phases) < maxPhases {
			at[p.Index] = len(w.Phases)
			w.Phases = append(w.Phases, clip(p.Title))
		}
	}
	agents := slices.DeleteFunc(slices.Clone(r.Progress), func(p progress) bool { return p.Type != "workflow_agent" })
	slices.SortStableFunc(agents, func(a, b progress) int { return cmp.Compare(a.Index, b.Index) })
	w.Total = max(r.Agents, len(agents))
	for _, p := range agents[:min(len(agents), task.MaxWorkflowAgents)] {
		a := p.agent(r.Status)
		a.Phase = -1
		if i, ok := at[p.PhaseIndex]; ok {
			a.Phase = i
		}
		a.Transcript = v.agentTranscript(folder, a.ID)
		w.Agents = append(w.Agents, a)
	}
	for _, line := range r.Logs[max(0, len(r.Logs)-task.WorkflowLogLines):] {
		w.Log = append(w.Log, clip(line))
	}
	r.tree, r.folder, r.Progress = w, folder, r.Progress[:1:1] // the rest is in the tree
	return w
}

// agent translates what the client says of an agent; run is the word for the end
// of the whole.
func (p progress) agent(run string) task.WorkflowAgent {
	a := task.WorkflowAgent{ID: p.AgentID, Label: clip(p.Label), Model: clip(p.Model), Tokens: max(p.Tokens, 0), ToolCalls: max(p.ToolCalls, 0),
		Attempt: p.Attempt, Error: clip(p.Error), Tool: clip(joinWords(p.LastToolName, p.LastToolSummary))}
	if p.StartedAt > 0 {
		a.Started = time.UnixMilli(int64(p.StartedAt)).UTC()
	}
	if p.DurationMs > 0 && p.DurationMs < 1e12 {
		a.Ran = time.Duration(p.DurationMs) * time.Millisecond
	}
	switch {
	case p.Skipped:
		a.Status, a.Error = task.Cancelled, firstOf(a.Error, "skipped")
	case p.State == "done":
		a.Status = task.Succeeded
	case p.State == "error":
		a.Status = task.Failed
	case p.AgentID == "":
		a.Status = task.Queued // it never had its turn
	case run == "completed":
		a.Status = task.Lost
	default:
		a.Status = task.Cancelled
		if a.Ran == 0 && p.LastProgressAt > p.StartedAt {
			a.Ran = time.Duration(p.LastProgressAt-p.StartedAt) * time.Millisecond
		}
	}
	return a
}

func joinWords(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}
