package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"offstage/cli"
	"offstage/internal/registry"
	"offstage/internal/source/files"
	"offstage/internal/world"
	"offstage/task"
)

var update = flag.Bool("update", false, "write the table of agents in the README")

// The marks in the README between which the table stands.
const tableFrom, tableTo = "<!-- agents: written by go test . -run TestDocsAgents -update -->\n", "<!-- end of agents -->"

// TestDocsAgents: the README's table of agents is what the sources declare (spec 6 D).
func TestDocsAgents(t *testing.T) {
	w, err := world.New(world.Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	procs := registry.NewProcs(w)
	list := []task.Sight{}
	for _, s := range sources(cli.SourceOptions{World: w, Procs: procs}) {
		if s.Sees.Agent == "" {
			t.Errorf("the source %s declares nothing", s.Name)
		}
		list = append(list, s.Sees)
	}
	list = append(list, files.Sees)
	text := tableFrom + agentsTable(list) + tableTo
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	i, j := strings.Index(readme, tableFrom), strings.Index(readme, tableTo)
	if i < 0 || j < i {
		t.Fatalf("the README has no place for the table: put %q and %q into it", tableFrom, tableTo)
	}
	if readme[i:j+len(tableTo)] == text {
		return
	}
	if !*update {
		t.Fatal("the README's table of agents is not what the sources declare: run go test . -run TestDocsAgents -update")
	}
	if err := os.WriteFile("README.md", []byte(readme[:i]+text+readme[j+len(tableTo):]), 0o644); err != nil {
		t.Fatal(err)
	}
}

func agentsTable(list []task.Sight) string {
	var b strings.Builder
	b.WriteString("\n| agent | sessions | tasks | live output | exit | sub-agents | task list | Stop |\n|---|---|---|---|---|---|---|---|\n")
	cell := func(s string) string {
		if s == "" {
			return "–"
		}
		return s
	}
	for _, s := range list {
		name := strings.TrimSpace(s.Agent + " " + s.Versions)
		if s.Experimental {
			name += " *(experimental)*"
		}
		b.WriteString("| " + strings.Join([]string{name, cell(s.Sessions), cell(s.Tasks), cell(s.Output), cell(s.Exit), cell(s.Subagents), cell(s.Plan), cell(s.Stop)}, " | ") + " |\n")
	}
	b.WriteString("| Every other agent with MCP *(MCP only)* | – | what it starts with `run_task` | live | yes | – | kept for it | its own |\n\n")
	return b.String()
}
