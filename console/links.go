package console

import (
	"hash/fnv"
	"path"
	"strconv"
	"strings"

	"offstage/task"
)

// Links (OSC 8) that we make of the addresses and the file:line in a row; those
// of a task never come this far. A target says no more than the row: it is made
// of masked text, without user, query and fragment, and of printable ASCII only.

// link is a stretch of a row's text that leads somewhere.
type link struct {
	segment
	target string
	// isFile: a path with a line, which the editor opens.
	isFile bool
	path   string
	line   int64
}

// mostLinks bounds those of one row.
const mostLinks = 50

// linksOf are the links of a row's own text in order, cached in the row.
func (m *Model) linksOf(r *row) []link {
	if r.role != output || r.line.Mark != task.NoMark || r.own == 0 {
		return nil
	}
	if !r.linked {
		r.links, r.linked = m.findLinks(r.text[:r.own]), true
	}
	return r.links
}

func (m *Model) findLinks(text string) (out []link) {
	if strings.Contains(text, "://") {
		for _, at := range address.FindAllStringIndex(text, mostLinks) {
			out = append(out, link{segment: segment{start: at[0], end: at[1]}, target: webTarget(text[at[0]:at[1]])})
		}
	}
	if strings.IndexByte(text, ':') < 0 {
		return out
	}
	for _, at := range fileLine.FindAllStringSubmatchIndex(text, mostLinks) {
		l := link{segment: segment{start: at[0], end: at[1]}, isFile: true, path: text[at[2]:at[3]]}
		if at[0] > 0 && strings.IndexByte("/:@", text[at[0]-1]) >= 0 || overlaps(out, l.segment) {
			continue // a host with a port, the tail of a longer path
		}
		l.line, _ = strconv.ParseInt(text[at[4]:at[5]], 10, 64)
		l.target = m.fileTarget(l.path)
		out = insertLink(out, l)
	}
	return out
}

func overlaps(ls []link, s segment) bool {
	for _, l := range ls {
		if s.start < l.end && l.start < s.end {
			return true
		}
	}
	return false
}

// insertLink keeps the order of the text.
func insertLink(ls []link, l link) []link {
	i := len(ls)
	for i > 0 && ls[i-1].start > l.start {
		i--
	}
	ls = append(ls, link{})
	copy(ls[i+1:], ls[i:])
	ls[i] = l
	return ls
}

// webTarget is the address that a link leads to, "" for none: without its query,
// and not at all where a name or something hidden stands in the rest.
func webTarget(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	_, rest, _ := strings.Cut(s, "://")
	host, _, _ := strings.Cut(rest, "/")
	if host == "" || strings.Contains(host, "@") || strings.Contains(s, "[redacted]") {
		return ""
	}
	return escaped(s, "")
}

// fileTarget is the file: address of a path as seen from the task's folder, ""
// where that is not known.
func (m *Model) fileTarget(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if !strings.HasPrefix(p, "/") {
		if !strings.HasPrefix(m.task.Cwd, "/") {
			return ""
		}
		p = path.Join(m.task.Cwd, p)
	}
	if strings.Contains(p, "[redacted]") {
		return ""
	}
	return "file://" + escaped(path.Clean(p), "?#%")
}

// escaped writes what may not stand in a target as %XX.
func escaped(s, also string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c > ' ' && c < 0x7f && strings.IndexByte(`"<>\^{|}`+"`"+also, c) < 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// open is the sequence that begins a link; its id holds the rows together that
// one link is wrapped over.
func (l *link) open(r *row) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(l.target))
	id := strconv.FormatInt(r.line.Offset, 36) + "." + strconv.Itoa(l.start) + "." + strconv.FormatUint(uint64(h.Sum32()), 36)
	return "\x1b]8;id=" + id + ";" + l.target + "\x1b\\"
}

const closeLink = "\x1b]8;;\x1b\\"

// SetLinks says whether the terminal may be sent links; off at the start.
func (m *Model) SetLinks(on bool) {
	if on != m.links {
		m.links = on
		m.redraw()
	}
}
