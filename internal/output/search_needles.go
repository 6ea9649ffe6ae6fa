package output

import (
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"offstage/redact"
	"offstage/task"
)

// needles are words of which a row must hold one to match a query. They are
// looked for in raw bytes, where a row may look otherwise: a tab is a space
// there, an invisible character is a mark. So a needle is a run of printable
// ASCII without a space, or of letters of other scripts.
type needles struct {
	words []string
	// fold: the words are in lower case, and the bytes are to be made so.
	fold bool
	// all: nothing can be said beforehand, every row must be looked at.
	all bool
}

// mostNeedles bounds the words of an expression with alternatives, shortest is
// the least overlap with the mark of redaction that counts.
const (
	mostNeedles = 8
	shortest    = 3
)

// needlesOf gives the needles of a query that compiles.
func needlesOf(q task.Query) needles {
	fold := !task.HasCapital(q)
	words := []string{q.Text}
	if q.Regexp {
		re, err := syntax.Parse(q.Text, syntax.Perl)
		if err != nil {
			return needles{all: true}
		}
		words = required(re.Simplify())
	}
	n := needles{fold: fold}
	for _, w := range words {
		if fold {
			w = strings.ToLower(w)
		}
		run := longestRun(w, fold)
		if run == "" || touchesMark(w) {
			return needles{all: true}
		}
		n.words = append(n.words, run)
	}
	n.all = len(n.words) == 0
	return n
}

// longestRun is the longest stretch of a text that stands in the raw bytes as it
// is. Where case does not count only ASCII can be compared byte by byte.
func longestRun(s string, fold bool) string {
	best, from := "", -1
	for i, r := range s + "\n" {
		fits := r > ' ' && r < 0x7f || !fold && unicode.IsLetter(r) && r >= 0xc0
		if fits && from < 0 {
			from = i
		}
		if !fits && from >= 0 {
			if i-from > len(best) {
				best = s[from:i]
			}
			from = -1
		}
	}
	return best
}

// touchesMark says whether a row could match by the mark that stands for a
// hidden value, which no raw byte shows.
func touchesMark(w string) bool {
	mark := redact.Mark
	for n := min(len(w), len(mark)); n >= shortest; n-- {
		if strings.HasSuffix(w, mark[:n]) || strings.HasPrefix(w, mark[len(mark)-n:]) {
			return true
		}
	}
	return len(w) >= shortest && strings.Contains(mark, w) || strings.Contains(w, mark)
}

// required gives words of which every match of an expression holds one; nil
// where there are none.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if w := required(sub); better(w, best) {
				best = w
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			w := required(sub)
			if len(w) == 0 || len(all)+len(w) > mostNeedles {
				return nil
			}
			all = append(all, w...)
		}
		return all
	}
	return nil
}

// better: fewer and longer words sift more.
func better(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) > 0
	}
	return worth(a) > worth(b)
}

func worth(words []string) int {
	least := 1 << 20
	for _, w := range words {
		least = min(least, utf8.RuneCountInString(w))
	}
	return 4*least - len(words)
}
