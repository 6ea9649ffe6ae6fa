package trace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"offstage/internal/fsys"
)

// Bounds of reading.
const (
	block = 1 << 20
	least = 64 << 10
	// MaxLine is the longest line that is looked at; a longer one is passed over
	// and counted.
	MaxLine = 16 << 20
	headLen = 256
)

// Lines follows one JSON-lines file: each complete line is handed out once. The
// zero value begins at the start. It is not safe for concurrent use.
type Lines struct {
	// Size and ModTime are the file's at the last Read.
	Size    int64
	ModTime time.Time
	// TooLong counts lines that were passed over.
	TooLong int
	// Err is why the file could not be read the last time, nil if it could.
	Err error

	at   int64 // where the next line starts
	over int64 // up to where a line that is too long was passed over; 0: none is
	seen int64 // the size to which it was read: a half-written line waits for more
	id   fsys.ID
	head []byte
	// triedSize and triedAt are those of the file when it could not be read.
	triedSize int64
	triedAt   time.Time
}

// Changed says, by a size and a time, that Read may have something to do. A file
// that could not be read is tried again when it changes.
func (l *Lines) Changed(size int64, modified time.Time) bool {
	if l.Err != nil && size == l.triedSize && modified.Equal(l.triedAt) {
		return false
	}
	return size != l.seen || !modified.Equal(l.ModTime)
}

// Done says that all complete lines were handed out at the last Read.
func (l *Lines) Done() bool { return l.seen == l.Size }

// Read hands out the complete lines that were added, each without its newline
// and with the offset where it starts, until budget bytes were read, and at least
// one line. reset is called first where the file was cut or replaced: what
// was folded of it counts no more. The bytes are valid only inside fn.
func (l *Lines) Read(f *Folder, rel string, budget int64, reset func(), fn func(line []byte, at int64)) {
	file, st, err := f.Open(rel)
	if l.Err = err; err != nil {
		if st, err := f.Stat(rel); err == nil {
			l.triedSize, l.triedAt = st.Size(), st.ModTime()
		}
		return
	}
	defer func() { _ = file.Close() }()
	id, err := fsys.Identify(file)
	if err != nil {
		l.Err = err
		return
	}
	if l.begun() && l.replaced(file, id, st.Size()) {
		*l = Lines{}
		reset()
	}
	if l.Size, l.ModTime = st.Size(), st.ModTime(); !l.begun() {
		l.id = id
	}
	if len(l.head) < headLen {
		head := make([]byte, min(headLen, l.Size))
		n, _ := file.ReadAt(head, 0)
		l.head = head[:n]
	}
	l.Err = l.lines(file, budget, fn)
}

func (l *Lines) begun() bool { return l.at > 0 || l.seen > 0 || l.over > 0 }

// replaced knows another file by its identity, size and first bytes.
func (l *Lines) replaced(file *os.File, id fsys.ID, size int64) bool {
	if !l.id.Same(id) || size < max(l.seen, l.at) {
		return true
	}
	head := make([]byte, len(l.head))
	n, _ := file.ReadAt(head, 0)
	return !bytes.Equal(head[:n], l.head)
}

var buffers = sync.Pool{New: func() any { b := make([]byte, block); return &b }}

// lines reads block by block; a line longer than a block makes the buffer grow.
func (l *Lines) lines(file io.ReaderAt, budget int64, fn func(line []byte, at int64)) error {
	lent := buffers.Get().(*[]byte)
	defer buffers.Put(lent)
	buf := *lent
	held := 0 // buf[:held] was searched and holds no newline
	began := max(l.at, l.over)
	for read := int64(0); read < budget || max(l.at, l.over) == began; {
		if held == len(buf) {
			buf = append(make([]byte, 0, 2*len(buf)), buf...)
			buf = buf[:cap(buf)]
		}
		from := max(l.at, l.over) + int64(held)
		most := min(int64(len(buf)-held), max(budget-read, least), max(0, l.Size-from))
		n, err := file.ReadAt(buf[held:int64(held)+most], from)
		if n == 0 {
			l.seen = l.Size
			if err == nil || errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		read += int64(n)
		held = l.take(buf[:held+n], held, fn)
		if held > MaxLine {
			l.over, held = max(l.at, l.over)+int64(held), 0
		}
	}
	return nil
}

// take hands out the complete lines of b, of which the first searched bytes hold
// no newline, moves the rest to the front and says how much that is.
func (l *Lines) take(b []byte, searched int, fn func(line []byte, at int64)) int {
	start := 0
	for {
		i := bytes.IndexByte(b[max(start, searched):], '\n')
		if i < 0 {
			break
		}
		end := max(start, searched) + i
		if l.over > 0 {
			l.TooLong++
			l.at, l.over = l.over+int64(end+1), 0
		} else {
			if line := bytes.TrimRight(b[start:end], "\r"); len(line) > 0 {
				fn(line, l.at)
			}
			l.at += int64(end + 1 - start)
		}
		start = end + 1
	}
	return copy(b, b[start:])
}
