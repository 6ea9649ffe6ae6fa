package testparse

import "strings"

// evidence is what a command line says of its output.
type evidence struct {
	quotes bool   // it shows text that is not its own: cat, git log, grep
	text   string // the command, for names
}

// shows are commands that print other programs' texts; neutral ones print
// nothing that matters.
var shows = words("cat bat batcat less more most sed awk gawk head tail grep egrep fgrep rg ag ack git gh diff colordiff curl wget jq yq echo printf man tldr glow strings hexdump xxd od")
var neutral = words("cd ls wc true false sleep pwd export set source . test [ mkdir rm cp mv touch sort uniq tee date clear")

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// judge reads a command line: when every part of it only shows texts, so does
// the whole.
func judge(command string) evidence {
	e := evidence{text: command}
	shown := false
	first := true
	for part := range strings.FieldsFuncSeq(command, func(r rune) bool { return r == ';' || r == '&' || r == '\n' || r == '|' || r == '(' || r == ')' }) {
		name := commandWord(part)
		switch {
		case name == "":
			continue
		case shows[name]:
			shown = shown || first || true
		case neutral[name]:
		default:
			return e
		}
		first = false
	}
	e.quotes = shown
	return e
}

// commandWord gives the program of a simple command: without assignments,
// redirections, wrappers and its folder.
func commandWord(part string) string {
	for w := range strings.FieldsSeq(part) {
		if eq := strings.IndexByte(w, '='); eq > 0 && !strings.ContainsAny(w[:eq], "/-'\"") {
			continue
		}
		if w[0] == '>' || w[0] == '<' || strings.HasPrefix(w, "2>") || w == "1" || w == "2" {
			continue
		}
		switch w {
		case "sudo", "command", "exec", "time", "nice", "nohup", "stdbuf", "env", "then", "do", "done", "fi", "{", "}", "!":
			continue
		}
		return w[strings.LastIndexByte(w, '/')+1:]
	}
	return ""
}

// names says that the command line names a runner.
func (e evidence) names(runner string) bool { return strings.Contains(e.text, runner) }
