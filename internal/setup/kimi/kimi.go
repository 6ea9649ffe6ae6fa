// Package kimi connects Kimi Code: our MCP server in its mcp.json. It owns the
// place and the shape of that entry, and writes nothing itself; the command line
// takes it from package hosts.
package kimi

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Kimi Code. What its reader takes beyond strict JSON is not known, so no
// more is counted on.
func Host() setup.Host {
	return setup.Simple{Word: "kimi", Label: "Kimi Code", Then: "Start Kimi Code again; /mcp there lists offstage.",
		Files: func(e setup.Env) []setup.Part {
			path := filepath.Join(e.Folder(".kimi-code", "KIMI_CODE_HOME"), "mcp.json")
			return []setup.Part{setup.JSONPart(path, "MCP server", setup.Strict, []string{"mcpServers", "offstage"},
				map[string]any{"command": e.Program, "args": []string{"mcp"}})}
		}}
}
