// Package prompt says whether a line of output is a question that waits for a
// person (spec 1 D4, spec 2 S2). It looks at one line of plain text, knows
// nothing of files or processes, and is asked only of a task that stopped
// growing: it never decides that a task waits, only that it may.
package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the longest line that can be a question; prompts are short.
const maxLine = 400

// Question says whether line reads like a prompt. open tells that the file does
// not end in a newline behind it, as most prompts leave it; without that only
// forms that no log line has are taken.
func Question(line string, open bool) bool {
	s := strings.TrimRightFunc(line, unicode.IsSpace)
	if s == "" || len(s) > maxLine || isRecord(s) {
		return false
	}
	indented := s[0] == ' ' || s[0] == '\t'
	s = strings.TrimSpace(s)
	asks := stripMarker(s)
	low := strings.ToLower(asks)
	switch {
	case pressKey(low):
		return true
	case choice(low):
		return true
	case secret(low):
		return !indented && (open || asks[0] != low[0])
	case asksPerson(low):
		return true
	case wantsValue(low):
		return open || strings.Contains(low, "(") || strings.HasPrefix(low, "enter ")
	}
	return open && strings.HasPrefix(s, "? ") && menu(low)
}

// isRecord: a log record, a comment, a quotation, a list item, a test name: it
// talks about a question instead of asking one.
func isRecord(s string) bool {
	t := strings.TrimSpace(s)
	if t == "" {
		return true
	}
	for _, p := range []string{"#", "//", "/*", "* ", "- ", "> ", "|", "✓", "✔", "✗", "✘", "×", "√", "{", "<", "`", "\"", "'", "at ", "+ ", "$ ", "diff ", "@@"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	low := strings.ToLower(t)
	for _, p := range []string{"error", "warn", "info", "debug", "trace", "fatal", "notice", "hint:", "note:", "tip:", "fail", "pass ", "todo", "expected", "received", "usage:", "example", "did you mean"} {
		if strings.HasPrefix(low, p) || strings.HasPrefix(low, "["+p) || strings.HasPrefix(low, "("+p) {
			return true
		}
	}
	return startsWithTime(t)
}

// startsWithTime: "2026-11-30 …", "12:00:01 …", "[12:00:01] …".
func startsWithTime(t string) bool {
	t = strings.TrimLeft(t, "[(")
	digits, seps := 0, 0
	for _, r := range t {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == ':' || r == '-' || r == '/' || r == '.':
			seps++
		default:
			return digits >= 4 && seps >= 2
		}
	}
	return false
}

// stripMarker takes the mark off that question libraries put in front.
func stripMarker(s string) string {
	for _, p := range []string{"? ", "[?] ", "❯ ", "◆ ", "◇ ", "│ ", "└ ", "!! ", "! ", "*** ", ">> ", "==> ", ":: ", "npm "} {
		if rest, ok := strings.CutPrefix(s, p); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest)
		}
	}
	return s
}

// pressKey: the line asks for a key, at its start or after a sentence's end, and
// says nothing after its "to …".
func pressKey(low string) bool {
	for _, key := range []string{"press any key", "press enter", "press return", "press <enter>", "press [enter]", "press the enter key", "hit enter", "hit return", "hit any key", "press ctrl+d to", "strike any key"} {
		i := strings.Index(low, key)
		if i < 0 || !startsSentence(low[:i]) {
			continue
		}
		rest := strings.Trim(low[i+len(key):], " .…:;!\t)]")
		if rest == "" || strings.HasPrefix(rest, "to ") || strings.HasPrefix(rest, "key") || strings.HasPrefix(rest, "when ") || strings.HasPrefix(rest, "for ") || strings.HasPrefix(rest, "after ") || strings.HasPrefix(rest, "or ") {
			return true
		}
	}
	return false
}

