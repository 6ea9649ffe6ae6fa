// Package copilot connects GitHub Copilot CLI: our MCP server in its
// mcp-config.json. It owns the place and the shape of that entry, and writes
// nothing itself; the command line takes it from package hosts.
package copilot

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Copilot CLI. What its reader takes beyond strict JSON is not known, so
// no more is counted on. An entry without "tools" would show the model none.
func Host() setup.Host {
	return setup.Simple{Word: "copilot", Label: "Copilot CLI", Then: "Start Copilot CLI again; /mcp show there lists offstage.",
		Files: func(e setup.Env) []setup.Part {
			path := filepath.Join(e.Folder(".copilot", "COPILOT_HOME"), "mcp-config.json")
			return []setup.Part{setup.JSONPart(path, "MCP server", setup.Strict, []string{"mcpServers", "offstage"},
				map[string]any{"type": "local", "command": e.Program, "args": []string{"mcp"}, "tools": []string{"*"}})}
		}}
}
