package redact

import "strings"

// Passwords that a command reads from its standard input.

// fromStdin: echo X | docker login --password-stdin, chpasswd, <<< X, << EOF.
func (x *scan) fromStdin(start, end int) {
	s := x.s
	low := max(0, start-200)
	if pipe := strings.LastIndexByte(s[low:start], '|'); pipe >= 0 && low+pipe >= x.piped {
		x.echoed(low+pipe, foldAt(s, start, "chpasswd"))
	}
	k := -1
	if x.mentions(hereSign) {
		k = strings.Index(s[end:min(len(s), end+200)], "<<")
	}
	if k >= 0 {
		k += end
	}
	switch {
	case k < 0:
	case hasAt(s, k, "<<<"):
		a := blanks(s, k+3)
		if a < len(s) {
			x.hideWord(a)
		}
	default:
		a := blanks(s, k+2)
		for a < len(s) && (s[a] == '-' || s[a] == '\\') {
			a++
		}
		a, b := wordAt(s, a)
		if b > a && b-a <= 64 {
			x.next.Here = s[a:b]
		}
	}
}

// echoed hides what echo or printf writes into the pipe at pipe.
func (x *scan) echoed(pipe int, pair bool) {
	s := x.s
	lead := s[max(0, x.piped, pipe-maxRef):pipe]
	x.piped = pipe
	at, format := strings.LastIndex(lead, "echo "), false
	if p := strings.LastIndex(lead, "printf "); p > at {
		at, format = p+2, true
	}
	if at < 0 {
		return
	}
	i := pipe - len(lead) + at + len("echo ")
	for i < pipe {
		a, b, ok := nextWord(s, i)
		if !ok || a >= pipe {
			return
		}
		i = b
		w := s[a:b]
		if w[0] == '-' && len(w) <= 3 {
			continue
		}
		if format && strings.IndexByte(w, '%') >= 0 {
			format = false
			continue
		}
		x.hideSpan(a, b, pair)
	}
}
