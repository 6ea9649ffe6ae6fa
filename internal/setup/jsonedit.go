package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSONGet is the value at a path of keys (an item of a list goes by its number,
// from 0), decoded into v; ok is false where there
// is none.
func JSONGet(text []byte, path []string, v any) (ok bool, err error) {
	root, ok, err := parseJSON(text)
	if err != nil || !ok {
		return false, err
	}
	if root, ok = root.at(path); !ok {
		return false, nil
	}
	if err := json.Unmarshal(plain(text, root), v); err != nil {
		return true, fmt.Errorf("%w: %s: %v", ErrCannotParse, strings.Join(path, "."), err)
	}
	return true, nil
}

// plain is a value as strict JSON, without comments and trailing commas.
func plain(text []byte, n node) []byte {
	switch n.kind {
	case '{':
		parts := make([][]byte, 0, len(n.members))
		for _, m := range n.members {
			key, _ := json.Marshal(m.key)
			parts = append(parts, append(append(key, ':'), plain(text, m.value)...))
		}
		return append(append([]byte{'{'}, bytes.Join(parts, []byte(","))...), '}')
	case '[':
		parts := make([][]byte, 0, len(n.items))
		for _, x := range n.items {
			parts = append(parts, plain(text, x))
		}
		return append(append([]byte{'['}, bytes.Join(parts, []byte(","))...), ']')
	}
	return text[n.start:n.end]
}

// JSONSet puts value at a path of keys: it takes the place of what stands there,
// or becomes the last member of its object; objects on the way are made. Other
// bytes of the text stay as they are.
func JSONSet(text []byte, path []string, value any) ([]byte, error) {
	root, ok, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	style := styleOf(text)
	if !ok {
		return append(bytes.Clone(text), style.render(nest(path, value), 0)+style.nl...), nil
	}
	at := root
	for depth, key := range path {
		m, i := at.member(key)
		if i < 0 {
			return style.insert(text, at, key, nest(path[depth+1:], value), depth+1), nil
		}
		if depth == len(path)-1 {
			if same(text, m.value, value) {
				return text, nil
			}
			return splice(text, m.value.start, m.value.end, style.render(value, depth+1)), nil
		}
		if m.value.kind != '{' {
			return nil, fmt.Errorf("%w: %s is no object", ErrCannotParse, strings.Join(path[:depth+1], "."))
		}
		at = m.value
	}
	return text, nil
}

// JSONAppend adds value to the array at a path, which is made where it is
// missing.
func JSONAppend(text []byte, path []string, value any) ([]byte, error) {
	var have []json.RawMessage
	ok, err := JSONGet(text, path, &have)
	if err != nil {
		return nil, err
	}
	if !ok {
		return JSONSet(text, path, []any{value})
	}
	root, _, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	for _, key := range path {
		m, _ := root.member(key)
		root = m.value
	}
	return styleOf(text).add(text, root, styleOf(text).render(value, len(path)+1), len(path)+1), nil
}

// JSONDrop takes the member at a path out, and then each object above it that has
// become empty.
func JSONDrop(text []byte, path []string) ([]byte, error) {
	for ; len(path) > 0; path = path[:len(path)-1] {
		root, ok, err := parseJSON(text)
		if err != nil || !ok {
			return text, err
		}
		for _, key := range path[:len(path)-1] {
			m, i := root.member(key)
			if i < 0 {
				return text, nil
			}
			root = m.value
		}
		m, i := root.member(path[len(path)-1])
		if i < 0 {
			return text, nil
		}
		text = cutElement(text, root, i, m.start, m.value.end, len(root.members))
		if len(root.members) > 1 {
			return text, nil
		}
	}
	return text, nil
}

// JSONDropItems takes those items of the array at a path out that drop says, and
// the array and its objects with the last.
func JSONDropItems(text []byte, path []string, drop func(item json.RawMessage) bool) ([]byte, error) {
	for {
		root, ok, err := parseJSON(text)
		if err != nil || !ok {
			return text, err
		}
		if root, ok = root.at(path); !ok {
			return text, nil
		}
		found := -1
		for i, x := range root.items {
			if drop(plain(text, x)) {
				found = i
			}
		}
		if found < 0 {
			return text, nil
		}
		if len(root.items) == 1 {
			return JSONDrop(text, path)
		}
		x := root.items[found]
		text = cutElement(text, root, found, x.start, x.end, len(root.items))
	}
}

// cutElement takes element i of n, from start to end, out of its list, with its
// comma, or the one before it where it is the last, and the blanks before it.
func cutElement(text []byte, list node, i, start, end, n int) []byte {
	from := start
	for from > list.start+1 && blank(text[from-1]) {
		from--
	}
	if i < len(list.commas) {
		end = list.commas[i] + 1
	}
	if n == 1 {
		for end < list.end-1 && blank(text[end]) {
			end++
		}
	}
	out := splice(text, from, end, "")
	if i > 0 && i == n-1 && i >= len(list.commas) {
		out = splice(out, list.commas[i-1], list.commas[i-1]+1, "")
	}
	return out
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func splice(text []byte, from, to int, with string) []byte {
	return bytes.Join([][]byte{text[:from], []byte(with), text[to:]}, nil)
}

// same says whether a value is what is wanted already, however it is laid out.
func same(text []byte, n node, value any) bool {
	var have, want any
	b, err := json.Marshal(value)
	if err != nil || json.Unmarshal(b, &want) != nil || json.Unmarshal(plain(text, n), &have) != nil {
		return false
	}
	x, _ := json.Marshal(have)
	y, _ := json.Marshal(want)
	return bytes.Equal(x, y)
}

func nest(path []string, value any) any {
	for i := len(path) - 1; i >= 0; i-- {
		value = map[string]any{path[i]: value}
	}
	return value
}
