// Package kitty connects kitty: a key that opens the panel beside the window it was
// pressed in. kitty has no status bar, so there is no place for a pill. It owns our
// block in kitty.conf, and writes nothing itself; the command line takes it from
// package hosts.
package kitty

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"offstage/internal/setup"
)

// firstKey is free in kitty's own table; ctrl+shift+b moves a window there.
const firstKey = "kitty_mod+y"

// Host is kitty.
func Host() setup.Host { return host{} }

type host struct{}

func (host) Name() string  { return "kitty" }
func (host) Title() string { return "kitty" }

func (host) After(e setup.Env) string {
	return "Reload kitty's configuration (ctrl+shift+f5); then " + wanted(e) + " opens the panel beside the window it is pressed in (kitty_mod is ctrl+shift). In the layout splits it stands at the right."
}

func wanted(e setup.Env) string {
	if e.Key != "" {
		return e.Key
	}
	return firstKey
}

func (host) Parts(e setup.Env) []setup.Part {
	path := filepath.Join(e.Folder(".config/kitty"), "kitty.conf")
	if dir := e.Getenv("KITTY_CONFIG_DIRECTORY"); dir != "" {
		path = filepath.Join(dir, "kitty.conf")
	} else if e.Getenv("XDG_CONFIG_HOME") != "" {
		path = filepath.Join(e.ConfigHome(), "kitty", "kitty.conf")
	}
	line, lineErr := mapLine(e)
	return []setup.Part{{
		Path: path, What: "key", ByHand: line,
		Add: func(text []byte) ([]byte, error) {
			if lineErr != nil {
				return nil, lineErr
			}
			without, err := setup.BlockDrop(text, "#")
			if err != nil {
				return nil, err
			}
			if by := taken(string(without), wanted(e)); by != "" {
				return nil, &setup.TakenError{What: "The key " + wanted(e), By: by, Do: "give another with --key, like --key kitty_mod+i"}
			}
			return setup.BlockSet(text, "#", "kitty", line)
		},
		Remove: func(text []byte) ([]byte, error) { return setup.BlockDrop(text, "#") },
	}}
}

var keyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z_]+\+)*[a-z0-9_]+$`) })

func mapLine(e setup.Env) (string, error) {
	program, err := setup.PlainProgram(e)
	if err != nil {
		return "", err
	}
	if !keyName().MatchString(wanted(e)) {
		return "", fmt.Errorf("%q is no key of kitty: give one like kitty_mod+y or alt+b", wanted(e))
	}
	return "map " + wanted(e) + " launch --type=window --location=vsplit --cwd=current " + setup.Quote(program) + "\n", nil
}

// taken is what a key does in the configuration itself; files that it includes are
// not looked into. The later of two lines counts, and one without an action frees
// the key.
func taken(text, key string) string {
	mod := "ctrl+shift"
	by := ""
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 2 && words[0] == "kitty_mod":
			mod = words[1]
		case len(words) >= 2 && words[0] == "map" && expand(words[1], mod) == expand(key, mod):
			by = strings.Join(words[2:], " ")
			if by == "no_op" {
				by = ""
			}
		}
	}
	return by
}

func expand(key, mod string) string {
	return strings.Replace(strings.ToLower(key), "kitty_mod", mod, 1)
}
