package proc

import (
	"path"
	"strings"
	"time"
	"unicode"
)

// monitor finds a task whose output nobody holds: its agent reads the command
// through sockets and writes the file itself.
func (k *picker) monitor() error {
	if k.tg.Wrapped == "" || len(k.tg.Markers) == 0 && k.guard.agent.PID == 0 {
		return nil
	}
	var fits []Proc
	for _, p := range k.t.rows {
		if k.placed(p) && runs(k.t.Args(p.PID), k.tg.Wrapped) && k.marked(p) && !k.hasOwnFile(p) {
			fits = append(fits, p)
		}
	}
	if len(fits) > 1 && !k.tg.Started.IsZero() {
		fits = k.nearest(fits)
	}
	if len(fits) > 1 {
		return ErrAmbiguous
	}
	for _, p := range fits {
		k.seed(p, "runs its command")
	}
	return nil
}

// placed: a child of the agent; where that is gone or unknown, a leader of its
// own session, as agents start their commands.
func (k *picker) placed(p Proc) bool {
	if p.Dead() {
		return false
	}
	if agent := k.guard.agent.PID; agent > 0 {
		return p.PPID == agent
	}
	return p.SID == p.PID && p.SID > 1
}

func (k *picker) marked(p Proc) bool {
	names := make([]string, len(k.tg.Markers))
	for i, m := range k.tg.Markers {
		names[i], _, _ = strings.Cut(m, "=")
	}
	have := k.t.Env(p.PID, names...)
	for i, m := range k.tg.Markers {
		v, ok := have[names[i]]
		if _, want, exact := strings.Cut(m, "="); !ok || exact && v != want {
			return false
		}
	}
	return true
}

// hasOwnFile: its output goes to a file, so it is another task with the same
// command.
func (k *picker) hasOwnFile(p Proc) bool {
	to := k.t.Link(p.PID, 1)
	return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "/dev/")
}

// startSlack is how far a launch record and a process start may lie apart.
const startSlack = 3 * time.Second

func (k *picker) nearest(fits []Proc) []Proc {
	var near []Proc
	for _, p := range fits {
		if at := k.t.StartedAt(p.ID); !at.IsZero() && at.Sub(k.tg.Started).Abs() <= startSlack {
			near = append(near, p)
		}
	}
	return near
}

// cutArgs is from how many characters on a command that was cut at its end
// still counts as the same.
const cutArgs = 16

// runs: one of the arguments is the command, or evaluates it ("… && eval 'CMD'
// < /dev/null && …", Claude Code). Where the arguments were cut (a recording),
// the beginning has to fit.
func runs(args []string, command string) bool {
	command = strings.TrimSpace(command)
	for _, a := range args {
		if strings.TrimSpace(a) == command {
			return true
		}
		word, whole, ok := evaluated(a)
		if !ok {
			continue
		}
		word = strings.TrimSpace(word)
		if word == command || !whole && len(word) >= cutArgs && strings.HasPrefix(command, word) {
			return true
		}
	}
	return false
}

// evaluated is the first word behind " eval " in a wrapper's argument, with its
// quotes read; whole is false when it was cut.
func evaluated(arg string) (word string, whole, ok bool) {
	const mark = "eval "
	for from := 0; ; {
		i := strings.Index(arg[from:], mark)
		if i < 0 {
			return "", false, false
		}
		if i += from; i == 0 || arg[i-1] == ' ' {
			word, whole = shellWord(arg[i+len(mark):])
			return word, whole, true
		}
		from = i + len(mark)
	}
}

// shellWord reads one word of a shell: quotes of both kinds and backslashes,
// nothing expanded. whole is false when a quote is still open at the end.
func shellWord(s string) (word string, whole bool) {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\n' || c == ';'):
			return b.String(), true
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(s) && (quote == 0 || strings.IndexByte("\"\\$`!", s[i+1]) >= 0):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), quote == 0
}

// maxKept is how many characters of a command leave this room. Faces show far
// fewer: who shows it masks it first and cuts it then, or half a secret would be
// left that nobody knows for one (C8).
const maxKept = 4000

// shortCommand names a process as a person would: what a wrapper evaluates, or
// the program's base name and its words.
func shortCommand(p Proc, args []string) string {
	if len(args) == 0 {
		return clean(p.Comm)
	}
	if isShell(p, args) {
		for _, a := range args {
			if word, _, ok := evaluated(a); ok {
				return clean(word)
			}
		}
	}
	program, rest, _ := strings.Cut(args[0], " ")
	words := append([]string{path.Base(program), rest}, args[1:]...)
	return clean(strings.Join(words, " "))
}

// clean is one line without control characters, at most maxKept long. A control
// character leaves no gap: it may stand inside a secret.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	n := 0
	for i := range s {
		if n++; n > maxKept {
			return s[:i] + "…"
		}
	}
	return s
}
