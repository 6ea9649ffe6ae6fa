package claude

import (
	"os"
	"path"
	"strings"

	"offstage/task"
)

// The transcripts of a workflow's agents are read as those of other sub-agents
// are: what they start in the background is theirs, and the tree tells what they
// do. A workflow may have thousands of them.

// freshFlow says whether the folder of a workflow changed lately enough to be
// looked at; the tree of an older one comes from its run record alone.
func (s *Source) freshFlow(e os.DirEntry) bool {
	if s.deep.Load() {
		return true
	}
	info, err := e.Info()
	return err == nil && s.now.Sub(info.ModTime()) < window
}

// flowAgents lists the agents of one workflow: of very many those that run, then
// those that were started first.
func (s *Source) flowAgents(f *found, folder, workflow string) {
	entries := s.list(folder)
	if len(entries) <= 2*task.MaxWorkflowAgents {
		s.agentsIn(f, folder, workflow)
		return
	}
	j := s.journalOf(folder)
	if j == nil {
		return
	}
	n := 0
	for _, running := range []bool{true, false} {
		for _, a := range j.agents {
			if n < task.MaxWorkflowAgents && (a.status == task.Running) == running {
				n++
				s.addAgent(f, folder, a.id, workflow)
			}
		}
	}
}

// flowDirs adds the folders in which the journals and records of a live session's
// workflows grow.
func (v *view) flowDirs(f *found, set map[string]bool) {
	base := strings.TrimSuffix(f.recorded, ".jsonl")
	if records := v.s.real(base + "/workflows"); isDir(records) {
		set[records] = true
	}
	for _, known := range v.s.works {
		l := known.launch
		if l.kind != task.Workflow || l.folder == "" || known.from.session != f.session || v.s.trees[known.key] == nil || v.s.trees[known.key].Settled {
			continue
		}
		if real := v.s.real(path.Clean(l.folder)); v.s.insideConfig(real) && isDir(real) {
			set[real] = true
		}
	}
}
