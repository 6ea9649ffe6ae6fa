package claude

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// found is one transcript file on disk.
type found struct {
	session  string
	recorded string
	real     string
	project  string // the folder's name (slug)
	config   string
	info     fs.FileInfo
	// agents are the transcripts of its sub-agents.
	agents []foundAgent
}

// foundAgent is the transcript of one sub-agent with its meta file.
type foundAgent struct {
	id   string
	real string
	meta string // path of meta.json, may not exist
	info fs.FileInfo
	// workflow is the run that it belongs to, "" for none.
	workflow string
}

// window is how far back ended sessions are looked at without Deep: a failure
// nobody saw stays a day beyond its hour (A5).
const window = 26 * time.Hour

// transcripts lists every transcript of every project.
func (s *Source) transcripts(p places) map[string]*found {
	out := map[string]*found{}
	for _, config := range p.config {
		for _, dir := range s.list(path.Join(config, "projects")) {
			if !dir.IsDir() {
				continue
			}
			folder := path.Join(config, "projects", dir.Name())
			old := map[string]fs.DirEntry{}
			for _, e := range s.list(folder) {
				id, ok := strings.CutSuffix(e.Name(), ".jsonl")
				if !ok || e.IsDir() {
					continue
				}
				if agent, ok := strings.CutPrefix(id, "agent-"); ok {
					old[agent] = e
					continue
				}
				f := &found{session: id, recorded: path.Join(folder, e.Name()), project: dir.Name(), config: config}
				f.real = s.real(f.recorded)
				info, err := statFile(f.real)
				if err != nil {
					continue
				}
				f.info = info
				if prev := out[id]; prev == nil || prev.info.ModTime().Before(info.ModTime()) {
					out[id] = f
				}
			}
			s.oldAgents[folder] = old
		}
	}
	return out
}

// subagents lists the sub-agents of a session: its own folder, and (before
// 2.1) files beside the transcript, which are joined by the id of a launch.
func (s *Source) subagents(f *found, launched map[string]bool) {
	folder := strings.TrimSuffix(f.recorded, ".jsonl") + "/subagents"
	f.agents = f.agents[:0]
	s.agentsIn(f, folder, "")
	for _, e := range s.list(folder + "/workflows") {
		if e.IsDir() && s.freshFlow(e) {
			s.flowAgents(f, path.Join(folder, "workflows", e.Name()), e.Name())
		}
	}
	project := path.Dir(f.recorded)
	for id := range s.oldAgents[project] {
		if launched[id] {
			s.addAgent(f, project, id, "")
		}
	}
}

func (s *Source) agentsIn(f *found, folder, workflow string) {
	for _, e := range s.list(folder) {
		id, ok := strings.CutPrefix(e.Name(), "agent-")
		if !ok {
			continue
		}
		if id, ok = strings.CutSuffix(id, ".jsonl"); ok && !strings.HasPrefix(id, "acompact-") {
			s.addAgent(f, folder, id, workflow)
		}
	}
}

func (s *Source) addAgent(f *found, folder, id, workflow string) {
	real := s.real(path.Join(folder, "agent-"+id+".jsonl"))
	info, err := statFile(real)
	if err != nil {
		return
	}
	f.agents = append(f.agents, foundAgent{id: id, real: real, info: info, workflow: workflow,
		meta: s.real(path.Join(folder, "agent-"+id+".meta.json"))})
}

// agentMeta is what meta.json says of a sub-agent; finished is taken away when
// it is resumed, the only live flag on disk.
type agentMeta struct {
	Description   string `json:"description"`
	Model         string `json:"model"`
	AgentType     string `json:"agentType"`
	ToolUseID     string `json:"toolUseId"`
	Parent        string `json:"parentAgentId"`
	Shape         string `json:"requestShape"`
	Finished      bool   `json:"finished"`
	StoppedByUser bool   `json:"stoppedByUser"`

	modified time.Time
	known    bool
}
