package command

import "strings"

// holds says which sink a stage of a pipe is: args[0] is the program, wrappers
// already taken off.
func holds(args []word) Sink {
	if len(args) == 0 {
		return Sink{}
	}
	name, rest := program(args[0].text), args[1:]
	switch name {
	case "tail":
		if tailHolds(rest) {
			return Sink{Name: name}
		}
	case "sort", "tac", "wc", "sponge", "column", "shuf", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "tsort":
		if readsInput(rest, sinkTakes[name]) {
			return Sink{Name: name}
		}
	case "jq":
		if hasFlag(rest, 's', "--slurp") {
			return Sink{Name: "jq -s"}
		}
		if !hasFlag(rest, 0, "--unbuffered") {
			return Sink{Name: name, Soft: true}
		}
	case "grep", "egrep", "fgrep", "zgrep":
		return grepSink(name, rest, hasFlag(rest, 0, "--line-buffered"))
	case "rg":
		return grepSink(name, rest, hasFlag(rest, 0, "--line-buffered"))
	case "sed":
		return soft(name, hasFlag(rest, 'u', "--unbuffered") || hasFlag(rest, 'l', "--line-buffered"))
	case "awk", "gawk", "mawk", "nawk":
		return soft(name, awkFlushes(rest))
	case "cut", "tr", "uniq", "rev", "nl", "fold":
		return soft(name, false)
	}
	return Sink{}
}

func soft(name string, free bool) Sink {
	if free {
		return Sink{}
	}
	return Sink{Name: name, Soft: true}
}

// grepSink: a count is printed at the end, a search in blocks.
func grepSink(name string, rest []word, lineBuffered bool) Sink {
	if hasFlag(rest, 'c', "--count") {
		return Sink{Name: name + " -c"}
	}
	if hasFlag(rest, 'q', "--quiet") {
		return Sink{}
	}
	return soft(name, lineBuffered)
}

func awkFlushes(rest []word) bool {
	for i, a := range rest {
		if strings.Contains(a.text, "fflush") || a.text == "-Winteractive" {
			return true
		}
		if a.text == "-W" && i+1 < len(rest) && rest[i+1].text == "interactive" {
			return true
		}
	}
	return false
}

// sinkTakes are the short options of a sink that take the next word.
var sinkTakes = map[string]string{"sort": "koStT", "column": "sNoc", "shuf": "nior", "wc": "", "tac": "s"}

// readsInput says whether a sink works on its standard input: it names no file,
// or it names "-". A sponge names the file that it writes.
func readsInput(rest []word, takes string) bool {
	operands := 0
	for i := 0; i < len(rest); i++ {
		t := rest[i].text
		switch {
		case t == "-":
			return true
		case strings.HasPrefix(t, "--"):
		case strings.HasPrefix(t, "-"):
			if strings.Contains(takes, t[len(t)-1:]) && len(t) == 2 {
				i++
			}
		default:
			operands++
		}
	}
	return operands == 0
}

// hasFlag looks for a short flag (also inside a group such as -ns) or a long
// one, before "--".
func hasFlag(rest []word, short byte, long string) bool {
	for _, a := range rest {
		switch {
		case a.text == "--":
			return false
		case strings.HasPrefix(a.text, "--"):
			if a.text == long || strings.HasPrefix(a.text, long+"=") {
				return true
			}
		case len(a.text) > 1 && a.text[0] == '-' && short != 0:
			if strings.IndexByte(flagLetters(a.text[1:]), short) >= 0 {
				return true
			}
		}
	}
	return false
}

// flagLetters are the letters of a group of short flags up to the first that is
// none: in -e's/x/c/' only e is a flag.
func flagLetters(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return s[:i]
		}
		if c == 'e' || c == 'f' || c == 'm' || c == 'A' || c == 'B' || c == 'C' {
			return s[:i+1]
		}
	}
	return s
}

// tailHolds says whether a tail waits for the end of its input: not when it
// follows, counts from the start (+N), or reads files instead of its input.
func tailHolds(rest []word) bool {
	files, stdin := 0, false
	for i := 0; i < len(rest); i++ {
		t := rest[i].text
		switch {
		case t == "-":
			stdin = true
		case t == "--":
			files += len(rest) - i - 1
			i = len(rest)
		case t == "--follow" || strings.HasPrefix(t, "--follow="):
			return false
		case strings.HasPrefix(t, "--"):
			key, val, has := strings.Cut(t, "=")
			if takesValue := key == "--lines" || key == "--bytes"; takesValue {
				if !has && i+1 < len(rest) {
					i++
					val = rest[i].text
				}
				if strings.HasPrefix(val, "+") {
					return false
				}
			} else if !has && (key == "--pid" || key == "--sleep-interval" || key == "--max-unchanged-stats") {
				i++
			}
		case strings.HasPrefix(t, "+"):
			return false
		case strings.HasPrefix(t, "-"):
			follows, skip := tailFlags(t[1:], rest[i+1:])
			if follows {
				return false
			}
			i += skip
		case rest[i].known || t != "":
			files++
		}
	}
	return files == 0 || stdin
}

// tailFlags reads a group of short flags: "5f", "fn", "n+3". It says whether
// the lines pass on as they come and how many further words it took.
func tailFlags(group string, rest []word) (passes bool, skip int) {
	for i := 0; i < len(group); i++ {
		switch group[i] {
		case 'f', 'F':
			return true, 0
		case 'n', 'c', 's', 'b':
			val := group[i+1:]
			if val == "" && len(rest) > 0 {
				val, skip = rest[0].text, 1
			}
			return group[i] != 's' && strings.HasPrefix(val, "+"), skip
		}
	}
	return false, 0
}
