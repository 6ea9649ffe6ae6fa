// Package tmux connects tmux (3.2 and newer): the pill in front of what stands in
// status-right, a key that opens and closes the panel beside the pane it was
// pressed in, and a click on the pill that does the same. It owns our block in the
// configuration, and what a running server is told; the command line takes it from
// package hosts.
package tmux

import (
	"os"
	"path/filepath"

	"offstage/internal/setup"
)

// Host is tmux.
func Host() setup.Live { return host{} }

type host struct{}

func (host) Name() string  { return "tmux" }
func (host) Title() string { return "tmux" }

func (host) After(e setup.Env) string {
	key := e.Key
	if key == "" {
		key = firstKey
		if f, err := setup.Read(path(e)); err == nil && blockKey(f.Text) != "" {
			key = blockKey(f.Text)
		}
	}
	return "Press the prefix and then " + key + " in a pane to open the panel beside it, and again to close it; with `set -g mouse on` a click on the pill does the same."
}

func (host) Parts(e setup.Env) []setup.Part {
	byHand, err := body(e, choice{key: firstKey, click: true})
	if err != nil {
		byHand = ""
	}
	return []setup.Part{{
		Path: path(e), What: "pill, key and click", ByHand: byHand,
		Add: func(text []byte) ([]byte, error) {
			c, err := choose(e, text)
			if err != nil {
				return nil, err
			}
			lines, err := body(e, c)
			if err != nil {
				return nil, err
			}
			return setup.BlockSetEnding(text, "#", "tmux", lines, "\n")
		},
		Remove: func(text []byte) ([]byte, error) { return setup.BlockDrop(text, "#") },
	}}
}

// path is the configuration that counts: tmux reads all that are there, in this
// order, so the last one has the last word on status-right.
func path(e setup.Env) string {
	inHome := filepath.Join(e.Home, ".tmux.conf")
	for _, p := range []string{
		filepath.Join(e.Home, ".config", "tmux", "tmux.conf"),
		filepath.Join(e.ConfigHome(), "tmux", "tmux.conf"),
		inHome,
	} {
		if _, err := os.Lstat(p); err == nil {
			return p
		}
	}
	return inHome
}
