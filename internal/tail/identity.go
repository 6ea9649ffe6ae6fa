package tail

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"os"

	"offstage/internal/fsys"
)

// headLen is how much of a file's start tells it from another with the same
// inode: an inode number is used again, a log is cut and written anew.
const headLen = 1 << 10

// Identity tells files apart over restarts of the program. It is comparable.
type Identity struct {
	fsys.ID
	// Head is a hash of the first HeadLen bytes, at most 1 KiB.
	Head    uint64
	HeadLen int
}

// Identity of the file that is open now.
func (t *File) Identity() Identity {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return Identity{ID: t.id, Head: hash(t.head), HeadLen: len(t.head)}
}

// Is says whether the open file is the one that id was taken of, perhaps grown
// since.
func (t *File) Is(id Identity) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.id.Same(id.ID) || id.HeadLen > len(t.head) || id.HeadLen < 0 {
		return false
	}
	return hash(t.head[:id.HeadLen]) == id.Head
}

func hash(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return h.Sum64()
}

// identityLen is the size of a marshalled Identity.
const identityLen = 5 * 8

// MarshalBinary gives 40 bytes.
func (i Identity) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, identityLen)
	for _, v := range []uint64{i.Dev, i.Ino, uint64(i.Birth), i.Head, uint64(i.HeadLen)} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b, nil
}

// UnmarshalBinary reads what MarshalBinary gave.
func (i *Identity) UnmarshalBinary(b []byte) error {
	if len(b) != identityLen {
		return errors.New("read a file's identity: wrong length")
	}
	at := func(n int) uint64 { return binary.LittleEndian.Uint64(b[8*n:]) }
	i.Dev, i.Ino, i.Birth, i.Head, i.HeadLen = at(0), at(1), int64(at(2)), at(3), int(at(4))
	return nil
}

func readHead(f *os.File, size int64) []byte {
	b := make([]byte, min(size, headLen))
	n, _ := f.ReadAt(b, 0)
	return b[:n]
}

// seamLen is how many of the last bytes are kept: a file that was cut in its
// middle and has grown past its old size is told by them.
const seamLen = 64

func readSeam(f *os.File, size int64) []byte {
	b := make([]byte, min(size, seamLen))
	n, _ := f.ReadAt(b, size-int64(len(b)))
	return b[:n]
}
