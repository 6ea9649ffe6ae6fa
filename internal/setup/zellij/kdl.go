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

// scanner walks one text.
type scanner struct {
	text []byte
	at   int
	// depth is how many brackets are open; open: an outer node is being read;
	// dropped: "/-" takes it out.
	depth         int
	open, dropped bool
	out           []node
}

// scan reads the outer nodes of a text, as far as a setup must know: names, texts,
// comments and brackets. Nodes that "/-" takes out are left out.
func scan(text []byte) ([]node, error) {
	s := scanner{text: text}
	for s.at < len(text) {
		passed, err := s.comment()
		if err != nil {
			return nil, err
		}
		if passed {
			continue
		}
		if passed, err = s.word(); err != nil {
			return nil, err
		}
		if passed {
			continue
		}
		if err := s.mark(); err != nil {
			return nil, err
		}
	}
	if s.depth > 0 {
		return nil, fail(text, s.at, "a bracket is not closed")
	}
	s.settle()
	return s.out, nil
}

// comment passes over a comment, and over what joins two lines.
func (s *scanner) comment() (passed bool, err error) {
	rest := s.text[s.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("/-")):
		s.dropped = s.dropped || s.depth == 0 && !s.open
		s.at += 2
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			s.at += n
		} else {
			s.at = len(s.text)
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		end := comments(s.text, s.at)
		if end < 0 {
			return false, fail(s.text, s.at, "a comment is not closed")
		}
		s.at = end
	case rest[0] == '\\' && s.depth == 0 && bytes.IndexByte(rest, '\n') >= 0:
		s.at += bytes.IndexByte(rest, '\n') + 1
	default:
		return false, nil
	}
	return true, nil
}

// word passes over a text in quotes or a bare word; the first of a node is its
// name.
func (s *scanner) word() (passed bool, err error) {
	c, from := s.text[s.at], s.at
	switch {
	case c == '"' || c == 'r' && raw(s.text, s.at) && (s.at == 0 || !nameByte(s.text[s.at-1])):
		end, ok := str(s.text, s.at)
		if !ok {
			return false, fail(s.text, s.at, "a quote is not closed")
		}
		s.at = end
	case nameByte(c):
		for s.at < len(s.text) && nameByte(s.text[s.at]) {
			s.at++
		}
	default:
		return false, nil
	}
	if s.depth == 0 && !s.open {
		s.open = true
		s.out = append(s.out, node{strings.Trim(string(s.text[from:s.at]), `"`), from, -1, -1})
	}
	return true, nil
}

// mark takes one character that is neither.
func (s *scanner) mark() error {
	switch s.text[s.at] {
	case '{':
		if s.depth == 0 {
			if !s.open {
				return fail(s.text, s.at, "a bracket without a node")
			}
			s.out[len(s.out)-1].open = s.at
		}
		s.depth++
	case '}':
		if s.depth--; s.depth < 0 {
			return fail(s.text, s.at, "a bracket too much")
		}
		if s.depth == 0 {
			s.out[len(s.out)-1].shut = s.at
			s.settle()
		}
	case '\n', ';':
		if s.depth == 0 {
			s.settle()
		}
	}
	s.at++
	return nil
}

// settle ends a node, which goes where it was taken out.
func (s *scanner) settle() {
	if s.open && s.dropped {
		s.out = s.out[:len(s.out)-1]
	}
	s.dropped = s.dropped && !s.open
	s.open = false
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
		for from < len(text) && text[from] == '#' {
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
