// Package claude connects Claude Code: the pill in its status line, our hooks, our
// MCP server, and a command that opens the panel. It owns what stands in which of
// its files, and writes nothing itself; the command line takes it from package
// hosts.
package claude

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Claude Code. Its reader of settings wants strict JSON.
func Host() setup.Host {
	return setup.Simple{Word: "claude", Label: "Claude Code", Files: parts,
		Then: "Sessions that start from now on have it; one that is open takes up status line and hooks by itself, the MCP server when it is started again."}
}

func parts(e setup.Env) []setup.Part {
	dir := e.Folder(".claude", "CLAUDE_CONFIG_DIR")
	settings := filepath.Join(dir, "settings.json")
	out := []setup.Part{statusLine(e, settings)}
	for _, ev := range events {
		out = append(out, hookPart(e, settings, ev))
	}
	return append(out,
		setup.JSONPart(serversFile(e), "MCP server", setup.Strict, []string{"mcpServers", "offstage"},
			map[string]any{"type": "stdio", "command": e.Program, "args": []string{"mcp"}}),
		commandPart(e, filepath.Join(dir, "commands", "offstage.md")))
}

// serversFile holds the person's own servers, for all projects: it lies in the
// folder of CLAUDE_CONFIG_DIR where that is set, else beside .claude.
func serversFile(e setup.Env) string {
	return filepath.Join(e.Folder("", "CLAUDE_CONFIG_DIR"), ".claude.json")
}
