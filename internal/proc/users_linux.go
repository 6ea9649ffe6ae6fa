package proc

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// perWorker is how many processes one worker looks at alone: below it a second
// one gains little.
const perWorker = 250

// file identifies an open file: its device and inode, not its name.
type file struct {
	major, minor uint32
	ino          uint64
}

// users looks through every descriptor of every process. One statx per
// descriptor says which file it is, without asking a server that may not
// answer; the mode of the link itself says whether it may write.
func (f folder) users(rows []Proc, seek *search) error {
	files := make(map[uint64][]wanted, len(seek.paths))
	gone := false
	for i, path := range seek.paths {
		var st unix.Statx_t
		if seek.info[i] == nil || unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO, &st) != nil {
			gone = true
			continue
		}
		files[st.Ino] = append(files[st.Ino], wanted{file{st.Dev_major, st.Dev_minor, st.Ino}, i})
	}
	workers := min(runtime.GOMAXPROCS(0), 4, 1+len(rows)/perWorker)
	look := make([]*looker, workers)
	var wg sync.WaitGroup
	for k := range look {
		l := &looker{dir: f.dir, files: files, text: seek.text, gone: gone, buf: make([]byte, 32<<10)}
		look[k] = l
		wg.Go(func() {
			for i := k; i < len(rows); i += workers {
				if rows[i].Dead() || kernelThread(rows[i]) {
					continue
				}
				if seek.std {
					l.output(rows[i])
				} else {
					l.process(rows[i])
				}
			}
		})
	}
	wg.Wait()
	unread := 0
	for _, l := range look {
		if l.err != nil {
			return fmt.Errorf("look who holds %d files: %w", len(seek.paths), l.err)
		}
		unread += l.unread
		for _, h := range l.hits {
			seek.found(h.path, h.p, h.fd, h.write)
		}
	}
	markBlind(rows, seek, unread)
	return nil
}

// markBlind says of which files "nobody" would be a guess: those of another
// owner, where processes could not be looked into or are hidden (then pid 1 is).
func markBlind(rows []Proc, seek *search, unread int) {
	hidden := !slices.ContainsFunc(rows, func(p Proc) bool { return p.PID == 1 })
	if unread == 0 && !hidden {
		return
	}
	for i, info := range seek.info {
		if info == nil {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
			seek.blind[i] = true
		}
	}
}

type wanted struct {
	file
	path int
}

type hit struct {
	path  int
	p     Proc
	fd    int
	write bool
}

// looker is one worker's part of the pass.
type looker struct {
	dir    string
	files  map[uint64][]wanted
	text   map[string][]int
	gone   bool // some wanted file was deleted: compare names of deleted ones
	buf    []byte
	names  []string
	hits   []hit
	unread int
	err    error
}

// output looks at fd 1 and 2 alone, without a list of what there is.
func (l *looker) output(p Proc) {
	dir, err := unix.Open(l.dir+"/"+strconv.Itoa(p.PID)+"/fd", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		l.missed(err)
		return
	}
	defer func() { _ = unix.Close(dir) }()
	for _, name := range stdNames {
		l.descriptor(p, dir, name)
	}
}

func (l *looker) process(p Proc) {
	dir, err := unix.Open(l.dir+"/"+strconv.Itoa(p.PID)+"/fd", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		l.missed(err)
		return
	}
	defer func() { _ = unix.Close(dir) }()
	for {
		n, err := unix.Getdents(dir, l.buf)
		if err != nil {
			l.missed(err)
			return
		}
		if n <= 0 {
			return
		}
		_, _, l.names = unix.ParseDirent(l.buf[:n], -1, l.names[:0])
		for _, name := range l.names {
			l.descriptor(p, dir, name)
		}
	}
}

// kernelThread: a child of kthreadd, or that itself; it holds no file. In a
// container pid 2 is anybody.
func kernelThread(p Proc) bool {
	return p.PGID == 0 && p.SID == 0 && (p.PPID == 2 || p.PID == 2 && p.PPID == 0)
}

// missed counts what could not be looked into; what has ended counts for nothing.
func (l *looker) missed(err error) {
	switch {
	case scarce(err):
		l.err = err
	case err == unix.EACCES || err == unix.EPERM:
		l.unread++
	}
}

func (l *looker) descriptor(p Proc, dir int, name string) {
	var st unix.Statx_t
	if err := unix.Statx(dir, name, unix.AT_STATX_DONT_SYNC, unix.STATX_INO|unix.STATX_NLINK, &st); err != nil {
		l.missed(err) // ENOENT: closed meanwhile
		return
	}
	var paths []int
	for _, want := range l.files[st.Ino] {
		if want.major == st.Dev_major && want.minor == st.Dev_minor || slices.Contains(l.text[readlinkat(dir, name)], want.path) {
			paths = append(paths, want.path)
		}
	}
	if l.gone && st.Nlink == 0 && len(paths) == 0 {
		paths = l.text[readlinkat(dir, name)]
	}
	if len(paths) == 0 {
		return
	}
	var link unix.Stat_t
	if err := unix.Fstatat(dir, name, &link, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return
	}
	fd, _ := strconv.Atoi(name) // the kernel's own number
	for _, i := range paths {
		l.hits = append(l.hits, hit{i, p, fd, link.Mode&unix.S_IWUSR != 0})
	}
}

func readlinkat(dir int, name string) string {
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(dir, name, buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
}
