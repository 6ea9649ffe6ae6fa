package zellij

import (
	"bytes"
	"fmt"
	"strings"

	"offstage/internal/setup"
)

// node is one node of KDL 1 at the outer level of a text: where it starts, and
// the brackets of its children, -1 where it has none.
type node struct {
	name              string
	start, open, shut int
}

// scan reads the outer nodes of a text, as far as a setup must know: names, texts,
// comments and brackets. Nodes that "/-" takes out are left out.
func scan(text []byte) ([]node, error) {
	var out []node
	depth, at := 0, 0
	open := false // a node is being read
	dropped := false
	for at < len(text) {
		c := text[at]
		switch {
		case c == '"' || c == 'r' && raw(text, at) && (at == 0 || !nameByte(text[at-1])):
			end, ok := str(text, at)
			if !ok {
				return nil, fail(text, at, "a quote is not closed")
			}
			if depth == 0 && !open {
				out, open = append(out, node{strings.Trim(string(text[at:end]), `"`), at, -1, -1}), true
			}
			at = end
			continue
		case bytes.HasPrefix(text[at:], []byte("/-")):
			dropped = dropped || depth == 0 && !open
			at += 2
			continue
		case bytes.HasPrefix(text[at:], []byte("//")):
			for at < len(text) && text[at] != '\n' {
				at++
			}
			continue
		case bytes.HasPrefix(text[at:], []byte("/*")):
			end := comments(text, at)
			if end < 0 {
				return nil, fail(text, at, "a comment is not closed")
			}
			at = end
			continue
		case c == '\\' && depth == 0: // the node goes on in the next line
			if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
				at += n + 1
				continue
			}
		case c == '{':
			if depth == 0 {
				if !open {
					return nil, fail(text, at, "a bracket without a node")
				}
				out[len(out)-1].open = at
			}
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return nil, fail(text, at, "a bracket too much")
			}
			if depth == 0 {
				out[len(out)-1].shut = at
				out, open, dropped = settle(out, dropped), false, false
			}
		case depth == 0 && (c == '\n' || c == ';'):
			if open {
				out, open, dropped = settle(out, dropped), false, false
			}
		case depth == 0 && !open && nameByte(c):
			end := at
			for end < len(text) && nameByte(text[end]) {
				end++
			}
			out, open = append(out, node{string(text[at:end]), at, -1, -1}), true
			at = end
			continue
		}
		at++
	}
	if depth > 0 {
		return nil, fail(text, at, "a bracket is not closed")
	}
	if open {
		out = settle(out, dropped)
	}
	return out, nil
}

// settle ends a node, which goes where it was taken out.
func settle(out []node, dropped bool) []node {
	if dropped {
		return out[:len(out)-1]
	}
	return out
}

func nameByte(c byte) bool {
	return c > ' ' && !strings.ContainsRune(`{}()[]<>;,"=/\`, rune(c))
}

// raw: a text like r"…" or r#"…"# begins here.
func raw(text []byte, at int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text[at+1:], "#"), []byte(`"`))
}

// str is behind the text that begins at at.
func str(text []byte, at int) (end int, ok bool) {
	if text[at] == 'r' {
		from := at + 1
		for text[from] == '#' {
			from++
		}
		closing := `"` + strings.Repeat("#", from-at-1)
		n := bytes.Index(text[from+1:], []byte(closing))
		return from + 1 + n + len(closing), n >= 0
	}
	for end = at + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case '"':
			return end + 1, true
		}
	}
	return end, false
}

// comments is behind a comment, which may hold others; -1 where it has no end.
func comments(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch {
		case bytes.HasPrefix(text[at:], []byte("/*")):
			depth++
			at += 2
		case bytes.HasPrefix(text[at:], []byte("*/")):
			at += 2
			if depth--; depth == 0 {
				return at
			}
		default:
			at++
		}
	}
	return -1
}

func first(nodes []node, name string) (node, bool) {
	for _, n := range nodes {
		if n.name == name && n.open >= 0 {
			return n, true
		}
	}
	return node{}, false
}

func fail(text []byte, at int, what string) error {
	return fmt.Errorf("%w: line %d: %s", setup.ErrCannotParse, 1+bytes.Count(text[:min(at, len(text))], []byte("\n")), what)
}
