package proc

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"

	"offstage/internal/world"
)

// folder is the live process folder of Linux: rows and descriptors are read
// with bare system calls, the rest as in a recording.
type folder struct{ recording }

func systemHost(w *world.World) (host, error) {
	dir := w.Proc()
	if dir == "" {
		return nil, ErrNoProcs
	}
	return folder{recording{dir: dir, w: nil}}, nil
}

func (f folder) rows() ([]Proc, error) {
	names, err := pidNames(f.dir)
	if err != nil {
		return nil, ErrNoProcs
	}
	rows := make([]Proc, 0, len(names))
	buf := make([]byte, 2048)
	for _, n := range names {
		switch p, err := readStat(f.dir+"/"+n+"/stat", buf); {
		case err == nil:
			rows = append(rows, p)
		case scarce(err):
			return nil, fmt.Errorf("read the process table: %w", err)
		}
	}
	if len(rows) == 0 {
		return nil, ErrNoProcs
	}
	return rows, nil
}

// scarce says that we ran out of something: then what was not read is unknown,
// not gone.
func scarce(err error) bool {
	return errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) || errors.Is(err, unix.ENOMEM)
}

// readStat is one row: the owner of the file is the owner of the process.
// ErrGone where there is none.
func readStat(path string, buf []byte) (Proc, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == unix.ENOENT || err == unix.ESRCH {
		return Proc{}, ErrGone
	}
	if err != nil {
		return Proc{}, err
	}
	defer func() { _ = unix.Close(fd) }()
	n, err := unix.Read(fd, buf)
	if err == unix.ESRCH {
		return Proc{}, ErrGone
	}
	if err != nil {
		return Proc{}, err
	}
	p, ok := parseStat(buf[:n])
	if !ok {
		return Proc{}, fmt.Errorf("read %s: not a line of proc_pid_stat(5)", path)
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) == nil {
		p.UID = int(st.Uid)
	}
	return p, nil
}

// startOf is the start time of pid as it stands now, for the check before a
// signal. ErrGone for a zombie and for no process; another error means that it
// cannot be known.
func startOf(pid int) (uint64, error) {
	dir := new(world.World).Proc()
	if dir == "" {
		return 0, ErrNoProcs
	}
	p, err := readStat(dir+"/"+strconv.Itoa(pid)+"/stat", make([]byte, 2048))
	if err == nil && p.Dead() {
		err = ErrGone
	}
	return p.Start, err
}
