// Package codex connects OpenAI Codex CLI: our MCP server in its config.toml. It
// owns the place and the shape of that table, and writes nothing itself; the
// command line takes it from package hosts.
package codex

import (
	"path/filepath"

	"offstage/internal/setup"
)

const table = "mcp_servers.offstage"

// Host is Codex CLI.
func Host() setup.Host {
	return setup.Simple{Word: "codex", Label: "Codex CLI", Then: "Start Codex again; /mcp there lists offstage.",
		Files: func(e setup.Env) []setup.Part {
			body := "command = " + setup.TOMLText(e.Program) + "\nargs = [\"mcp\"]\n"
			return []setup.Part{{
				Path: filepath.Join(e.Folder(".codex", "CODEX_HOME"), "config.toml"), What: "MCP server",
				ByHand: "[" + table + "]\n" + body,
				Add:    func(text []byte) ([]byte, error) { return setup.TOMLSet(text, table, body) },
				Remove: func(text []byte) ([]byte, error) { return setup.TOMLDrop(text, table) },
			}}
		}}
}