func startsSentence(before string) bool {
	b := strings.TrimRight(before, " ")
	if b == "" || b == "please" || strings.HasSuffix(b, " please") {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(b)
	return strings.ContainsRune(".!?:;)]—-,(", r)
}

// choice: the line ends in a bracket of answers: (y/n), [Y/n], (yes/no),
// (yes/no/[fingerprint])?, (Y/I/N/O/D/Z) [default=N] ?
func choice(low string) bool {
	if strings.Contains(low, "[y]es") && strings.Contains(low, "[n]o") && strings.HasSuffix(strings.TrimSpace(low), ":") {
		return true
	}
	t := strings.TrimRight(low, " :?>›»")
	for range 2 {
		if len(t) == 0 || (t[len(t)-1] != ')' && t[len(t)-1] != ']') {
			return false
		}
		at, body := lastBracket(t)
		if at < 0 {
			return false
		}
		if isChoice(body) {
			return strings.Count(low[:at], "'")%2 == 0 && strings.Count(low[:at], "\"")%2 == 0 && !strings.HasSuffix(low, "'") && at > 0
		}
		if !strings.HasPrefix(body, "default") && body != "y" && body != "n" && body != "yes" && body != "no" {
			return false
		}
		if strings.HasSuffix(strings.TrimRight(t[:at], " "), "?") {
			return true
		}
		t = strings.TrimRight(t[:at], " :?")
	}
	return false
}

// lastBracket finds the bracket that closes t, nested ones inside it.
func lastBracket(t string) (int, string) {
	depth := 0
	for i := len(t) - 1; i >= 0; i-- {
		switch t[i] {
		case ')', ']':
			depth++
		case '(', '[':
			depth--
			if depth == 0 {
				return i, t[i+1 : len(t)-1]
			}
		}
	}
	return -1, ""
}

func isChoice(body string) bool {
	body = strings.NewReplacer("[", "", "]", "", "(", "", ")", "", " ", "", "|", "/", ",", "/").Replace(body)
	parts := strings.Split(body, "/")
	if len(parts) < 2 {
		return false
	}
	yes, no := false, false
	for _, p := range parts {
		if utf8.RuneCountInString(p) > 12 || p == "" {
			return false
		}
		yes = yes || p == "y" || p == "yes" || p == "ok" || p == "j"
		no = no || p == "n" || p == "no" || p == "abort" || p == "q"
	}
	return yes && no
}

// secret: a line that ends in a colon and asks for a password or a code.
func secret(low string) bool {
	if !strings.HasSuffix(low, ":") || strings.Count(low, ":") > 3 {
		return false
	}
	for _, w := range []string{"password", "passphrase", "pass phrase", "passcode", "verification code", "one-time code", "otp code", "pin code", "authentication code", "2fa code", "security code"} {
		i := strings.Index(low, w)
		if i < 0 {
			continue
		}
		rest := strings.TrimSuffix(low[i+len(w):], ":")
		before := strings.TrimSpace(low[:i])
		return secretRest(strings.TrimSpace(rest)) && !claims(before)
	}
	return false
}

// secretRest: what may stand between the word and the colon.
func secretRest(rest string) bool {
	if rest == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") {
		return true
	}
	for _, p := range []string{"for ", "of ", "again", "to ", "from ", "or "} {
		if strings.HasPrefix(rest+" ", p) {
			return true
		}
	}
	return false
}

// claims: words that tell of a password instead of asking for it.
func claims(before string) bool {
	for _, w := range []string{"wrong", "invalid", "incorrect", "bad", "failed", "missing", "reset", "generated", "changed", "no", "expired", "weak", "export", "default", "hashed", "your generated"} {
		if before == w || strings.HasSuffix(before, " "+w) || strings.HasPrefix(before, w+" ") {
			return true
		}
	}
	return false
}

