package output

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// A search sifts the raw bytes first: only segments in which a row could match
// are made into rows, and only rows count. So the sieve may pass too much and
// must never hold back: a line that moves the cursor can show what no stretch of
// its bytes says, and is passed always.

// Sizes of the sieve: bytes of a block, which is sifted at a time, of one read,
// and of a line as far as it is looked at.
const (
	block    = 4 << 20
	perBlock = block / segment
	gulp     = 256 << 10
	longLine = 2 * wholeText
)

// sieve sifts blocks of one source. It keeps its buffers; one goroutine has one.
type sieve struct {
	source
	need needles
	// every: rows are not made of bytes as they stand (a transcript, UTF-16).
	every bool
	// buf holds bytes of the file from bufAt on.
	buf    []byte
	bufAt  int64
	bare   []byte
	probes []probe
}

func newSieve(s source, n needles, every bool) *sieve {
	v := &sieve{source: s, need: n, every: every}
	for _, w := range n.words {
		v.probes = append(v.probes, probe{word: w, fold: n.fold})
	}
	return v
}

// marks says in which segments of the block that starts at lo a row could match,
// up to the offset size.
func (s *sieve) marks(ctx context.Context, lo, size int64) ([perBlock]bool, error) {
	var out [perBlock]bool
	hi := min(lo+block, size)
	if s.every || s.need.all {
		for k := range out {
			out[k] = lo+int64(k)*segment < hi
		}
		return out, nil
	}
	s.buf = s.buf[:0]
	for i := range s.probes {
		s.probes[i].learned = false // another block may be of another kind
	}
	hi = min(hi+segment, size) // what comes next may write over the last rows
	at, err := s.firstLine(ctx, lo, hi)
	for err == nil && at < hi {
		k := max(at-lo, 0) / segment
		var b []byte
		if b, err = s.lines(ctx, at, min(lo+(k+1)*segment, hi), size); err != nil {
			break
		}
		passes, moves := s.passes(b)
		if k < perBlock {
			out[k] = out[k] || passes
		}
		if k > 0 && moves {
			out[k-1] = true
		}
		at += int64(len(b))
		if n := len(b); at < hi && (n == 0 || b[n-1] != '\n') { // a gap, or a very long line
			at, err = s.resume(ctx, at, hi)
		}
	}
	return out, err
}

// firstLine is the first place at or behind lo where a line starts, hi where
// none does before it.
func (s *sieve) firstLine(ctx context.Context, lo, hi int64) (int64, error) {
	if lo <= s.head {
		return s.head, nil
	}
	var near [4 << 10]byte // lines are short: most often it is enough, and no gap is so short that it could lie in it
	if data, err := s.f.NextData(lo - 1); err == nil && data == lo-1 {
		n, _ := s.f.ReadThrough(near[:min(int64(len(near)), hi-lo+1)], lo-1)
		if i := s.enc.next(near[:n]); i >= 0 {
			return lo - 1 + int64(i), nil
		}
	}
	at, found, err := s.nextLine(ctx, lo-1, hi)
	if !found {
		at = hi
	}
	return at, err
}

// resume is where lines go on behind at: behind the gap there, or behind the
// next newline.
func (s *sieve) resume(ctx context.Context, at, hi int64) (int64, error) {
	end, err := s.f.NextData(at)
	if err != nil || end > at {
		return end &^ (s.enc.unit() - 1), err
	}
	return s.firstLine(ctx, at+1, hi)
}

// lines gives the bytes from at, a line's start, to the end of the last line that
// starts before end; less where a gap or a line longer than longLine comes.
func (s *sieve) lines(ctx context.Context, at, end, size int64) ([]byte, error) {
	drop := min(at-s.bufAt, int64(len(s.buf)))
	if drop < 0 || len(s.buf) == 0 || s.bufAt+drop != at {
		s.buf, drop = s.buf[:0], 0
	}
	if len(s.buf) == 0 {
		s.bufAt = at
	}
	from := int(end - 1 - at)
	for seen := from; ; {
		b := s.buf[drop:]
		if seen < len(b) {
			if i := bytes.IndexByte(b[seen:], '\n'); i >= 0 {
				return b[:seen+i+1], nil
			}
			seen = len(b)
		}
		if len(b) >= from+longLine {
			return b, nil
		}
		if drop > 0 { // what is left moves to the front
			s.buf = s.buf[:copy(s.buf, b)]
			s.bufAt, drop = at, 0
		}
		more, err := s.fill(ctx, size)
		if err != nil || !more {
			return s.buf, err
		}
	}
}

// fill reads on behind the buffer; false at a gap and at the end of the file.
func (s *sieve) fill(ctx context.Context, size int64) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	have := len(s.buf)
	at := s.bufAt + int64(have)
	want := int(min(gulp, size-at))
	if want <= 0 {
		return false, nil
	}
	if data, err := s.f.NextData(at); err != nil || data > at {
		return false, err
	}
	if cap(s.buf) < have+want {
		s.buf = append(make([]byte, 0, have+want+gulp), s.buf...)
	}
	n, err := s.f.ReadThrough(s.buf[have:have+want], at)
	s.buf = s.buf[:have+n]
	if n > 0 || errors.Is(err, io.EOF) {
		err = nil
	}
	return n > 0, err
}

// passes says whether one of the lines in b could match; moves, that they may
// also change the rows before them.
func (s *sieve) passes(b []byte) (passes, moves bool) {
	if bytes.IndexByte(b, '\b') >= 0 || turns(b) {
		passes = true
	}
	if bytes.IndexByte(b, 0x1b) >= 0 {
		var still bool
		if s.bare, still = bare(s.bare[:0], b); !still {
			return true, true
		}
		b = s.bare
	}
	for i := 0; i < len(s.probes) && !passes; i++ {
		passes = s.probes[i].in(b)
	}
	return passes, false
}

// turns says whether a carriage return stands anywhere but before a newline.
func turns(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			return false
		}
		if b = b[i+1:]; len(b) > 0 && b[0] != '\n' {
			return true
		}
	}
}

// bare appends b without its colours and erasures, which leave the text before
// them where it is; false where an escape does more.
func bare(dst, b []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			return append(dst, b...), true
		}
		dst = append(dst, b[:i]...)
		if b = b[i+1:]; len(b) == 0 || b[0] != '[' {
			return dst, false
		}
		j := 1
		for j < len(b) && b[j] >= 0x30 && b[j] < 0x40 {
			j++
		}
		if j == len(b) || b[j] != 'm' && b[j] != 'K' {
			return dst, false
		}
		b = b[j+1:]
	}
}
