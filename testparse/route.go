package testparse

import "strings"

// route finds the stream that a row belongs to and takes the row's prefix off.
// A prefix counts only once its tool has announced it: turbo by its word on the
// cache ("web:test: cache miss, executing …"), pnpm by the command it starts
// ("packages/api test$ jest").
func (s *Scanner) route(text string) (*stream, string) {
	if i := strings.Index(text, ": "); i > 0 {
		if st := s.streams[text[:i]]; st != nil {
			return st, text[i+2:]
		}
		if isCacheWord(text[i+2:]) && isTurboPrefix(text[:i]) {
			pkg := text[:strings.LastIndexByte(text[:i], ':')]
			return s.addStream(text[:i], pkg), ""
		}
	}
	if prefix, ok := pnpmStart(text); ok {
		pkg, _, _ := strings.Cut(prefix, " ")
		return s.addStream(prefix, pkg), ""
	}
	if isMono(text) {
		s.mono = true
	}
	return s.main, text
}

// prefixed gives the stream whose prefix a line of several rows begins with, nil
// for none.
func (s *Scanner) prefixed(text string) *stream {
	head, _, _ := strings.Cut(text, "\n")
	prefix, _, ok := strings.Cut(trimRight(undate(head))+" ", ": ")
	if !ok {
		return nil
	}
	return s.streams[prefix]
}

// addStream begins a package's stream anew.
func (s *Scanner) addStream(prefix, pkg string) *stream {
	s.mono = true
	if st := s.streams[prefix]; st != nil || len(s.streams) >= maxStreams {
		return s.main
	}
	st := newStream(s, pkg)
	s.streams[strings.Clone(prefix)] = st
	return st
}

// isTurboPrefix reads "web:test" and "@acme/api:test:unit".
func isTurboPrefix(s string) bool {
	i := strings.IndexByte(s, ':')
	return i > 0 && i < len(s)-1 && len(s) < 200 && strings.IndexByte(s, ' ') < 0
}

func isCacheWord(s string) bool {
	return strings.HasPrefix(s, "cache ") && (strings.HasPrefix(s, "cache miss") || strings.HasPrefix(s, "cache hit") || strings.HasPrefix(s, "cache bypass"))
}

// pnpmStart reads "packages/api test$ jest".
func pnpmStart(s string) (prefix string, ok bool) {
	i := strings.Index(s, "$ ")
	if i < 3 || i > 200 || i+2 >= len(s) {
		return "", false
	}
	prefix = s[:i]
	folder, script, ok := strings.Cut(prefix, " ")
	if !ok || script == "" || folder == "" || strings.ContainsAny(script, " :$@") || strings.ContainsAny(folder, ":$@~[(") {
		return "", false
	}
	return prefix, true
}

// isMono knows the words with which turbo and pnpm -r begin.
func isMono(s string) bool {
	return strings.HasPrefix(s, "Scope: ") && strings.HasSuffix(s, " workspace projects") ||
		strings.HasPrefix(strings.TrimLeft(s, " "), "• Packages in scope: ")
}