// asksPerson: one sentence that starts by asking and ends in a question mark.
func asksPerson(low string) bool {
	q := strings.TrimRight(low, " ›>»")
	if i := strings.LastIndexByte(q, '?'); i >= 0 && i < len(q)-1 {
		if rest := strings.TrimSpace(q[i+1:]); strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") && len(rest) < 40 {
			q = q[:i+1]
		}
	}
	if !strings.HasSuffix(q, "?") {
		return false
	}
	body := strings.TrimSuffix(q, "?")
	switch body {
	case "continue", "overwrite", "proceed", "replace", "retry", "try again", "ok to proceed", "is this ok", "is this correct", "is this okay", "apply changes", "apply these changes", "delete", "confirm", "install", "continue anyway", "proceed anyway", "abort", "save changes", "remove", "quit":
		return true
	}
	start := body
	if i := strings.LastIndexAny(body, ".!:"); i >= 0 && i+2 < len(body) && body[i+1] == ' ' && i < len(body)-8 {
		start = strings.TrimSpace(body[i+1:])
		if strings.ContainsAny(body[:i], "\"'`") {
			return false
		}
	}
	for _, p := range []string{"do you ", "would you ", "shall i ", "shall we ", "should i ", "should we ", "are you sure", "do we ", "may i ", "can i ", "ok to ", "is it ok ", "overwrite ", "replace ", "remove ", "delete ", "really ", "what would you ", "which would you ", "where would you ", "how would you ", "what is your ", "what should we ", "what do you want", "which one do you"} {
		if strings.HasPrefix(start, p) {
			return !rhetorical(start)
		}
	}
	if tool, rest, ok := strings.Cut(start, ": "); ok && (tool == "rm" || tool == "cp" || tool == "mv" || tool == "ln" || tool == "unzip") {
		return strings.HasPrefix(rest, "remove ") || strings.HasPrefix(rest, "overwrite ") || strings.HasPrefix(rest, "replace ") || strings.HasPrefix(rest, "descend ")
	}
	return false
}

// rhetorical: questions that documents and messages ask without waiting.
func rhetorical(start string) bool {
	for _, p := range []string{"do you need help", "do you have questions", "do you have any questions", "do you like ", "would you believe", "do you know", "do we need", "do we have", "can i use"} {
		if strings.HasPrefix(start, p) {
			return true
		}
	}
	return false
}

// wantsValue: a prompt for a value: "Enter a value:", "Username for 'https://…':",
// "package name: (app)".
func wantsValue(low string) bool {
	q := strings.TrimRight(low, " ")
	if i := strings.LastIndex(q, ": ("); i > 0 && strings.HasSuffix(q, ")") {
		switch q[:i] {
		case "package name", "version", "author", "license", "entry point", "description", "test command", "git repository", "keywords", "question name", "question version", "question license (mit)":
			return true
		}
	}
	if i := strings.LastIndexByte(q, '['); i > 0 && strings.HasSuffix(q, "]:") {
		q = strings.TrimSpace(q[:i]) + ":"
	}
	if !strings.HasSuffix(q, ":") && !strings.HasSuffix(q, ": >") {
		return false
	}
	q = strings.TrimRight(q, ":> ")
	switch q {
	case "username", "user name", "login", "email", "email address", "e-mail", "your name", "user", "host", "real name", "name (your full name)", "your selection", "your choice", "choice", "selection", "answer", "new name", "project name":
		return true
	}
	for _, p := range []string{"enter ", "please enter ", "please select ", "please choose ", "please type ", "select a ", "select an ", "choose a ", "choose an ", "pick a ", "username for ", "type the ", "type your ", "type 'yes' ", "paste ", "input your ", "which "} {
		if strings.HasPrefix(q, p) {
			return !strings.Contains(q, " should ") && !strings.Contains(q, "error")
		}
	}
	return strings.HasSuffix(q, " login") && !strings.Contains(q, ".") && strings.Count(q, " ") == 1
}

// menu: a selection of a question library, drawn after its "? ".
func menu(low string) bool {
	return strings.HasSuffix(low, "›") || strings.HasSuffix(low, ":") || strings.HasSuffix(low, "?") || strings.Contains(low, "use arrow") || strings.Contains(low, "› ") || strings.Contains(low, "(use ")
}
