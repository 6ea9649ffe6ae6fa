package taskdir

import "strings"

// CommandLine is what runs, as a shell would be given it. It is raw and may hold
// secrets.
func (r Record) CommandLine() string {
	if r.Shell != "" {
		return r.Shell
	}
	words := make([]string, len(r.Argv))
	for i, w := range r.Argv {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// plain are characters that need no quotes in a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"

func quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
