// Package hosts knows every host that can be set up, so that the command line needs
// one door. It holds the list and nothing else.
package hosts

import (
	"offstage/internal/setup"
	"offstage/internal/setup/claude"
	"offstage/internal/setup/codex"
	"offstage/internal/setup/copilot"
	"offstage/internal/setup/cursor"
	"offstage/internal/setup/gemini"
	"offstage/internal/setup/kimi"
	"offstage/internal/setup/kitty"
	"offstage/internal/setup/opencode"
	"offstage/internal/setup/qwen"
	"offstage/internal/setup/tmux"
	"offstage/internal/setup/wezterm"
	"offstage/internal/setup/zellij"
)

// All are the hosts in the order in which they are told of: agents, then terminals.
func All() []setup.Host {
	return []setup.Host{
		claude.Host(), codex.Host(), gemini.Host(), qwen.Host(), kimi.Host(), opencode.Host(), cursor.Host(), copilot.Host(),
		tmux.Host(), zellij.Host(), wezterm.Host(), kitty.Host(),
	}
}

// Find is the host of that name; ok is false where there is none.
func Find(name string) (h setup.Host, ok bool) {
	for _, h := range All() {
		if h.Name() == name {
			return h, true
		}
	}
	return nil, false
}
