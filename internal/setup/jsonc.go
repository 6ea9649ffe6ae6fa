package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// node is one value of a JSON text and where it stands. Comments and trailing
// commas are allowed, as most hosts do; who writes strict JSON gets strict JSON
// back.
type node struct {
	// kind is '{', '[', '"', or 'v' for a number or a word.
	kind       byte
	start, end int
	members    []member
	items      []node
	// commas are where those behind the members or items stand; the last may have
	// one or none.
	commas []int
}

type member struct {
	key   string
	start int
	value node
}

// parser walks one text.
type parser struct {
	text  []byte
	at    int
	depth int
}

// maxDepth bounds nesting; no configuration comes near it.
const maxDepth = 200

// parseJSON is the value of the whole text. An empty text is an empty object
// that stands nowhere: ok is false.
func parseJSON(text []byte) (root node, ok bool, err error) {
	p := &parser{text: text}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		p.at = 3
	}
	p.space()
	if p.at == len(text) {
		return node{}, false, nil
	}
	root, err = p.value()
	if err != nil {
		return node{}, false, fmt.Errorf("%w: %v", ErrCannotParse, err)
	}
	p.space()
	if p.at != len(text) || root.kind != '{' {
		return node{}, false, fmt.Errorf("%w: it is no object", ErrCannotParse)
	}
	return root, true, nil
}

// space passes over blanks and comments.
func (p *parser) space() {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			p.at += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				p.at = len(p.text)
				return
			}
			p.at += n + 2
		default:
			return
		}
	}
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(p.text[:min(p.at, len(p.text))], []byte("\n")), what)
}

func (p *parser) value() (node, error) {
	if p.at >= len(p.text) {
		return node{}, p.fail("it ends too early")
	}
	if p.depth++; p.depth > maxDepth {
		return node{}, p.fail("too deep")
	}
	defer func() { p.depth-- }()
	n := node{kind: p.text[p.at], start: p.at}
	var err error
	switch n.kind {
	case '{':
		err = p.object(&n)
	case '[':
		err = p.array(&n)
	case '"':
		_, err = p.str()
	default:
		n.kind = 'v'
		err = p.word()
	}
	n.end = p.at
	return n, err
}

// list walks what stands between brackets, one element at a time.
func (p *parser) list(n *node, closing byte, element func() error) error {
	p.at++
	for {
		p.space()
		if p.at >= len(p.text) {
			return p.fail("a bracket is not closed")
		}
		if p.text[p.at] == closing {
			p.at++
			return nil
		}
		if err := element(); err != nil {
			return err
		}
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ',' {
			n.commas = append(n.commas, p.at)
			p.at++
		} else if p.at < len(p.text) && p.text[p.at] != closing {
			return p.fail("a comma is missing")
		}
	}
}

func (p *parser) object(n *node) error {
	return p.list(n, '}', func() error {
		m := member{start: p.at}
		var err error
		if m.key, err = p.str(); err != nil {
			return err
		}
		p.space()
		if p.at >= len(p.text) || p.text[p.at] != ':' {
			return p.fail("a colon is missing")
		}
		p.at++
		p.space()
		if m.value, err = p.value(); err != nil {
			return err
		}
		n.members = append(n.members, m)
		return nil
	})
}

func (p *parser) array(n *node) error {
	return p.list(n, ']', func() error {
		v, err := p.value()
		n.items = append(n.items, v)
		return err
	})
}

func (p *parser) str() (string, error) {
	from := p.at
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return "", p.fail("a name in quotes is wanted")
	}
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '\n':
			return "", p.fail("a quote is not closed")
		case '"':
			p.at++
			var s string
			if err := json.Unmarshal(p.text[from:p.at], &s); err != nil || !utf8.ValidString(s) {
				return "", p.fail("a text that is none")
			}
			return s, nil
		}
	}
	return "", p.fail("a quote is not closed")
}

func (p *parser) word() error {
	from := p.at
	for p.at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,]}:/"), p.text[p.at]) < 0 {
		p.at++
	}
	if !json.Valid(p.text[from:p.at]) {
		return p.fail("a value that is none")
	}
	return nil
}

// member is the one with a key; where a key stands twice the last counts.
func (n node) member(key string) (member, int) {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i], i
		}
	}
	return member{}, -1
}

// at is the value at a path of keys and numbers of items.
func (n node) at(path []string) (node, bool) {
	for _, key := range path {
		if n.kind == '[' {
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(n.items) {
				return node{}, false
			}
			n = n.items[i]
			continue
		}
		m, i := n.member(key)
		if i < 0 {
			return node{}, false
		}
		n = m.value
	}
	return n, true
}
