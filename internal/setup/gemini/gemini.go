// Package gemini connects Gemini CLI: our MCP server in its settings.json. It owns
// the place and the shape of that entry, and writes nothing itself; the command
// line takes it from package hosts.
package gemini

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Gemini CLI. Its reader strips comments and then wants strict JSON, so a
// comma at the end is an error there.
func Host() setup.Host {
	return setup.Simple{Word: "gemini", Label: "Gemini CLI", Then: "Start Gemini CLI again; /mcp there lists offstage.",
		Files: func(e setup.Env) []setup.Part {
			path := filepath.Join(e.Folder(".gemini"), "settings.json")
			return []setup.Part{setup.JSONPart(path, "MCP server", setup.Comments, []string{"mcpServers", "offstage"},
				map[string]any{"command": e.Program, "args": []string{"mcp"}})}
		}}
}
