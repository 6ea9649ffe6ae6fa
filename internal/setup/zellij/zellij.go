// Package zellij connects zellij: a key that opens the panel at the right of the
// pane it was pressed in. Its bars take no text of other programs, so there is no
// pill. It owns our block in config.kdl, and writes nothing itself; the command
// line takes it from package hosts.
package zellij

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"offstage/internal/setup"
)

// firstKey stands in the mode that Ctrl b opens, like the prefix of tmux.
const firstKey = "b"

const comment = "//"

// byItself are the keys of that mode in zellij's own table.
const byItself = `["%z,cpnhjklodx`

// Host is zellij.
func Host() setup.Host { return host{} }

type host struct{}

func (host) Name() string  { return "zellij" }
func (host) Title() string { return "zellij" }

func (host) After(e setup.Env) string {
	return "Press Ctrl b and then " + wanted(e) + " in a pane to open the panel at its right; q closes it. (Where you cleared zellij's own keys, Ctrl b needs a binding to the mode tmux.)"
}

func wanted(e setup.Env) string {
	if e.Key != "" {
		return e.Key
	}
	return firstKey
}

func (host) Parts(e setup.Env) []setup.Part {
	lines, linesErr := mode(e)
	return []setup.Part{{
		Path: path(e), What: "key", ByHand: "keybinds {\n" + lines + "}\n",
		Add: func(text []byte) ([]byte, error) {
			if linesErr != nil {
				return nil, linesErr
			}
			return add(text, lines, wanted(e))
		},
		Remove: func(text []byte) ([]byte, error) { return setup.BlockDrop(text, comment) },
	}}
}

func path(e setup.Env) string {
	if named := e.Getenv("ZELLIJ_CONFIG_FILE"); named != "" {
		return named
	}
	if dir := e.Getenv("ZELLIJ_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "config.kdl")
	}
	return filepath.Join(e.ConfigHome(), "zellij", "config.kdl")
}

var keyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^((Ctrl|Alt|Shift) )*[A-Za-z0-9]+$`) })

func mode(e setup.Env) (string, error) {
	program, err := setup.PlainProgram(setup.Env{Program: strings.ReplaceAll(e.Program, `\`, "/")})
	if err != nil {
		return "", err
	}
	key := wanted(e)
	switch {
	case !keyName().MatchString(key):
		return "", fmt.Errorf("%q is no key of zellij: give one like b or Alt b", key)
	case len(key) == 1 && strings.Contains(byItself, key):
		return "", &setup.TakenError{What: "The key " + key + " in the mode tmux", By: "zellij itself", Do: "give another with --key"}
	}
	return "    tmux {\n        bind \"" + key + "\" { Run \"" + program + "\" { direction \"Right\"; close_on_exit true; }; SwitchToMode \"Normal\"; }\n    }\n", nil
}

// add puts the lines into the keybinds that are there, for zellij reads only the
// first of them, or makes them at the end.
func add(text []byte, lines, key string) ([]byte, error) {
	without, err := setup.BlockDrop(text, comment)
	if err != nil {
		return nil, err
	}
	nodes, err := scan(without)
	if err != nil {
		return nil, err
	}
	keys, found := first(nodes, "keybinds")
	if found {
		if modes, err := scan(without[keys.open+1 : keys.shut]); err == nil {
			if by := taken(without[keys.open+1:keys.shut], modes, key); by != "" {
				return nil, &setup.TakenError{What: "The key " + key + " in the mode tmux", By: by, Do: "give another with --key"}
			}
		}
	}
	if !found {
		lines = "keybinds {\n" + lines + "}\n"
	}
	if len(without) != len(text) { // an older block of ours stays where it is
		if old, err := scan(text); err != nil || inside(old, text) != found {
			return nil, fmt.Errorf("%w: the block of offstage stands at another place than it was put", setup.ErrCannotParse)
		}
		return setup.BlockSet(text, comment, "zellij", lines)
	}
	if !found {
		return setup.BlockSet(text, comment, "zellij", lines)
	}
	nl := setup.Newline(text)
	at := bytes.LastIndexByte(text[:keys.shut], '\n') + 1
	if len(bytes.TrimSpace(text[at:keys.shut])) > 0 || at <= keys.open {
		return nil, fmt.Errorf("%w: the last bracket of keybinds stands on no line of its own", setup.ErrCannotParse)
	}
	ours, err := setup.BlockSet([]byte(nl), comment, "zellij", lines)
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{text[:at], bytes.TrimPrefix(ours, []byte(nl)), text[at:]}, nil), nil
}

// inside says whether our block stands within keybinds of the person's.
func inside(nodes []node, text []byte) bool {
	at := bytes.Index(text, []byte(comment+" offstage: begin"))
	keys, found := first(nodes, "keybinds")
	return found && keys.open < at && at < keys.shut
}

// taken is what a bind of the mode tmux does with the key.
func taken(text []byte, modes []node, key string) string {
	for _, m := range modes {
		if m.name != "tmux" || m.open < 0 {
			continue
		}
		inner := text[m.open+1 : m.shut]
		binds, err := scan(inner)
		if err != nil {
			return ""
		}
		for _, b := range binds {
			if b.name == "bind" && b.open > 0 && strings.Contains(string(inner[b.start:b.open]), `"`+key+`"`) {
				return strings.Join(strings.Fields(string(inner[b.open:b.shut+1])), " ")
			}
		}
	}
	return ""
}
