package task

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what is looked for in an output (B12). Without a capital letter in
// it, case does not count.
type Query struct {
	Text string
	// Regexp: Text is a regular expression in the syntax of RE2; a row of output
	// is matched by itself, so ^ and $ are its ends.
	Regexp bool
}

// SearchRequest is one search over a whole output.
type SearchRequest struct {
	Query Query
	// From is the byte offset where the reader is: the search goes outward from it.
	From int64
}

// Hit is a row that matches, by its place.
type Hit struct {
	Offset int64
	Part   int
}

// Found is what a search has to say at one moment.
type Found struct {
	// Gen is the generation of the file; a higher one voids all hits before.
	Gen int
	// Hits are new, in the order of the output.
	Hits []Hit
	// Again: hits at or behind Since that were told before no longer count: that
	// end of the output was looked through again, because it grew.
	Again bool
	Since int64
	// Count is how many rows match so far, also those that are not in Hits because
	// more than SearchKeeps came.
	Count int64
	// Looked of Size bytes were looked through. Done: all of them were.
	Looked, Size int64
	Done         bool
}

// SearchKeeps bounds the hits of one search that are told by their place; the
// count goes on.
const SearchKeeps = 100_000

// Filter shows only the rows that match Query (Out: only those that do not),
// each with Context rows before and behind it.
type Filter struct {
	Query   Query
	Out     bool
	Context int
}

// Matcher finds a query in the text of rows. It is safe for concurrent use.
type Matcher struct {
	text string
	fold bool
	re   *regexp.Regexp
}

// NewMatcher makes the matcher of a query; its error is one sentence for the
// person who typed an expression that is none.
func NewMatcher(q Query) (*Matcher, error) {
	fold := !HasCapital(q)
	if !q.Regexp && (!fold || isASCII(q.Text)) {
		return &Matcher{text: q.Text, fold: fold}, nil
	}
	expr := q.Text
	if !q.Regexp {
		expr = regexp.QuoteMeta(expr)
	}
	if fold {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("not a regular expression: %s", reason(err))
	}
	return &Matcher{re: re}, nil
}

// reason is what the parser found, without its frame and our prefix.
func reason(err error) string {
	s := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	return strings.Replace(s, "(?i)", "", 1)
}

// HasCapital says whether case counts in a query. What follows a backslash in an
// expression (\S, \W) is no letter of the text.
func HasCapital(q Query) bool {
	escaped := false
	for _, r := range q.Text {
		if q.Regexp && !escaped && r == '\\' {
			escaped = true
			continue
		}
		if unicode.IsUpper(r) && !escaped {
			return true
		}
		escaped = false
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Match says whether a row matches.
func (m *Matcher) Match(row string) bool {
	if m.re != nil {
		return m.re.MatchString(row)
	}
	from, _ := m.index(row, 0)
	return from >= 0
}

// Find gives the places of at most most matches in a row, in order and without
// overlap; empty matches are left out.
func (m *Matcher) Find(row string, most int) [][2]int {
	var out [][2]int
	if m.re != nil {
		for _, at := range m.re.FindAllStringIndex(row, most) {
			if at[0] < at[1] {
				out = append(out, [2]int(at))
			}
		}
		return out
	}
	for at := 0; m.text != "" && len(out) < most; {
		from, to := m.index(row, at)
		if from < 0 {
			break
		}
		out = append(out, [2]int{from, to})
		at = to
	}
	return out
}

// index is the first place of the text at or behind at, −1 for none.
func (m *Matcher) index(row string, at int) (from, to int) {
	var i int
	if m.fold {
		i = IndexFold(row[at:], m.text)
	} else {
		i = strings.Index(row[at:], m.text)
	}
	if i < 0 {
		return -1, -1
	}
	return at + i, at + i + len(m.text)
}

// IndexFold is strings.Index with the letters of ASCII alike in both cases; low
// has none in upper case.
func IndexFold(s, low string) int {
	if low == "" {
		return 0
	}
	c := low[0]
	up := c
	if c >= 'a' && c <= 'z' {
		up = c - 'a' + 'A'
	}
	last := len(s) - len(low)
	for i := 0; i <= last; i++ {
		if s[i] != c && s[i] != up {
			j := strings.IndexByte(s[i:last+1], c)
			if up != c {
				end := last + 1
				if j >= 0 {
					end = i + j
				}
				if k := strings.IndexByte(s[i:end], up); k >= 0 {
					j = k
				}
			}
			if j < 0 {
				return -1
			}
			i += j
		}
		if equalFold(s[i:i+len(low)], low) {
			return i
		}
	}
	return -1
}

func equalFold(s, low string) bool {
	for i := range len(low) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != low[i] {
			return false
		}
	}
	return true
}
