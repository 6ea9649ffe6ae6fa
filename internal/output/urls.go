package output

import (
	"bytes"
	"strings"

	"offstage/testparse"
)

// maxURLs is how many local addresses of one output are kept.
const maxURLs = 20

// addresses are the local URLs that an output printed (A8), first seen first.
type addresses struct {
	shown []string // masked
	at    []int64  // offset of the line that first had it
	full  []string // "" where it came from a checkpoint: read again when asked for
	news  bool
}

func (a *addresses) takeNews() bool {
	news := a.news
	a.news = false
	return news
}

// find looks for addresses in whole lines at off.
func (a *addresses) find(s source, b []byte, off int64) {
	if s.enc != utf8Text {
		a.line(s.enc.utf8(nil, b), off)
		return
	}
	for from := 0; len(a.shown) < maxURLs; {
		i := bytes.Index(b[from:], []byte("://"))
		if i < 0 {
			return
		}
		i += from
		start := bytes.LastIndexByte(b[:i], '\n') + 1
		end := len(b)
		if j := bytes.IndexByte(b[i:], '\n'); j >= 0 {
			end = i + j
		}
		if end-start <= laneLine && mayBeLocal(b[i+3:end]) {
			a.line(b[start:end], off+int64(start))
		}
		from = i + 3
		if end-i > 4096 { // a long line of data: each address in it is looked at, the line once
			continue
		}
		from = end
	}
}

// mayBeLocal is a cheap look at what follows "://"; escape codes may be in it.
func mayBeLocal(b []byte) bool {
	return bytes.Contains(b, []byte("localhost")) || bytes.Contains(b, []byte("127.0.0.1")) ||
		bytes.Contains(b, []byte("0.0.0.0")) || bytes.Contains(b, []byte("[::1]"))
}

// line takes the addresses of one raw line.
func (a *addresses) line(raw []byte, off int64) {
	for _, u := range localURLs(string(testparse.Strip(nil, raw))) {
		shown := Mask(u)
		dup := len(a.shown) >= maxURLs
		for _, s := range a.shown {
			dup = dup || s == shown
		}
		if !dup {
			a.shown, a.at, a.full = append(a.shown, shown), append(a.at, off), append(a.full, u)
			a.news = true
		}
	}
}

// localURLs finds the http and https addresses of this machine in plain text.
func localURLs(text string) []string {
	var out []string
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return out
		}
		scheme := ""
		for _, s := range []string{"https", "http"} {
			if strings.HasSuffix(text[:i], s) {
				scheme = s
				break
			}
		}
		rest := text[i+3:]
		end := strings.IndexFunc(rest, func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`<>|\\^{}", r) || r == 0xfffd })
		if end < 0 {
			end = len(rest)
		}
		url := strings.TrimRight(rest[:end], ".,;:!?)]*_")
		if strings.HasSuffix(rest[:end], "[::1]") {
			url = rest[:end]
		}
		if scheme != "" && localHost(url) {
			out = append(out, scheme+"://"+url)
		}
		text = rest
	}
}

// localHost says whether the authority of what follows "://" is this machine.
func localHost(url string) bool {
	auth := url
	if i := strings.IndexAny(auth, "/?#"); i >= 0 {
		auth = auth[:i]
	}
	if i := strings.LastIndexByte(auth, '@'); i >= 0 {
		auth = auth[i+1:]
	}
	host, port := auth, ""
	if i := strings.LastIndexByte(auth, ':'); i >= 0 && !strings.HasSuffix(auth, "]") {
		host, port = auth[:i], auth[i+1:]
	}
	for _, c := range port {
		if c < '0' || c > '9' {
			return false
		}
	}
	if len(port) > 5 || port == "" && host != auth {
		return false
	}
	switch host = strings.ToLower(host); host {
	case "localhost", "127.0.0.1", "[::1]", "0.0.0.0":
		return true
	}
	return strings.HasSuffix(host, ".localhost")
}

// FullURL gives the whole of an address in Facts.URLs, for opening it: there it
// is masked (A8). After a restart it is read again from the line that had it.
func (l *Log) FullURL(shown string) (string, bool) {
	l.news.mu.Lock()
	c := l.state.lane
	l.news.mu.Unlock()
	if c == nil {
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.urls.shown {
		if s != shown && l.secrets.Recall(s) != shown {
			continue
		}
		if c.urls.full[i] == "" {
			c.urls.full[i] = c.urls.again(c.src, i)
		}
		return c.urls.full[i], c.urls.full[i] != ""
	}
	return "", false
}

// again reads an address from its line.
func (a *addresses) again(s source, i int) string {
	buf := make([]byte, laneLine)
	n, err := s.read(buf, a.at[i])
	if err != nil || s.fresh() != nil {
		return ""
	}
	line := buf[:n]
	if j := s.enc.next(line); j >= 0 {
		line = line[:j]
	}
	for _, u := range localURLs(string(testparse.Strip(nil, s.enc.utf8(nil, line)))) {
		if Mask(u) == a.shown[i] {
			return u
		}
	}
	return ""
}
