package output

import (
	"context"
	"errors"
	"io"
	"sync"

	"offstage/internal/tail"
)

// chunk is how much is read and played at a time.
const chunk = 64 << 10

// chunks are buffers of that size: following a flood wants several at each frame.
var chunks = sync.Pool{New: func() any { return new([chunk]byte) }}

// holeMin is the smallest hole that is shown as a gap; NULs of smaller ones are
// text.
const holeMin = 64 << 10

// source is one generation of a file with its encoding.
type source struct {
	f    *tail.File
	gen  int
	enc  encoding
	head int64 // length of the byte order mark
	// mark is where the agent's end mark starts, 0 for none: what stands before it
	// ends there, wherever it left the cursor.
	mark int64
}

func newSource(f *tail.File) source {
	b := make([]byte, 4)
	n, _ := f.ReadThrough(b, 0) // not the cache: most logs are never paged
	s := source{f: f, gen: f.Gen()}
	s.enc, s.head = sniff(b[:n])
	return s
}

// errStale: the file became another while it was read; read again.
var errStale = errors.New("the file was cut or replaced while it was read")

// fresh is errStale when the generation has passed.
func (s source) fresh() error {
	if s.f.Gen() != s.gen {
		return errStale
	}
	return nil
}

// read fills p from off, less at the end of the file.
func (s source) read(p []byte, off int64) (int, error) {
	n, err := s.f.ReadAt(p, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// holeAt gives the end of the hole that starts at or covers off, if it is large
// enough to be a gap; off itself where there is none.
func (s source) holeAt(off int64) (int64, error) {
	data, err := s.f.NextData(off)
	if err != nil {
		return off, err
	}
	if data-off < holeMin {
		return off, nil
	}
	return data, nil
}

// dataAt steps over a hole of any size at off, to the border of a character.
func (s source) dataAt(off int64) int64 {
	data, err := s.f.NextData(off)
	if err != nil {
		return off
	}
	return max(data&^(s.enc.unit()-1), off)
}

// holeIn finds the last hole that is a gap within [from, to): its start and end.
// A gap that reaches beyond to is one too.
func (s source) holeIn(from, to int64) (start, end int64, ok bool, err error) {
	for at := from; at < to; {
		h, err := s.f.NextHole(at)
		if err != nil || h >= to {
			return start, end, ok, err
		}
		d, err := s.f.NextData(h)
		if err != nil || d <= h { // d is h behind the end of a file that was just cut
			return start, end, ok, err
		}
		if d-h >= holeMin {
			start, end, ok = h, d, true
		}
		at = d
	}
	return start, end, ok, nil
}

// gapBefore says where the hole that ends at or covers off starts, by looking
// back in doubling steps; off itself where the byte before off is data.
func (s source) gapBefore(off int64) (int64, error) {
	if off <= 0 {
		return off, nil
	}
	low := off
	for d := int64(holeMin); ; d *= 2 {
		from := max(off-d, 0)
		data, err := s.f.NextData(from)
		if err != nil {
			return off, err
		}
		if data < off { // there is data in [from, low)
			break
		}
		if low = from; from == 0 {
			return 0, nil
		}
		if d >= 1<<61 {
			break
		}
	}
	if low == off {
		return s.nearGap(off)
	}
	at, err := s.lastHoleStart(max(off-2*(off-low), 0), off)
	return at, err
}

// nearGap looks for a hole that reaches off within the holeMin bytes before it.
func (s source) nearGap(off int64) (int64, error) {
	return s.lastHoleStart(max(off-holeMin, 0), off)
}

// lastHoleStart is where the hole that reaches to off starts, which begins at or
// after from; off when there is none.
func (s source) lastHoleStart(from, off int64) (int64, error) {
	for at := from; at < off; {
		h, err := s.f.NextHole(at)
		if err != nil || h >= off {
			return off, err
		}
		d, err := s.f.NextData(h)
		if err != nil || d <= h {
			return off, err
		}
		if d >= off {
			return h, nil
		}
		at = d
	}
	return off, nil
}

// lineStart is where the line that covers the byte before off starts: behind the
// last newline before off, behind a gap, or at the start of the file. It reads
// backwards as far as it must; ctx ends it.
func (s source) lineStart(ctx context.Context, off int64) (int64, error) {
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	for off > s.head {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := max((off-1)/chunk*chunk, 0)
		n, err := s.read(buf[:off-from], from)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			return 0, errStale
		}
		if i := s.enc.last(buf[:n]); i >= 0 {
			return from + int64(i), nil
		}
		if _, end, ok, err := s.holeIn(from, off); err != nil || ok && end < off {
			return end, err
		} else if ok {
			return off, nil // inside a gap
		}
		off = from
	}
	return s.head, nil
}

// nextLine is the offset behind the first newline at or after off, or the end of
// the file; a gap ends a line too. limit bounds how far it looks.
func (s source) nextLine(ctx context.Context, off, limit int64) (at int64, found bool, err error) {
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	for at = off; at < limit; {
		if err := ctx.Err(); err != nil {
			return at, false, err
		}
		if end, err := s.holeAt(at); err != nil || end > at {
			return at, err == nil, err
		}
		n, err := s.read(buf[:min(chunk, limit-at)], at)
		if err != nil || n == 0 {
			return at, false, err
		}
		if i := s.enc.next(buf[:n]); i >= 0 {
			return at + int64(i), true, nil
		}
		at += int64(n)
	}
	return at, false, nil
}

// nuls counts the NULs at off, at most a block's worth.
func (s source) nuls(off int64) int64 {
	var b [4096]byte
	n, _ := s.read(b[:], off)
	i := 0
	for i < n && b[i] == 0 {
		i++
	}
	return int64(i) &^ (s.enc.unit() - 1)
}
