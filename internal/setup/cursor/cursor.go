// Package cursor connects Cursor and cursor-agent, which read the same mcp.json:
// our MCP server. It owns the place and the shape of that entry, and writes nothing
// itself; the command line takes it from package hosts.
package cursor

import (
	"path/filepath"

	"offstage/internal/setup"
)

// Host is Cursor. What its reader takes beyond strict JSON is not known, so no
// more is counted on. Its hooks are left alone: their exact shape is not known.
func Host() setup.Host {
	return setup.Simple{Word: "cursor", Label: "Cursor", Then: "Allow the server offstage in Cursor's settings, or start cursor-agent with --approve-mcps.",
		Files: func(e setup.Env) []setup.Part {
			path := filepath.Join(e.Folder(".cursor"), "mcp.json")
			return []setup.Part{setup.JSONPart(path, "MCP server", setup.Strict, []string{"mcpServers", "offstage"},
				map[string]any{"command": e.Program, "args": []string{"mcp"}})}
		}}
}
