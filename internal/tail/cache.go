package tail

import (
	"errors"
	"io"
	"os"
	"sync"
)

// BlockSize is the size and alignment of cached blocks: the fastest length of a
// pread from the page cache (systems.md 2.2).
const BlockSize = 256 << 10

// cache is a small LRU of blocks of one open file. Copies are the same cache, so
// that a reader keeps the one that goes with the file it reads.
type cache struct {
	mu     *sync.Mutex
	blocks *[]block // newest use first
	most   int
}

// block holds the first len(data) bytes of the file's block n. Bytes are only
// ever appended to data, under the lock.
type block struct {
	n    int64
	data []byte
}

func newCache(most int) cache {
	return cache{mu: new(sync.Mutex), blocks: new([]block), most: most}
}

func (c *cache) clear() {
	c.mu.Lock()
	*c.blocks = nil
	c.mu.Unlock()
}

// read copies what block of off holds from off on; at most to the block's end.
func (c *cache) read(f *os.File, p []byte, off, size int64) (int, error) {
	n, in := off/BlockSize, int(off%BlockSize)
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.take(n)
	want := int(min(BlockSize, max(size-n*BlockSize, int64(in+1))))
	if len(b.data) < want {
		want = int(min(BlockSize, max(int64(want), int64(in+len(p))))) // what it grew by comes along
		if err := b.fill(f, want); err != nil {
			return 0, err
		}
	}
	if in >= len(b.data) {
		return 0, nil
	}
	return copy(p, b.data[in:]), nil
}

// take moves block n to the front, in the place of the oldest if it is new.
func (c *cache) take(n int64) *block {
	bs := *c.blocks
	i := 0
	for i < len(bs) && bs[i].n != n {
		i++
	}
	if i == len(bs) {
		var buf []byte
		if len(bs) < c.most {
			bs = append(bs, block{})
		} else {
			i--
			buf = bs[i].data[:0]
		}
		bs[i] = block{n: n, data: buf}
	}
	b := bs[i]
	copy(bs[1:i+1], bs[:i])
	bs[0] = b
	*c.blocks = bs
	return &bs[0]
}

// fill reads on until the block holds want bytes or the file ends.
func (b *block) fill(f *os.File, want int) error {
	if cap(b.data) < want {
		room := make([]byte, len(b.data), roomFor(want))
		copy(room, b.data)
		b.data = room
	}
	have := len(b.data)
	n, err := f.ReadAt(b.data[have:want], b.n*BlockSize+int64(have))
	b.data = b.data[:have+n]
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// roomFor doubles small blocks, so that many short logs stay small.
func roomFor(want int) int {
	room := 4 << 10
	for room < want {
		room *= 2
	}
	return min(room, BlockSize)
}
