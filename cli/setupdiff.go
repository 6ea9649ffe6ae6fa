package cli

import (
	"fmt"
	"strings"

	"offstage/internal/output"
)

const (
	// diffAround is how many lines that stay are shown beside a change.
	diffAround = 3
	// diffCells bounds the work of a comparison line by line; beyond it all between
	// the first and the last difference is shown as changed.
	diffCells = 4 << 20
)

// diffLines shows how one text becomes another, masked: as a whole first, so that
// a secret of several lines is known as one, and line by line for the terminal.
// A nil text is a file that is not there.
func diffLines(old, next []byte) []string {
	from, to := textLines(old), textLines(next)
	ops := compare(from, to)
	var out []string
	for at := 0; at < len(ops); {
		first := at
		for first < len(ops) && ops[first].sign == ' ' {
			first++
		}
		if first == len(ops) {
			break
		}
		start, end := max(at, first-diffAround), first
		for quiet := 0; end < len(ops) && quiet <= 2*diffAround; end++ {
			if quiet++; ops[end].sign != ' ' {
				quiet = 0
			}
		}
		for end > first && ops[end-1].sign == ' ' && trailingQuiet(ops[:end]) > diffAround {
			end--
		}
		out = append(out, fmt.Sprintf("@@ line %d @@", ops[start].line))
		for _, o := range ops[start:end] {
			out = append(out, string(o.sign)+maskText(o.text))
		}
		at = end
	}
	return out
}

func trailingQuiet(ops []op) int {
	n := 0
	for n < len(ops) && ops[len(ops)-1-n].sign == ' ' {
		n++
	}
	return n
}

// op is one line that stays (' '), goes ('-') or comes ('+'), and the 1-based line
// of the old text at which that is.
type op struct {
	sign byte
	text string
	line int
}

func textLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(output.Mask(string(text)), "\r\n", "\n"), "\n"), "\n")
}

// compare finds the longest list of lines that stay, between what is the same at
// both ends.
func compare(from, to []string) []op {
	head := 0
	for head < len(from) && head < len(to) && from[head] == to[head] {
		head++
	}
	tail := 0
	for tail < len(from)-head && tail < len(to)-head && from[len(from)-1-tail] == to[len(to)-1-tail] {
		tail++
	}
	var out []op
	for i := range head {
		out = append(out, op{' ', from[i], i + 1})
	}
	out = append(out, middle(from[head:len(from)-tail], to[head:len(to)-tail], head+1)...)
	for i := len(from) - tail; i < len(from); i++ {
		out = append(out, op{' ', from[i], i + 1})
	}
	return out
}

func middle(from, to []string, line int) []op {
	n, m := len(from), len(to)
	if (n+1)*(m+1) > diffCells {
		return allChanged(from, to, line)
	}
	length := make([][]int32, n+1)
	for i := range length {
		length[i] = make([]int32, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if from[i] == to[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []op
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && from[i] == to[j]:
			out = append(out, op{' ', from[i], line + i})
			i, j = i+1, j+1
		case i < n && (j == m || length[i+1][j] >= length[i][j+1]):
			out = append(out, op{'-', from[i], line + i})
			i++
		default:
			out = append(out, op{'+', to[j], line + i})
			j++
		}
	}
	return out
}

func allChanged(from, to []string, line int) []op {
	var out []op
	for i, s := range from {
		out = append(out, op{'-', s, line + i})
	}
	for _, s := range to {
		out = append(out, op{'+', s, line + len(from)})
	}
	return out
}
