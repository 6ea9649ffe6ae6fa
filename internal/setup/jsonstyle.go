package setup

import (
	"bytes"
	"encoding/json"
	"strings"
)

// style is how a JSON text is laid out, so that what is added looks like the rest.
type style struct{ unit, nl string }

// styleOf goes by the first line that is set in; two blanks where there is none.
func styleOf(text []byte) style {
	s := style{unit: "  ", nl: Newline(text)}
	for _, line := range bytes.Split(text, []byte("\n"))[:min(200, 1+bytes.Count(text, []byte("\n")))] {
		body := bytes.TrimLeft(line, " \t")
		if n := len(line) - len(body); n > 0 && len(body) > 0 && body[0] == '"' {
			s.unit = string(line[:n])
			break
		}
	}
	return s
}

// render is a value as text, its first line not set in and the others for depth.
func (s style) render(value any, depth int) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(strings.Repeat(s.unit, depth), s.unit)
	if err := e.Encode(value); err != nil {
		return "null" // our own values are plain maps, lists and texts
	}
	return strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "\n", s.nl)
}

// insert makes key the last member of an object whose members are at depth.
func (s style) insert(text []byte, obj node, key string, value any, depth int) []byte {
	name, _ := json.Marshal(key)
	return s.add(text, obj, string(name)+": "+s.render(value, depth), depth)
}

// add makes an element the last of a list whose elements are at depth.
func (s style) add(text []byte, list node, element string, depth int) []byte {
	pad, shut := s.nl+strings.Repeat(s.unit, depth), s.nl+strings.Repeat(s.unit, depth-1)
	n, end := len(list.members), 0
	if n > 0 {
		end = list.members[n-1].value.end
	}
	if len(list.items) > 0 {
		n, end = len(list.items), list.items[len(list.items)-1].end
	}
	switch {
	case n == 0:
		inner := text[list.start+1 : list.end-1]
		if len(bytes.TrimSpace(inner)) == 0 {
			return splice(text, list.start+1, list.end-1, pad+element+shut)
		}
		return splice(text, list.start+1, list.start+1, pad+element) // only comments
	case len(list.commas) == n:
		at := list.commas[n-1] + 1
		return splice(text, at, at, pad+element+",")
	case !bytes.Contains(text[list.start:list.end], []byte("\n")):
		return splice(text, end, end, ", "+element) // on one line, as the list is
	}
	return splice(text, end, end, ","+pad+element)
}
