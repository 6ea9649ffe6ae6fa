// Package wezterm connects WezTerm: a key that opens and closes the panel beside the
// pane it was pressed in, and the pill at the right of the tab bar where nothing
// else stands. It owns our block in the Lua configuration, and writes nothing
// itself; the command line takes it from package hosts.
package wezterm

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"offstage/internal/setup"
)

// firstKey is free in WezTerm's own table.
const firstKey = "b"

const comment = "--"

// Host is WezTerm.
func Host() setup.Host { return host{} }

type host struct{}

func (host) Name() string  { return "wezterm" }
func (host) Title() string { return "WezTerm" }

func (host) After(e setup.Env) string {
	return "WezTerm reads the file by itself: Ctrl+Shift+" + strings.ToUpper(wanted(e)) + " opens the panel beside the pane it is pressed in, and closes it again."
}

func wanted(e setup.Env) string {
	if e.Key != "" {
		return e.Key
	}
	return firstKey
}

func (host) Parts(e setup.Env) []setup.Part {
	byHand, _ := block(e, "config", false)
	return []setup.Part{{
		Path: path(e), What: "key and pill", ByHand: byHand,
		Add:    func(text []byte) ([]byte, error) { return add(e, text) },
		Remove: remove,
	}}
}

func path(e setup.Env) string {
	if named := e.Getenv("WEZTERM_CONFIG_FILE"); named != "" {
		return named
	}
	inHome := filepath.Join(e.Home, ".wezterm.lua")
	inConfig := filepath.Join(e.ConfigHome(), "wezterm", "wezterm.lua")
	if _, err := os.Lstat(inConfig); err == nil {
		if _, err := os.Lstat(inHome); err != nil {
			return inConfig
		}
	}
	return inHome
}

const (
	fresh    = "local wezterm = require 'wezterm'\nlocal config = wezterm.config_builder()\n\n"
	freshEnd = "\nreturn config\n"
)

// lastReturn is the end of a configuration that keeps its table in a variable. A
// table behind the word itself has no name to add to.
var lastReturn = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^return[ \t]+([A-Za-z_]\w*)[ \t]*;?[ \t]*(--.*)?\r?$`)
})

// otherPill: a person who writes there has the last word, so we leave it.
var otherPill = []byte("set_right_status")

func add(e setup.Env, text []byte) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		lines, err := block(e, "config", true)
		if err != nil {
			return nil, err
		}
		body, err := setup.BlockSet([]byte(fresh), comment, "wezterm", lines)
		return append(body, freshEnd...), err
	}
	without, err := setup.BlockDrop(text, comment)
	if err != nil {
		return nil, err
	}
	if by := taken(without, wanted(e)); by != "" {
		return nil, &setup.TakenError{What: "Ctrl+Shift+" + strings.ToUpper(wanted(e)), By: by, Do: "give another letter with --key"}
	}
	all := lastReturn().FindAllSubmatchIndex(without, -1)
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: it does not end with `return` and the name of a table", setup.ErrCannotParse)
	}
	at := all[len(all)-1]
	if rest := bytes.TrimSpace(without[at[1]:]); len(rest) > 0 && !bytes.HasPrefix(rest, []byte("--")) {
		return nil, fmt.Errorf("%w: something stands behind its last return", setup.ErrCannotParse)
	}
	lines, err := block(e, string(without[at[2]:at[3]]), !bytes.Contains(without, otherPill))
	if err != nil {
		return nil, err
	}
	if len(without) != len(text) { // an older block of ours stays where it is
		return setup.BlockSet(text, comment, "wezterm", lines)
	}
	nl := setup.Newline(text)
	ours, err := setup.BlockSet([]byte(nl), comment, "wezterm", strings.ReplaceAll(lines, "\r", ""))
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{text[:at[0]], bytes.TrimPrefix(ours, []byte(nl)), text[at[0]:]}, nil), nil
}

// remove takes the block out, and a file that is nothing but what we made.
func remove(text []byte) ([]byte, error) {
	out, err := setup.BlockDrop(text, comment)
	if err == nil && string(out) == fresh+freshEnd {
		return nil, nil
	}
	return out, err
}

// taken is the line that binds the key with control and shift, as far as it stands
// on one line, as the documents of WezTerm write it.
func taken(text []byte, key string) string {
	for line := range strings.Lines(string(text)) {
		low := strings.ToLower(strings.Join(strings.Fields(line), ""))
		if i := strings.Index(low, "--"); i >= 0 {
			low = low[:i]
		}
		if !strings.Contains(low, "key='"+key+"'") && !strings.Contains(low, `key="`+key+`"`) {
			continue
		}
		if strings.Contains(low, "ctrl|shift") || strings.Contains(low, "shift|ctrl") {
			return "the line " + strings.TrimSpace(line)
		}
	}
	return ""
}

var keyName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]$`) })

// block are the lines that add to the table of that name.
func block(e setup.Env, table string, pill bool) (string, error) {
	program, err := setup.PlainProgram(setup.Env{Program: strings.ReplaceAll(e.Program, `\`, "/")})
	if err != nil {
		return "", err
	}
	if !keyName().MatchString(wanted(e)) {
		return "", fmt.Errorf("%q is no key that goes with Ctrl+Shift: give one small letter or digit", wanted(e))
	}
	lines := strings.ReplaceAll(keyLines, "KEY", wanted(e))
	if pill {
		lines += pillLines
	}
	lines = "do\n" + lines + "end\n"
	return strings.NewReplacer("PROGRAM", program, "TABLE", table).Replace(lines), nil
}

const keyLines = `  local term = require 'wezterm'
  TABLE.keys = TABLE.keys or {}
  table.insert(TABLE.keys, { key = 'KEY', mods = 'CTRL|SHIFT', action = term.action_callback(function(window, pane)
    for _, other in ipairs(pane:tab():panes()) do
      if (other:get_foreground_process_name() or ''):match 'offstage[^/\\]*$' then
        window:perform_action(term.action.CloseCurrentPane { confirm = false }, other)
        return
      end
    end
    window:perform_action(term.action.SplitPane { direction = 'Right', command = { args = { 'PROGRAM' } } }, pane)
  end) })
`

const pillLines = `  term.on('update-status', function(window)
    local ok, out = term.run_child_process { 'PROGRAM', 'pill', '--format', 'plain' }
    window:set_right_status(ok and out:gsub('%s+$', ' ') or '')
  end)
`
