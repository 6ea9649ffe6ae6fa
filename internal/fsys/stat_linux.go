package fsys

import (
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

func fromStat(st *unix.Stat_t) Stat {
	return Stat{
		ID:      ID{Dev: uint64(st.Dev), Ino: st.Ino},
		Size:    st.Size,
		ModTime: time.Unix(int64(st.Mtim.Sec), int64(st.Mtim.Nsec)),
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

// birth by statx; 0 where kernel or file system do not tell.
func birth(f *os.File) int64 {
	rc, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	var stx unix.Statx_t
	var serr error
	err = rc.Control(func(fd uintptr) {
		serr = unix.Statx(int(fd), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &stx)
	})
	if err != nil || serr != nil || stx.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return stx.Btime.Sec*1e9 + int64(stx.Btime.Nsec)
}

// Magic numbers of statfs(2) for file systems on which another machine, or the
// layer below, writes without the kernel here telling of it (systems.md 2.1).
var pollOnly = map[int64]string{
	0x6969:     "nfs",
	0x65735546: "fuse",
	0x517b:     "smb",
	0xff534d42: "cifs",
	0xfe534d42: "smb2",
	0x01021997: "9p",
	0x794c7630: "overlay",
	0x00c36400: "ceph",
	0x5346414f: "afs",
	0x0bd00bd0: "lustre",
	0x73757245: "coda",
	0x786f4256: "vboxsf",
	0xbacbacbc: "vmhgfs",
	0x53464846: "wsl",
	0x6a656a63: "virtiofs",
}

// FileSystem names the file system of path where it is one whose changes bring
// no reliable events; poll is true for those. Others have the name "".
func FileSystem(path string) (name string, poll bool, err error) {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return "", false, err
	}
	name, poll = pollOnly[int64(st.Type)&0xffffffff]
	return name, poll, nil
}
