package claude

import (
	"strings"

	"offstage/internal/setup"
)

const (
	pillVerb = "pill --format statusline"
	wrapFlag = " --wrap "
	// refresh is in seconds (2.1.97 on): without it an idle client never asks.
	refresh = 2
)

// line is the part of a status line that matters here; what else stands in it
// stays.
type line struct {
	Command string `json:"command"`
	Refresh *int   `json:"refreshInterval"`
}

var (
	linePath    = []string{"statusLine"}
	commandPath = []string{"statusLine", "command"}
	refreshPath = []string{"statusLine", "refreshInterval"}
)

// statusLine wraps the person's own status line, for a client has only one: ours
// runs theirs with the same input and puts the pill behind what it prints (C1).
func statusLine(e setup.Env, path string) setup.Part {
	bare := setup.Quote(e.Program) + " " + pillVerb
	whole := map[string]any{"type": "command", "command": bare, "refreshInterval": refresh}
	return setup.Part{
		Path: path, What: "status line", ByHand: setup.ByHandJSON(linePath, whole),
		Add: func(text []byte) ([]byte, error) {
			if err := setup.CheckJSON(text, setup.Strict); err != nil {
				return nil, err
			}
			var have line
			ok, err := setup.JSONGet(text, linePath, &have)
			if err != nil {
				return nil, err
			}
			if !ok || have.Command == "" {
				return setup.JSONSet(text, linePath, whole)
			}
			old := have.Command
			if inner, ours := unwrap(old); ours {
				old = inner
			}
			command := bare
			if old != "" {
				command += wrapFlag + setup.Quote(old)
			}
			if text, err = setup.JSONSet(text, commandPath, command); err != nil || have.Refresh != nil {
				return text, err
			}
			return setup.JSONSet(text, refreshPath, refresh)
		},
		Remove: dropLine,
	}
}

// unwrap is the person's command inside of ours, "" where there was none.
func unwrap(command string) (inner string, ours bool) {
	if !setup.IsOurs(command, pillVerb) {
		return "", false
	}
	_, rest := setup.FirstWord(command)
	_, quoted, wrapped := strings.Cut(rest, wrapFlag)
	if !wrapped {
		return "", true
	}
	inner, _ = setup.Unquote(strings.TrimSpace(quoted))
	return inner, true
}

// dropLine puts the old command back where the file was changed since the setup.
func dropLine(text []byte) ([]byte, error) {
	var have line
	if ok, err := setup.JSONGet(text, linePath, &have); err != nil || !ok {
		return text, err
	}
	inner, ours := unwrap(have.Command)
	switch {
	case !ours:
		return text, nil
	case inner == "":
		return setup.JSONDrop(text, linePath)
	}
	text, err := setup.JSONSet(text, commandPath, inner)
	if err != nil || have.Refresh == nil || *have.Refresh != refresh {
		return text, err
	}
	return setup.JSONDrop(text, refreshPath)
}
