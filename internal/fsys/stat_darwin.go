package fsys

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

func fromStat(st *unix.Stat_t) Stat {
	return Stat{
		ID:      ID{Dev: uint64(uint32(st.Dev)), Ino: st.Ino},
		Size:    st.Size,
		ModTime: time.Unix(st.Mtim.Sec, st.Mtim.Nsec),
		Mode:    unixMode(uint32(st.Mode)),
		Blocks:  st.Blocks * 512,
	}
}

func unixMode(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFCHR, unix.S_IFBLK:
		mode |= fs.ModeDevice
	}
	return mode
}

func birth(f *os.File) int64 {
	rc, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	var st unix.Stat_t
	var serr error
	if err := rc.Control(func(fd uintptr) { serr = unix.Fstat(int(fd), &st) }); err != nil || serr != nil {
		return 0
	}
	return st.Btim.Sec*1e9 + st.Btim.Nsec
}

// FileSystem says that everything is polled: a watch on a folder would open
// every file in it here (systems.md 2.1).
func FileSystem(path string) (name string, poll bool, err error) {
	_, err = os.Stat(path)
	return "", true, err
}
