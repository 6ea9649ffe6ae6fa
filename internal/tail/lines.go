package tail

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// MaxLine is the longest line that Lines hands out; a longer one is skipped and
// counted.
const MaxLine = 64 << 20

// buffers are blocks for Lines, so that many small transcripts make no garbage.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, BlockSize)
	return &b
}}

// partial remembers how far an unfinished line was searched for its end, so
// that asking again does not search it again.
type partial struct {
	gen            int
	from, searched int64
}

// Lines hands every complete line from the offset from on to fn, without its
// newline, with the offset where it starts, and returns where the next line
// starts: what to pass the next time. A last line without a newline waits. The
// bytes are valid only inside fn. When fn returns an error Lines stops there:
// the error comes back as it is, next is the line behind the one fn was given.
// Memory is one block and the longest line, at most MaxLine; holes cost nothing.
func (t *File) Lines(from int64, fn func(line []byte, at int64) error) (next int64, err error) {
	t.lineMu.Lock()
	defer t.lineMu.Unlock()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	r := lineReader{t: t, fn: fn, start: from, at: from, buf: *buf}
	gen := t.Gen()
	if t.partial.gen == gen && t.partial.from == from && t.partial.searched > from {
		size := t.Size()
		if t.partial.searched >= size {
			return from, nil
		}
		if found, err := r.endsAfter(t.partial.searched); err != nil || !found {
			t.partial.searched = r.seen
			return from, err
		}
	}
	for err == nil {
		err = r.step()
	}
	t.skipped += r.skipped
	t.partial = partial{gen: gen, from: r.start, searched: r.at}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return r.start, err
}

// Skipped is how many lines Lines left out because they were too long.
func (t *File) Skipped() int {
	t.lineMu.Lock()
	defer t.lineMu.Unlock()
	return t.skipped
}

// lineReader is one call of Lines: start is where the present line starts, at
// is how far was read.
type lineReader struct {
	t         *File
	fn        func([]byte, int64) error
	start, at int64
	buf       []byte
	carry     []byte
	over      bool // the present line is too long
	skipped   int
	seen      int64
}

// endsAfter says whether there is a newline at or after off.
func (r *lineReader) endsAfter(off int64) (bool, error) {
	for r.seen = off; ; {
		n, err := r.t.ReadThrough(r.buf, r.seen)
		if bytes.IndexByte(r.buf[:n], '\n') >= 0 {
			return true, nil
		}
		r.seen += int64(n)
		if errors.Is(err, io.EOF) || n == 0 {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// step reads one block and hands out the lines that end in it.
func (r *lineReader) step() error {
	if r.over { // nothing is kept: jump over holes
		data, err := r.t.NextData(r.at)
		if err != nil {
			return err
		}
		r.at = data
	}
	n, rerr := r.t.ReadThrough(r.buf, r.at)
	b := r.buf[:n]
	base := r.at
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			break
		}
		err := r.line(b[:i], base+int64(i)+1)
		base += int64(i) + 1
		b = b[i+1:]
		if err != nil {
			r.at = base
			return err
		}
	}
	r.keep(b)
	r.at = base + int64(len(b))
	if n == 0 && rerr == nil {
		return io.EOF
	}
	return rerr
}

// line hands out the line that ends with rest; next is where the next starts.
func (r *lineReader) line(rest []byte, next int64) error {
	line := rest
	if len(r.carry) > 0 {
		r.carry = append(r.carry, rest...)
		line = r.carry
	}
	over := r.over || len(line) > MaxLine
	at := r.start
	r.start, r.over = next, false
	r.carry = r.carry[:0]
	if over {
		r.skipped++
		return nil
	}
	return r.fn(line, at)
}

// keep holds the start of a line whose end is not read yet.
func (r *lineReader) keep(b []byte) {
	if r.over {
		return
	}
	if len(r.carry)+len(b) > MaxLine {
		r.over, r.carry = true, nil
		return
	}
	r.carry = append(r.carry, b...)
}
