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
// 64 KiB of a line is not looked at. A last line without LF may be half a line, and
// half a summary reads like another one ("31 example"): it counts for nothing.
func Parse(r io.Reader, o Options) ([]Run, Totals, bool, error) {
	s := New(o)
	in := bufio.NewReaderSize(r, maxLine)
	for n := int64(1); ; n++ {
		raw, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) {
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
