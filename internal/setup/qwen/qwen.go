// Package qwen connects Qwen Code: our MCP server in its settings.json. It owns the
// place and the shape of that entry, and writes nothing itself; the command line
// takes it from package hosts.
package qwen

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Qwen Code, whose settings are those of Gemini CLI, from which it comes:
// comments are stripped, a comma at the end is an error.
func Host() setup.Host {
	return setup.Simple{Word: "qwen", Label: "Qwen Code", Then: "Start Qwen Code again; /mcp there lists offstage.",
		Files: func(e setup.Env) []setup.Part {
			path := filepath.Join(e.Folder(".qwen"), "settings.json")
			return []setup.Part{setup.JSONPart(path, "MCP server", setup.Comments, []string{"mcpServers", "offstage"},
				map[string]any{"command": e.Program, "args": []string{"mcp"}})}
		}}
}
