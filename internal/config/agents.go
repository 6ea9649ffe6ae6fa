package config

import "strings"

// readAgents takes the table of agents out of doc: codex = false looks for nothing
// of Codex.
func (s *Settings) readAgents(at func(string) string, doc map[string]any) []string {
	v, ok := doc["agents"]
	if !ok {
		return nil
	}
	delete(doc, "agents")
	table, ok := v.(map[string]any)
	if !ok {
		return []string{at("agents") + ": agents: a table such as [agents] with codex = false is wanted; it is left out"}
	}
	var wrong []string
	for name, v := range table {
		on, ok := v.(bool)
		if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			wrong = append(wrong, at("agents."+name)+": agents."+name+": true or false is wanted; it is left out")
			continue
		}
		if s.Agents == nil {
			s.Agents = map[string]bool{}
		}
		s.Agents[name], s.origin["agents."+name] = on, at("agents."+name)
	}
	return wrong
}
