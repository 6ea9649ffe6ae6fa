package testparse

import (
	"strings"
	"unicode/utf8"
)

// known finds the stream whose prefix a row carries, nil for none, and takes the
// prefix off.
func (s *Scanner) known(text string) (*stream, string) {
	if len(s.streams) == 0 {
		return nil, text
	}
	if n := len(s.lastPrefix); n > 0 && len(text) > n+1 && text[:n] == s.lastPrefix && text[n] == ':' && text[n+1] == ' ' {
		return s.last, text[n+2:]
	}
	i := strings.Index(text, ": ")
	if i <= 0 {
		return nil, text
	}
	st := s.streams[text[:i]]
	if st == nil {
		return nil, text
	}
	s.last, s.lastPrefix = st, st.prefix
	return st, text[i+2:]
}

// announced sees the rows that announce a prefix, which counts from then on:
// turbo by its word on the cache ("web:test: cache miss, executing …"), pnpm by
// the command it starts ("packages/api test$ jest"). Other rows stay with st.
func (s *Scanner) announced(st *stream, text string) (*stream, string) {
	if i := strings.Index(text, ": "); i > 0 && isCacheWord(text[i+2:]) && isTurboPrefix(text[:i]) {
		return s.addStream(text[:i], text[:strings.LastIndexByte(text[:i], ':')]), ""
	}
	if prefix, ok := pnpmStart(text); ok {
		pkg, _, _ := strings.Cut(prefix, " ")
		return s.addStream(prefix, pkg), ""
	}
	s.mono = s.mono || isMono(text)
	return st, text
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

// addStream makes the stream of a prefix; beyond the bound all share the main one.
func (s *Scanner) addStream(prefix, pkg string) *stream {
	s.mono = true
	if st := s.streams[prefix]; st != nil {
		return st
	}
	if len(s.streams) >= maxStreams || !utf8.ValidString(prefix) {
		return s.main
	}
	st := newStream(s, clip(pkg))
	st.prefix = strings.Clone(prefix)
	s.streams[st.prefix] = st
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
	if len(s) < 10 || s[0] != 'S' && s[0] != 0xe2 && s[3] != 0xe2 {
		return false
	}
	return strings.HasPrefix(s, "Scope: ") && strings.HasSuffix(s, " workspace projects") ||
		strings.HasPrefix(s, "   • Packages in scope: ") || strings.HasPrefix(s, "• Packages in scope: ")
}
