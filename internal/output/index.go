package output

import "encoding/binary"

// The newline index: at most indexMax counts of newlines, one a stride; the
// stride doubles when they are full. 256 KiB of memory at any size: a file of
// 1.4 TB ends at 32 MiB a stride (systems.md 2.3).
const (
	indexMax    = 1 << 16
	indexStride = 64 << 10
)

// index counts newlines by place. The zero value is empty.
type index struct {
	stride int64
	counts []uint32
	total  int64
}

// room makes the stride fit for offsets below end.
func (x *index) room(end int64) {
	if x.stride == 0 {
		x.stride = indexStride
	}
	for (end-1)/x.stride >= indexMax {
		half := (len(x.counts) + 1) / 2
		for i := range half {
			n := x.counts[2*i]
			if 2*i+1 < len(x.counts) {
				n += x.counts[2*i+1]
			}
			x.counts[i] = n
		}
		x.counts = x.counts[:half]
		x.stride *= 2
	}
}

// add counts the newlines of b, which stands at off; calls come in order.
func (x *index) add(e encoding, b []byte, off int64) {
	if len(b) == 0 {
		return
	}
	x.room(off + int64(len(b)))
	for len(b) > 0 {
		i := off / x.stride
		n := min(int64(len(b)), (i+1)*x.stride-off)
		for int64(len(x.counts)) <= i {
			x.counts = append(x.counts, 0)
		}
		c := e.count(b[:n])
		x.counts[i] += uint32(c)
		x.total += c
		b, off = b[n:], off+n
	}
}

// before gives a place at or before off and how many newlines stand before it.
func (x *index) before(off int64) (at, n int64) {
	if x.stride == 0 {
		return 0, 0
	}
	i := min(off/x.stride, int64(len(x.counts)))
	for _, c := range x.counts[:i] {
		n += int64(c)
	}
	return i * x.stride, n
}

// find gives a place before which n newlines do not yet stand, and how many do;
// false when the index does not hold n newlines.
func (x *index) find(n int64) (at, have int64, ok bool) {
	if n > x.total {
		return 0, 0, false
	}
	for i, c := range x.counts {
		if have+int64(c) >= n {
			return int64(i) * x.stride, have, true
		}
		have += int64(c)
	}
	return 0, 0, n == 0
}

// marshal appends the index; small where the file is.
func (x *index) marshal(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(x.stride))
	b = binary.AppendUvarint(b, uint64(len(x.counts)))
	for _, c := range x.counts {
		b = binary.AppendUvarint(b, uint64(c))
	}
	return b
}

// unmarshal reads what marshal wrote and gives what is left.
func (x *index) unmarshal(b []byte) ([]byte, bool) {
	num := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 1 << 63
		}
		b = b[n:]
		return v
	}
	stride, n := num(), num()
	if stride > 1<<40 || n > indexMax || n > uint64(len(b)) {
		return nil, false
	}
	*x = index{stride: int64(stride), counts: make([]uint32, n)}
	for i := range x.counts {
		v := num()
		if v > 1<<32-1 {
			return nil, false
		}
		x.counts[i] = uint32(v)
		x.total += int64(v)
	}
	return b, true
}
