package testparse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxLine bounds what is read of one line; the rest of it is skipped.
const maxLine = 64 << 10

// Parse reads a whole log and gives its standing runs and their sum; false
// without a test run. Lines end in LF and may be of any length: what goes beyond
// 64 KiB of a line is not looked at. A last line without LF may be half a line:
// it counts only where it brings a summary to its end.
func Parse(r io.Reader, o Options) ([]Run, Totals, bool, error) {
	s := New(o)
	in := bufio.NewReaderSize(r, maxLine)
	for n := int64(1); ; n++ {
		raw, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
			s = s.half(raw, n)
			break
		}
		s.Feed(raw, n)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, Totals{}, false, fmt.Errorf("read test log: %w", err)
		}
	}
	t, ok := s.Total()
	if !ok {
		return []Run{}, Totals{}, false, nil
	}
	return s.Runs(), t, true, nil
}

// half reads a last line that has no LF yet: only if that settles all runs does
// the scanner with it stand for the one without.
func (s *Scanner) half(raw []byte, n int64) *Scanner {
	if before, _ := s.Total(); !Wanted(raw) || before.Settled && len(s.runs) > 0 {
		return s
	}
	b, err := s.Save()
	if err != nil {
		return s
	}
	t, err := Restore(b, Options{Command: s.cmd.text})
	if err != nil {
		return s
	}
	t.Feed(raw, n)
	if after, ok := t.Total(); ok && after.Settled {
		return t
	}
	return s
}
