package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one argument as the program would see it. Known is false where an
// expansion decides, and text is then the literal parts only.
type word struct {
	text  string
	known bool
}

func words(list []*syntax.Word) []word {
	out := make([]word, 0, len(list))
	for _, w := range list {
		out = append(out, wordOf(w))
	}
	return out
}

func wordOf(w *syntax.Word) word {
	if w == nil {
		return word{}
	}
	var b strings.Builder
	known := addParts(&b, w.Parts, false)
	return word{b.String(), known}
}

func addParts(b *strings.Builder, parts []syntax.WordPart, quoted bool) bool {
	known := true
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			known = addParts(b, p.Parts, true) && known
		default:
			known = false
		}
	}
	return known
}

// unescape takes backslashes away as a shell does: all of them outside quotes,
// inside double quotes only before the characters that need one.
func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if quoted && !strings.ContainsRune("$`\"\\\n", rune(s[i])) {
			b.WriteByte('\\')
		}
		if s[i] != '\n' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// program is the name of a program without its folder, and without the g that
// GNU tools carry on other systems.
func program(s string) string {
	name := path.Base(s)
	if short, ok := strings.CutPrefix(name, "g"); ok && gnu[short] {
		return short
	}
	return name
}

var gnu = map[string]bool{"tail": true, "sort": true, "tac": true, "wc": true, "sed": true, "awk": true, "grep": true, "shuf": true, "head": true, "cut": true, "tr": true, "uniq": true}

var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true, "ksh": true, "ash": true}

// innerScript is the script that a command hands to a shell: `bash -c '…'`
// anywhere in the words (`timeout 60 docker exec c sh -lc '…'`), `eval '…'`, or
// a here-document that a shell reads.
func innerScript(args []word, s *syntax.Stmt) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	if args[0].text == "eval" {
		var texts []string
		for _, a := range args[1:] {
			if !a.known {
				return "", false
			}
			texts = append(texts, a.text)
		}
		return strings.Join(texts, " "), true
	}
	for i, a := range args {
		if !shells[program(a.text)] {
			continue
		}
		return shellScript(args[i+1:], s)
	}
	return "", false
}

func shellScript(rest []word, s *syntax.Stmt) (string, bool) {
	for i := 0; i < len(rest); i++ {
		opt := rest[i].text
		switch {
		case opt == "-o" || opt == "+o" || opt == "-O":
			i++
		case strings.HasPrefix(opt, "--"):
		case strings.HasPrefix(opt, "-") && strings.Contains(opt, "c"):
			if i+1 < len(rest) && rest[i+1].text != "" {
				return rest[i+1].text, true
			}
			return "", false
		case strings.HasPrefix(opt, "-") && opt != "-":
		default:
			return "", false
		}
	}
	for _, rd := range s.Redirs {
		if (rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc) && rd.Hdoc != nil {
			return wordOf(rd.Hdoc).text, true
		}
	}
	return "", false
}

// wrappers run another program with the same input and output; the value names
// their options that take a word of their own.
var wrappers = map[string]string{
	"command": "", "builtin": "", "exec": "a", "nohup": "", "setsid": "", "time": "of",
	"nice": "n", "ionice": "cnp", "sudo": "ugCDhprTt", "doas": "uC", "env": "uCS",
	"stdbuf": "ioe", "timeout": "ks", "busybox": "", "chronic": "", "unbuffer": "", "caffeinate": "tw",
}

// unwrap takes programs that run other programs off the front of a command:
// `sudo -u x tail -5` is `tail -5`. Assignments of env go too. A stdbuf that
// sets the output free is left in front, so that holds can see it.
func unwrap(args []word) []word {
	for len(args) > 1 {
		name := program(args[0].text)
		takes, ok := wrappers[name]
		if !ok || (name == "stdbuf" && setsOutputFree(args[1:])) {
			return args
		}
		rest := skipOptions(args[1:], takes)
		if name == "timeout" && len(rest) > 0 {
			rest = rest[1:]
		}
		for name == "env" && len(rest) > 0 && strings.Contains(rest[0].text, "=") {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return args
		}
		args = rest
	}
	return args
}

func skipOptions(args []word, takes string) []word {
	for len(args) > 0 {
		t := args[0].text
		if len(t) < 2 || t[0] != '-' {
			return args
		}
		args = args[1:]
		if t == "--" {
			return args
		}
		if len(t) == 2 && strings.Contains(takes, t[1:]) && len(args) > 0 {
			args = args[1:]
		}
	}
	return args
}

func setsOutputFree(args []word) bool {
	for i, a := range args {
		t := a.text
		if strings.HasPrefix(t, "-oL") || strings.HasPrefix(t, "-o0") || strings.HasPrefix(t, "--output=L") || strings.HasPrefix(t, "--output=0") {
			return true
		}
		if t == "-o" && i+1 < len(args) && (args[i+1].text == "L" || args[i+1].text == "0") {
			return true
		}
		if !strings.HasPrefix(t, "-") {
			return false
		}
	}
	return false
}

// silent are commands that print nothing by themselves, so that the next part
// is the first one that could write.
var silent = map[string]bool{
	"cd": true, "pushd": true, "popd": true, "export": true, "set": true, "unset": true, "source": true, ".": true, "shopt": true,
	"true": true, "false": true, ":": true, "test": true, "[": true, "sleep": true, "mkdir": true, "rm": true, "touch": true,
	"cp": true, "mv": true, "ln": true, "chmod": true, "trap": true, "wait": true, "ulimit": true, "alias": true, "exit": true, "local": true, "umask": true, "kill": true,
}
