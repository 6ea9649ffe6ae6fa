package task

import (
	"strconv"
	"strings"
)

// Preview is a local address that a task printed and that really listened (A8).
type Preview struct {
	// Task is the id of its owner, Owner its title.
	Task, Owner string
	Session     string
	// Label is the folder that the task runs in, "" where it is not known.
	Label string
	// URL is masked; the registry knows the whole of it.
	URL   string
	Port  int
	State PreviewState
}

// PreviewState is who listens at an address now.
type PreviewState string

// The three states of A8.
const (
	// PreviewUp: a process of the task listens there.
	PreviewUp PreviewState = "up"
	// PreviewTaken: somebody else does.
	PreviewTaken PreviewState = "taken"
	// PreviewDown: nobody does.
	PreviewDown PreviewState = "down"
)

// Words is the state as a card says it.
func (s PreviewState) Words() string {
	if s == PreviewTaken {
		return "taken by another process"
	}
	return string(s)
}

// Tone is the meaning of a state.
func (s PreviewState) Tone() Tone {
	switch s {
	case PreviewUp:
		return Good
	case PreviewTaken:
		return Amber
	}
	return Quiet
}

// LinkTarget is what a link to a masked address leads to: printable ASCII without
// user, query and fragment. "" where what is left is not an address of the web or
// lacks a part that was hidden.
func LinkTarget(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	scheme, rest, ok := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	if !ok || scheme != "http" && scheme != "https" || host == "" || strings.Contains(host, "@") || strings.Contains(url, "[redacted]") {
		return ""
	}
	var b strings.Builder
	for i := range len(url) {
		if c := url[i]; c <= ' ' || c > '~' || c == ';' {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// URLPort is the TCP port of a web address, 0 where it has none that can be read.
func URLPort(url string) int {
	scheme, rest, ok := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	i := strings.LastIndexByte(rest, ':')
	switch {
	case !ok:
		return 0
	case i >= 0 && !strings.HasSuffix(rest, "]"):
		n, err := strconv.Atoi(rest[i+1:])
		if err != nil || n < 1 || n > 65535 {
			return 0
		}
		return n
	case scheme == "https":
		return 443
	}
	return 80
}
