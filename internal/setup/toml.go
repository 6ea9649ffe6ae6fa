package setup

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// TOMLSet makes the table of a header ("mcp_servers.offstage") hold the lines of
// body and nothing else. A table of that name is replaced where it stands, a new
// one stands at the end. It refuses where the result would not parse, or would
// mean something else than before but for that table.
func TOMLSet(text []byte, header, body string) ([]byte, error) {
	before, err := tomlOf(text)
	if err != nil {
		return nil, err
	}
	nl := Newline(text)
	table := "[" + header + "]" + nl + strings.ReplaceAll(strings.TrimRight(body, "\n"), "\n", nl) + nl
	from, to, found := tomlTable(text, header)
	if found {
		if bytes.HasPrefix(text[from:to], []byte(table)) && len(bytes.TrimSpace(text[from+len(table):to])) == 0 {
			return text, nil
		}
		return checkTOML(before, splice(text, from, to, table+string(trailing(text[from:to]))), header)
	}
	gap := ""
	switch {
	case len(bytes.TrimSpace(text)) == 0:
	case !bytes.HasSuffix(text, []byte("\n")):
		gap = nl + nl
	case !bytes.HasSuffix(text, []byte(nl+nl)):
		gap = nl
	}
	return checkTOML(before, append(bytes.Clone(text), gap+table...), header)
}

// TOMLDrop takes the table of a header out, with the blank line before it where
// it stood at the end.
func TOMLDrop(text []byte, header string) ([]byte, error) {
	before, err := tomlOf(text)
	if err != nil {
		return nil, err
	}
	from, to, found := tomlTable(text, header)
	if !found {
		if tomlHas(before, header) {
			return nil, fmt.Errorf("%w: %s stands in it in another form", ErrCannotParse, header)
		}
		return text, nil
	}
	out := splice(text, from, to, string(trailing(text[from:to])))
	if to == len(text) {
		nl := Newline(text)
		out = bytes.TrimSuffix(out, []byte(nl))
	}
	return checkTOML(before, out, header)
}

func tomlOf(text []byte) (map[string]any, error) {
	var m map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &m); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCannotParse, err)
	}
	return m, nil
}

// tomlTable is the stretch of a table: from its header line to the next header or
// the end.
func tomlTable(text []byte, header string) (from, to int, found bool) {
	at := 0
	for line := range bytes.Lines(text) {
		name, is := tomlHeader(line)
		switch {
		case found && is:
			return from, at, true
		case is && name == header:
			from, found = at, true
		}
		at += len(line)
	}
	return from, len(text), found
}

// tomlHeader is the name in a line like "[a.b] # c"; a line inside a text of
// several lines may look like one, which checkTOML finds.
func tomlHeader(line []byte) (name string, ok bool) {
	s := strings.TrimSpace(string(line))
	if !strings.HasPrefix(s, "[") {
		return "", false
	}
	s = strings.TrimLeft(s, "[")
	name, _, ok = strings.Cut(s, "]")
	if !ok || strings.ContainsAny(name, "={,") {
		return "", false
	}
	parts := strings.Split(name, ".")
	for i := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(parts[i]), `"'`)
	}
	return strings.Join(parts, "."), true
}

// trailing are the comments and blank lines at the end of a table: they belong to
// what follows.
func trailing(table []byte) []byte {
	lines := bytes.SplitAfter(table, []byte("\n"))
	n := len(lines)
	for n > 1 {
		s := bytes.TrimSpace(lines[n-1])
		if len(s) > 0 && s[0] != '#' {
			break
		}
		n--
	}
	return bytes.Join(lines[n:], nil)
}

// checkTOML wants that only the table of header differs.
func checkTOML(before map[string]any, after []byte, header string) ([]byte, error) {
	now, err := tomlOf(after)
	if err != nil {
		return nil, err
	}
	tomlDelete(before, header)
	tomlDelete(now, header)
	if !reflect.DeepEqual(prune(before), prune(now)) {
		return nil, fmt.Errorf("%w: the table %s cannot be told from what stands around it", ErrCannotParse, header)
	}
	return after, nil
}

func tomlHas(m map[string]any, header string) bool {
	keys := strings.Split(header, ".")
	for i, k := range keys {
		v, ok := m[k]
		if !ok {
			return false
		}
		if i == len(keys)-1 {
			return true
		}
		if m, ok = v.(map[string]any); !ok {
			return false
		}
	}
	return false
}

func tomlDelete(m map[string]any, header string) {
	keys := strings.Split(header, ".")
	for _, k := range keys[:len(keys)-1] {
		next, ok := m[k].(map[string]any)
		if !ok {
			return
		}
		m = next
	}
	delete(m, keys[len(keys)-1])
}

// prune leaves empty tables out: a table that only held ours is there or not.
func prune(m map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		if t, ok := v.(map[string]any); ok {
			t = prune(t)
			if len(t) == 0 {
				continue
			}
			v = t
		}
		out[k] = v
	}
	return out
}

// TOMLText is a text as a basic string of TOML, whose escapes are those of JSON.
func TOMLText(s string) string { return style{nl: "\n"}.render(s, 0) }
