package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Rules are what a host's own reader of JSON takes.
type Rules int

const (
	// Strict is JSON.parse, with a byte order mark at most.
	Strict Rules = iota
	// Comments are stripped first; a comma at the end is an error still.
	Comments
	// Loose takes comments and commas at the end.
	Loose
)

// CheckJSON says whether a host with these rules can read the text. An empty one
// is a file that was only just made.
func CheckJSON(text []byte, rules Rules) error {
	body := bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	if _, _, err := parseJSON(text); err != nil {
		return err
	}
	if rules >= Comments {
		body = uncommented(body)
	}
	if rules != Loose && !json.Valid(body) && len(bytes.TrimSpace(body)) > 0 {
		return fmt.Errorf("%w: it wants JSON without %s", ErrCannotParse, map[Rules]string{
			Strict: "comments and commas at the end", Comments: "commas at the end"}[rules])
	}
	return nil
}

// uncommented has a blank for each comment.
func uncommented(text []byte) []byte {
	out := make([]byte, 0, len(text))
	p := parser{text: text}
	for p.at < len(text) {
		from := p.at
		switch text[p.at] {
		case '"':
			if _, err := p.str(); err != nil {
				return text
			}
			out = append(out, text[from:p.at]...)
		case '/':
			p.space()
			if p.at == from {
				p.at++
			}
			out = append(out, ' ')
		default:
			out = append(out, text[p.at])
			p.at++
		}
	}
	return out
}

// JSONPart is a part that sets one value in a JSON file, and takes it out.
func JSONPart(path, what string, rules Rules, keys []string, value any) Part {
	return Part{
		Path: path, What: what, ByHand: string(plainJSON(nest(keys, value))),
		Add: func(text []byte) ([]byte, error) {
			if err := CheckJSON(text, rules); err != nil {
				return nil, err
			}
			return JSONSet(text, keys, value)
		},
		Remove: func(text []byte) ([]byte, error) { return JSONDrop(text, keys) },
	}
}

// plainJSON is a value on lines of its own, to be copied by hand.
func plainJSON(value any) []byte {
	return []byte(style{unit: "  ", nl: "\n"}.render(value, 0) + "\n")
}

// ByHandJSON are the lines that put value at keys, to be copied by hand.
func ByHandJSON(keys []string, value any) string { return string(plainJSON(nest(keys, value))) }
