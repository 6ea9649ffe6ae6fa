package claude

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"offstage/task"
)

// A workflow (A9) shows itself in three places: the journal names its agents as
// they start and end, their transcripts and meta files tell what each does, and
// the run record, which is written at the end only, has every title, the log and
// the agents that never had their turn. Titles that are not known yet are left
// out, never invented.

// flowText bounds a label, a title or a line of a log that is kept.
const flowText = 300

// maxPhases bounds the phases of a tree.
const maxPhases = 200

// workflowView is what there is to see of one workflow in this Scan.
type workflowView struct {
	folder  string // of its journal and its agents, as recorded
	record  *runRecord
	journal *journal
}

// workflowOf reads how far a workflow is. A run that was resumed goes on in the
// folder of the run before: a record that names another task is not of this one.
func (s *Source) workflowOf(w *work) workflowView {
	var v workflowView
	if w.launch.folder == "" || !safeName(w.launch.runID) {
		return v
	}
	if f := w.from.file; f != nil {
		v.record = s.runRecord(strings.TrimSuffix(f.recorded, ".jsonl") + "/workflows/" + w.launch.runID + ".json")
	}
	v.folder = path.Clean(w.launch.folder)
	v.journal = s.journalOf(v.folder)
	return v
}

// mine is the run record if it tells of this task.
func (v workflowView) mine(w *work) *runRecord {
	if v.record == nil || v.record.TaskID != "" && v.record.TaskID != w.id {
		return nil
	}
	return v.record
}

// workflowEnds adds what the run record says of the end.
func (w *work) workflowEnds(v workflowView) {
	r := v.mine(w)
	if r == nil {
		return
	}
	e := end{at: r.modified, source: byRunRecord, rank: rankRecord, result: firstOf(r.Error, r.Summary)}
	switch r.Status {
	case "completed", "success", "succeeded":
		e.status = task.Succeeded
	case "failed", "error":
		e.status = task.Failed
	case "killed", "stopped", "cancelled":
		e.status, e.result = task.Cancelled, ""
	default:
		return
	}
	w.end(e)
}

// workflowTask puts on the task what its workflow is made of, once its own state
// is known.
func (v *view) workflowTask(t *task.Task, w *work, f workflowView) {
	tree := v.workflowTree(t, w, f)
	if tree == nil {
		return
	}
	if known := v.s.trees[w.key]; known != nil && reflect.DeepEqual(known, tree) {
		tree = known // the same value for the same truth: nothing downstream is done again
	}
	if len(v.s.trees) > 4096 {
		clear(v.s.trees)
	}
	v.s.trees[w.key] = tree
	t.Workflow, t.ToolCalls = tree, tree.ToolCalls
	if !t.Status.Ended() {
		t.Activity = activityOf(tree)
	}
}

func (v *view) workflowTree(t *task.Task, w *work, f workflowView) *task.WorkflowTree {
	if r := f.mine(w); r != nil && len(r.Progress) > 0 {
		return v.settledTree(r, f.folder)
	}
	if f.record != nil && f.mine(w) == nil && t.Status.Ended() {
		return nil // it was resumed: what is there now tells of the later run
	}
	if f.journal == nil || len(f.journal.agents) == 0 {
		return nil
	}
	return v.liveTree(t, w, f)
}

// liveTree is the tree of a workflow without a record of its end.
func (v *view) liveTree(t *task.Task, w *work, f workflowView) *task.WorkflowTree {
	tree := &task.WorkflowTree{Name: w.launch.name, Total: f.journal.dropped, Steps: Steps{}}
	for _, e := range f.journal.agents {
		a, mine := v.liveAgent(t, w, f.folder, e)
		if !mine {
			continue
		}
		a.Phase = phaseOf(tree, e.phase)
		tree.Total++
		tree.Tokens += a.Tokens
		tree.ToolCalls += a.ToolCalls
		if len(tree.Agents) < task.MaxWorkflowAgents {
			tree.Agents = append(tree.Agents, a)
		}
	}
	return tree
}

