package testparse

import "strings"

// evidence is what a command line says of its output.
type evidence struct {
	quotes bool   // it shows text that is not its own: cat, git log, grep
	cuts   bool   // it shows a part of a program's output: `| tail -20`
	text   string // the command, for names
}

// shows are commands that print texts which others wrote; neutral ones print
// nothing that matters; filters let a part of their input through.
var (
	shows = words("cat bat batcat less more most sed awk gawk head tail grep egrep fgrep rg ag ack git gh diff colordiff " +
		"curl wget jq yq echo printf man tldr glow strings hexdump xxd od")
	neutral = words("cd ls wc true false sleep pwd export set source . test [ mkdir rm cp mv touch sort uniq tee date clear")
	filters = words("tail head grep egrep fgrep rg sed awk")
)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// judge reads a command line roughly: when every part of it only shows texts, so
// does the whole. A log that is followed (tail -f) counts as what it holds.
func judge(command string) evidence {
	e := evidence{text: command}
	shown, ran := false, false
	for part := range strings.FieldsFuncSeq(command, isCommandEnd) {
		name := commandWord(part)
		switch {
		case name == "":
		case ran && filters[name]:
			e.cuts = true
		case name == "tail" && follows(part):
			ran = true
		case shows[name]:
			shown = true
		case !neutral[name]:
			ran = true
		}
	}
	e.quotes = shown && !ran
	return e
}

func isCommandEnd(r rune) bool {
	return r == ';' || r == '&' || r == '\n' || r == '|' || r == '(' || r == ')'
}

func follows(part string) bool {
	for w := range strings.FieldsSeq(part) {
		if w == "--follow" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "fF") {
			return true
		}
	}
	return false
}

// commandWord gives the program of a simple command: without assignments,
// redirections, wrappers and its folder.
func commandWord(part string) string {
	for w := range strings.FieldsSeq(part) {
		if eq := strings.IndexByte(w, '='); eq > 0 && !strings.ContainsAny(w[:eq], "/-'\"") {
			continue
		}
		if w[0] == '>' || w[0] == '<' || w == "1" || w == "2" || strings.HasPrefix(w, "2>") || strings.HasPrefix(w, "1>") {
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
