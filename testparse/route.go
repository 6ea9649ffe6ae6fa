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
		if isTurboPrefix(text[:i]) && isCacheWord(text[i+2:]) {
			pkg := text[:strings.LastIndexByte(text[:i], ':')]
			return s.addStream(text[:i], pkg), ""
		}
	} else if strings.HasSuffix(text, ":") {
		if st := s.streams[text[:len(text)-1]]; st != nil {
			return st, ""
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
		strings.Contains(s, "• Packages in scope: ")
}