// liveAgent is one agent of the journal with what its own files tell; false for
// one that was begun by an earlier run and left unfinished.
func (v *view) liveAgent(t *task.Task, w *work, folder string, e *journalAgent) (task.WorkflowAgent, bool) {
	a := task.WorkflowAgent{ID: e.id, Label: e.label, Status: e.status, Phase: -1, Transcript: v.agentTranscript(folder, e.id)}
	if a.Status == task.Running && t.Status.Ended() {
		// Nobody wrote how it ended; with its workflow it did.
		a.Status = task.Lost
		if t.Status == task.Cancelled {
			a.Status = task.Cancelled
		}
	}
	own, ok := v.agents[e.id]
	if !ok {
		return a, true
	}
	a.Label = firstOf(a.Label, clip(own.meta.Description))
	if own.reader == nil || own.reader.x.firstAt.IsZero() {
		a.Model = clip(own.meta.Model)
		return a, true
	}
	x := own.reader.x
	if e.status == task.Running && x.lastAt.value.Before(w.launched) {
		return a, false
	}
	a.Model = clip(firstOf(x.stats.model.value, own.meta.Model))
	a.Tokens, a.ToolCalls, a.Tool, a.Started = x.stats.total.value, x.stats.calls, clip(x.activity.value), x.firstAt
	if a.Status.Ended() {
		a.Ran = x.lastAt.value.Sub(x.firstAt)
	}
	if a.Status == task.Failed {
		a.Error = clip(firstLine(x.stats.said.value))
	}
	a.Attempt = v.attempt(w, e)
	return a, true
}

// attempt counts the starts of one agent within the present run: those that a
// resumed run did again are no retries. 0 for the first.
func (v *view) attempt(w *work, e *journalAgent) int {
	n := 1
	for _, id := range e.earlier {
		if own, ok := v.agents[id]; ok && own.reader != nil && own.reader.x.firstAt.After(w.launched.Add(-time.Second)) {
			n++
		}
	}
	if n == 1 {
		return 0
	}
	return n
}

// phaseOf is the place of a phase among those of a tree, a new one's behind them;
// −1 for no title.
func phaseOf(w *task.WorkflowTree, title string) int {
	if title == "" {
		return -1
	}
	if i := slices.Index(w.Phases, title); i >= 0 {
		return i
	}
	if len(w.Phases) >= maxPhases {
		return -1
	}
	w.Phases = append(w.Phases, title)
	return len(w.Phases) - 1
}

// agentTranscript is the file of an agent's steps, "" where a record names one
// that lies elsewhere.
func (v *view) agentTranscript(folder, id string) string {
	if id == "" || !safeName(id) {
		return ""
	}
	real := v.s.real(path.Join(folder, "agent-"+id+".jsonl"))
	if !v.s.insideConfig(real) {
		return ""
	}
	return real
}

// activityOf is the last thing that a workflow did.
func activityOf(w *task.WorkflowTree) string {
	done, last := 0, -1
	for i, a := range w.Agents {
		if a.Status.Ended() {
			done++
		}
		if a.Status == task.Running {
			last = i
		}
	}
	if last < 0 {
		last = len(w.Agents) - 1
	}
	if last < 0 {
		return ""
	}
	a := w.Agents[last]
	words := task.AgentLabel(a)
	if a.Phase >= 0 && a.Phase < len(w.Phases) {
		words = w.Phases[a.Phase] + ": " + words
	}
	return fmt.Sprintf("%s · %d of %d agents done", words, done, w.Total)
}

// clip is a text of a workflow on one line, bounded.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > flowText {
		return strings.ToValidUTF8(s[:flowText], "") + "…"
	}
	return s
}

// insideConfig keeps paths that records name within the agent's own folders.
func (s *Source) insideConfig(real string) bool {
	for _, c := range s.places.config {
		if strings.HasPrefix(path.Clean(real), s.real(c)+"/") {
			return true
		}
	}
	return false
}
