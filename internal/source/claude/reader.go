package claude

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/task"
)

const (
	// firstLook is how much of a transcript's end is read before anything else.
	firstLook = 128 << 10
	// chunk is how much is read at once; a longer line makes the buffer grow.
	chunk = 1 << 20
	// maxLine is the longest line that is looked at; a longer one is passed over
	// and counted.
	maxLine = 64 << 20
)

// reader follows one transcript: [low, high) of it has been read. It reads the
// end first and the rest when it is told to, each byte once.
type reader struct {
	path string
	// within is the agent's own folder: a link may point there only (O3).
	within string
	x      *extract
	// early are launches that were found before their place was read.
	early  *extract
	sought map[string]bool
	id     fsys.ID
	head   []byte

	low, high int64
	// tried is the size when the end was last read: a half-written last line is
	// not read again before the file grows.
	tried    int64
	size     int64
	modified time.Time
	tooLong  int
	// plan is the replayed task list, while replayed says that it is current.
	plan     task.Plan
	replayed bool
	trouble  string
	started  bool
}

func newReader(path, within, id string, agent bool) *reader {
	return &reader{path: path, within: within, x: newExtract(id, agent)}
}

// open opens the transcript; what could block, or lies elsewhere, is refused.
func (r *reader) open() (*os.File, fsys.Stat, error) {
	f, err := fsys.OpenLink(r.path, r.within)
	if err != nil {
		return nil, fsys.Stat{}, err
	}
	st, err := fsys.Fstat(f)
	if err == nil {
		if id, idErr := fsys.Identify(f); idErr == nil {
			st.ID = id
		}
		return f, st, nil
	}
	_ = f.Close()
	return nil, st, err
}

// look takes a stat of the file and says whether there is something to read.
func (r *reader) look(st fs.FileInfo) bool {
	r.size, r.modified = st.Size(), st.ModTime()
	return !r.started || r.size != r.tried || r.low > 0
}

// complete says that nothing is left to read.
func (r *reader) complete() bool { return r.started && r.low == 0 && r.tried == r.size }

// read takes up to about budget bytes: what was appended first, then what
// stands before the part that was read. It reports how many bytes it read.
func (r *reader) read(budget int64) int64 {
	f, st, err := r.open()
	if err != nil {
		r.fail(err)
		return 0
	}
	defer func() { _ = f.Close() }()
	if r.started && (r.trouble != "" || r.replaced(f, st)) {
		*r = *newReader(r.path, r.within, r.x.id, r.x.agent)
		r.x.dirty = true
	}
	r.size, r.modified = st.Size, st.ModTime
	if !r.started {
		r.begin(f, st)
	}
	n := r.forward(f, r.size)
	for n < budget && r.low > 0 {
		n += r.backward(f, min(budget-n, 8*chunk))
	}
	if r.low == 0 {
		r.early = nil
	}
	return n
}

// fail says in a sentence why the transcript cannot be read. What was read of
// it before stands.
func (r *reader) fail(err error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.trouble = "The transcript is gone."
	case errors.Is(err, fs.ErrPermission):
		r.trouble = "The transcript cannot be read: permission denied."
	case errors.Is(err, fsys.ErrNotRegular), errors.Is(err, fsys.ErrOutside), errors.Is(err, fsys.ErrSymlink):
		r.trouble = "The transcript is no file of its agent's own folder; it is not opened."
	default:
		r.trouble = "The transcript cannot be read: " + plainError(err) + "."
	}
	r.started, r.low, r.tried = true, 0, r.size
}

// replaced knows a file that was cut or swapped by its identity, its size and
// its first bytes.
func (r *reader) replaced(f *os.File, st fsys.Stat) bool {
	if !r.id.Same(st.ID) || st.Size < r.high {
		return true
	}
	head := make([]byte, len(r.head))
	n, _ := f.ReadAt(head, 0)
	return !bytes.Equal(head[:n], r.head)
}

// begin sets the place where reading starts: the whole of a short file, the
// last lines of a long one.
func (r *reader) begin(f *os.File, st fsys.Stat) {
	r.started, r.id = true, st.ID
	r.head = make([]byte, min(256, st.Size))
	n, _ := f.ReadAt(r.head, 0)
	r.head = r.head[:n]
	if st.Size > firstLook {
		r.low = lineStart(f, st.Size-firstLook)
	}
	r.high = r.low
}

// lineStart is the start of the line that holds offset at.
func lineStart(f io.ReaderAt, at int64) int64 {
	buf := make([]byte, 64<<10)
	for at > 0 {
		n := min(int64(len(buf)), at)
		got, _ := f.ReadAt(buf[:n], at-n)
		if got == 0 {
			return at
		}
		if i := bytes.LastIndexByte(buf[:got], '\n'); i >= 0 {
			return at - n + int64(i) + 1
		}
		at -= n
	}
	return 0
}

// forward reads the complete lines up to size; a half-written last one waits.
func (r *reader) forward(f io.ReaderAt, size int64) int64 {
	from := r.high
	if size != r.tried {
		r.high = r.lines(f, r.high, size, r.x.open)
	}
	r.tried = size
	return r.high - from
}

// backward reads the lines of about n bytes before the part that is known.
func (r *reader) backward(f io.ReaderAt, n int64) int64 {
	start := lineStart(f, max(0, r.low-n))
	open, told := calls{}, r.x.toldOf
	r.x.toldOf = nil
	r.lines(f, start, r.low, open)
	r.x.toldOf = told // what is read forward goes on at the end of the file
	// What is open now was answered in a part that is read already, or never; the
	// last call of a stretch may be answered in the next, which waits for it.
	n = r.low - start
	r.low = start
	return n
}

// buffers are lent to readers: one Scan reads one file at a time.
var buffers = sync.Pool{New: func() any { b := make([]byte, 2*chunk); return &b }}

// lines hands every complete line of [from, to) on and gives the offset behind
// the last one. A line that is too long is passed over and counted.
func (r *reader) lines(f io.ReaderAt, from, to int64, open calls) int64 {
	lent := buffers.Get().(*[]byte)
	defer buffers.Put(lent)
	buf, held := *lent, 0 // buf[:held] is an unfinished line that starts at at
	at := from
	skipping := false
	for from < to {
		if len(buf)-held < chunk {
			buf = append(make([]byte, 0, 2*len(buf)), buf[:held]...)
			buf = buf[:cap(buf)]
		}
		n, err := f.ReadAt(buf[held:held+int(min(chunk, to-from))], from)
		from += int64(n)
		done, end := 0, held+n
		for {
			i := bytes.IndexByte(buf[max(done, held):end], '\n')
			if i < 0 {
				break
			}
			i += max(done, held)
			if !skipping {
				r.x.line(bytes.TrimRight(buf[done:i], "\r"), at, open)
			}
			skipping = false
			at += int64(i + 1 - done)
			done, held = i+1, 0
		}
		held = copy(buf, buf[done:end])
		if held > maxLine {
			if !skipping {
				r.tooLong++
			}
			skipping = true
			at += int64(held)
			held = 0
		}
		if n == 0 || (err != nil && !errors.Is(err, io.EOF)) {
			break
		}
	}
	return at
}
