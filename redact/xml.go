package redact

import "strings"

// inTag says that the name at start stands in a tag, <ns:Password, or is the
// text of one that names what the next one holds, <key>password</key>.
func (x *scan) inTag(start int) bool {
	if !x.mentions(tagSign) {
		return false
	}
	low := max(0, start-40)
	k := strings.LastIndexByte(x.s[low:start], '<')
	if k < 0 {
		return false
	}
	between := x.s[low+k+1 : start]
	return strings.HasSuffix(between, ":") && setW.run(between, 0) == len(between)-1 || between == "key>" || between == "name>"
}

// element hides the text of the XML element whose tag goes on at i.
func (x *scan) element(i int) {
	s := x.s
	named := hasAt(s, i, "</key>") || hasAt(s, i, "</name>")
	for end := min(len(s), i+200); i < end && s[i] != '>'; i++ {
		if !named && (s[i] == '/' || s[i] == '<') {
			return
		}
	}
	if i >= len(s) || s[i] != '>' {
		return
	}
	a := i + 1
	if named && blanks(s, a) < len(s) {
		a = valueTag(s, blanks(s, a))
		if a < 0 {
			return
		}
	}
	if hasAt(s, a, "<![CDATA[") {
		a += len("<![CDATA[")
	}
	if blanks(s, a) >= len(s) {
		x.next.Element = true
		return
	}
	b := a
	for b < len(s) && s[b] != '<' && !hasAt(s, b, "]]>") {
		b++
	}
	if t := s[a:b]; (b < len(s) || x.live) && !isPlaceholder(strings.TrimSpace(t)) && !isReference(t) {
		x.add(a, b)
	}
}

// valueTag gives the place behind the tag at i of an element that holds a value,
// or -1.
func valueTag(s string, i int) int {
	for _, w := range [...]string{"<string>", "<value>", "<Value>"} {
		if hasAt(s, i, w) {
			return i + len(w)
		}
	}
	return -1
}
