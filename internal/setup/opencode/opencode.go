// Package opencode connects OpenCode: our MCP server in its opencode.json or
// opencode.jsonc. It owns the place and the shape of that entry, and writes nothing
// itself; the command line takes it from package hosts.
package opencode

import (
	"os"
	"path/filepath"

	"offstage/internal/setup"
)

// Host is OpenCode, whose reader takes comments and commas at the end.
func Host() setup.Host {
	return setup.Simple{Word: "opencode", Label: "OpenCode", Then: "Start OpenCode again; opencode mcp list shows offstage.",
		Files: func(e setup.Env) []setup.Part {
			return []setup.Part{setup.JSONPart(path(e), "MCP server", setup.Loose, []string{"mcp", "offstage"},
				map[string]any{"type": "local", "command": []string{e.Program, "mcp"}, "enabled": true})}
		}}
}

// path is the file that OPENCODE_CONFIG names, else the one that is there: where
// both are, the one with the c is read last, and counts.
func path(e setup.Env) string {
	if named := e.Getenv("OPENCODE_CONFIG"); named != "" {
		return named
	}
	dir := filepath.Join(e.ConfigHome(), "opencode")
	if _, err := os.Lstat(filepath.Join(dir, "opencode.jsonc")); err == nil {
		return filepath.Join(dir, "opencode.jsonc")
	}
	return filepath.Join(dir, "opencode.json")
}
