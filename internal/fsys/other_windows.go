package fsys

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// openRaw opens with sharing of everything, so that the writer may go on,
// rename and delete, and without following a reparse point.
func openRaw(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	const attrs = windows.FILE_ATTRIBUTE_NORMAL | windows.FILE_FLAG_OPEN_REPARSE_POINT | windows.FILE_FLAG_BACKUP_SEMANTICS
	h, err := windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, attrs, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(h, &info); err == nil && info.FileAttributes&windows.FILE_ATTRIBUTE_REPARSE_POINT != 0 {
		_ = windows.CloseHandle(h)
		return nil, &PathError{Path: path, Err: ErrSymlink}
	}
	return os.NewFile(uintptr(h), path), nil
}

// CreatePrivate makes a new file; fs.ErrExist when the name is taken. Who may
// read it follows from the folder, which lies in the person's own profile.
func CreatePrivate(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	return f, nil
}

// Space of the volume that holds path, in bytes.
func Space(path string) (free, total uint64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 0, fmt.Errorf("ask for free space of %s: %w", path, err)
	}
	var all uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, &total, &all); err != nil {
		return 0, 0, fmt.Errorf("ask for free space of %s: %w", path, err)
	}
	return free, total, nil
}

func fstat(f *os.File) (Stat, error) {
	st, err := f.Stat()
	if err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", f.Name(), err)
	}
	s := Stat{Size: st.Size(), ModTime: st.ModTime(), Mode: st.Mode(), Blocks: -1}
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", f.Name(), err)
	}
	s.ID = ID{Dev: uint64(info.VolumeSerialNumber), Ino: uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}
	return s, nil
}

// statPath opens the path for a moment: only a handle tells the file's index.
func statPath(path string, follow bool) (Stat, error) {
	if follow {
		f, err := os.Open(path)
		if err != nil {
			return Stat{}, fmt.Errorf("look at %s: %w", path, err)
		}
		defer func() { _ = f.Close() }()
		return fstat(f)
	}
	st, err := os.Lstat(path)
	if err != nil {
		return Stat{}, fmt.Errorf("look at %s: %w", path, err)
	}
	if !st.Mode().IsRegular() {
		return Stat{Size: st.Size(), ModTime: st.ModTime(), Mode: st.Mode(), Blocks: -1}, nil
	}
	f, err := openRaw(path)
	if err != nil {
		return Stat{}, err
	}
	defer func() { _ = f.Close() }()
	return fstat(f)
}

func birth(f *os.File) int64 {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return 0
	}
	return info.CreationTime.Nanoseconds()
}

// FileSystem says that everything is polled here.
func FileSystem(path string) (name string, poll bool, err error) {
	_, err = os.Stat(path)
	return "", true, err
}

// NextData has no cheap answer here: everything counts as data.
func NextData(_ *os.File, off int64) (int64, error) { return off, nil }

// NextHole is the end of the file: there are no holes to skip.
func NextHole(f *os.File, _ int64) (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

// PunchHole is not offered here.
func PunchHole(*os.File, int64, int64) error { return ErrUnsupported }

// syncDir does nothing: a rename is durable by the file system's own log.
func syncDir(string) error { return nil }

// NoSpace says whether err means that the disk is full.
func NoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}
