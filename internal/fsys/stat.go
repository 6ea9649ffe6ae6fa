package fsys

import "os"

// Fstat is the state of an open file.
func Fstat(f *os.File) (Stat, error) { return fstat(f) }

// Lstat is the state of a path; a link is looked at itself.
func Lstat(path string) (Stat, error) { return statPath(path, false) }

// StatTarget is the state of what a path leads to, links followed.
func StatTarget(path string) (Stat, error) { return statPath(path, true) }

// Identify is the id of an open file with its birth time, where the system
// knows one. It costs one call more than Fstat.
func Identify(f *os.File) (ID, error) {
	st, err := fstat(f)
	if err != nil {
		return ID{}, err
	}
	id := st.ID
	id.Birth = birth(f)
	return id, nil
}
