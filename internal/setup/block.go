package setup

import (
	"bytes"
	"fmt"
	"strings"
)

// Lines of a host without a tree (tmux, kitty, a script) stand between two
// comments of ours, so that they can be found, changed and taken out again.
const (
	blockBegin = "offstage: begin (offstage setup %s --remove takes this out)"
	blockEnd   = "offstage: end"
)

// BlockSet makes our block hold the lines of body: where it stands, or at the
// end. Comment is how the host begins a comment ("#", "//", "--").
func BlockSet(text []byte, comment, host, body string) ([]byte, error) {
	return BlockSetEnding(text, comment, host, body, Newline(text))
}

// BlockSetEnding is BlockSet with the line end of the host, for one that takes a
// CR for a part of the line (tmux).
func BlockSetEnding(text []byte, comment, host, body, nl string) ([]byte, error) {
	block := comment + " " + fmt.Sprintf(blockBegin, host) + "\n" + strings.TrimRight(body, "\n") + "\n" + comment + " " + blockEnd + "\n"
	block = strings.ReplaceAll(block, "\n", nl)
	from, to, found, err := blockAt(text, comment)
	if err != nil {
		return nil, err
	}
	if found {
		return splice(text, from, to, block), nil
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		block = nl + block
	}
	return append(bytes.Clone(text), block...), nil
}

// BlockDrop takes our block out.
func BlockDrop(text []byte, comment string) ([]byte, error) {
	from, to, found, err := blockAt(text, comment)
	if err != nil || !found {
		return text, err
	}
	return splice(text, from, to, ""), nil
}

// blockAt is where our block stands; one without its end, or with a second
// beginning inside, is nothing to guess about.
func blockAt(text []byte, comment string) (from, to int, found bool, err error) {
	begin, end := comment+" offstage: begin", comment+" "+blockEnd
	at := 0
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line))
		switch {
		case strings.HasPrefix(s, begin) && found:
			return 0, 0, false, fmt.Errorf("%w: the block of offstage begins twice", ErrCannotParse)
		case strings.HasPrefix(s, begin):
			from, found = at, true
		case s == end && found && to == 0:
			to = at + len(line)
		}
		at += len(line)
	}
	if found && to == 0 {
		return 0, 0, false, fmt.Errorf("%w: the block of offstage has no end", ErrCannotParse)
	}
	return from, to, found, nil
}
