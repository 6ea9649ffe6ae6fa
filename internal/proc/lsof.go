package proc

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// What lsof says with -F: one field per line, the letter first. A line "p…"
// begins a process, "f…" one of its files. macOS has no other way to ask who
// holds a file that needs no C.

// lsofFile is one open file of one process.
type lsofFile struct {
	PID, PPID, PGID, UID int
	// FD is its number, -1 for a working folder, a text or a mapping.
	FD int
	// Access is r, w or u (both), 0 where unknown.
	Access byte
	// Device ("0x1000004") and Inode identify the file, Name shows it.
	Device, Inode, Name string
	// Char is the device as text: of a pipe on macOS its own kernel address, while
	// Name is "->" and the address of its other end.
	Char string
}

// parseLsof reads the fields p R g u, f a d D i n; others are passed over.
func parseLsof(out string) []lsofFile {
	var files []lsofFile
	var at lsofFile
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if line == "" {
			continue
		}
		value := line[1:]
		number, err := strconv.Atoi(value)
		if line[0] == 'p' {
			if at = (lsofFile{PID: number, FD: -1, UID: -1}); err != nil {
				at.PID = 0
			}
			continue
		}
		if line[0] == 'f' {
			if err != nil {
				number = -1
			}
			files = append(files, lsofFile{PID: at.PID, PPID: at.PPID, PGID: at.PGID, UID: at.UID, FD: number})
			continue
		}
		switch {
		case line[0] == 'R':
			at.PPID = number
		case line[0] == 'g':
			at.PGID = number
		case line[0] == 'u':
			at.UID = number
		case len(files) > 0:
			files[len(files)-1].field(line[0], value)
		}
	}
	return files
}

func (f *lsofFile) field(letter byte, value string) {
	switch letter {
	case 'a':
		if value != "" && value != " " {
			f.Access = value[0]
		}
	case 'D':
		f.Device = value
	case 'd':
		f.Char = value
	case 'i':
		f.Inode = value
	case 'n':
		f.Name = value
	}
}

func (f lsofFile) write() bool { return f.Access == 'w' || f.Access == 'u' }

// port reads the name of a listening socket: "*:3000", "127.0.0.1:5173",
// "[::1]:5173"; 0 where it is none.
func (f lsofFile) port() int {
	i := strings.LastIndexByte(f.Name, ':')
	if i < 0 {
		return 0
	}
	word, _, _ := strings.Cut(f.Name[i+1:], " ")
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 65535 {
		return 0
	}
	return n
}

// sameName makes one of the two names that macOS has for its folders of
// temporary files: /tmp, /var and /etc are links to /private/….
func sameName(name string) string {
	name = path.Clean(name)
	for _, dir := range []string{"/tmp", "/var", "/etc"} {
		if name == dir || strings.HasPrefix(name, dir+"/") {
			return "/private" + name
		}
	}
	return name
}

// lsofPaths are the names to ask lsof for, each file once.
func lsofPaths(paths []string) []string {
	seen := make(map[string]bool, len(paths))
	var out []string
	for _, p := range paths {
		if n := sameName(p); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// pipedTo are the processes whose fd 0 is the other end of a pipe that another
// one of files has as fd 1 or 2.
func pipedTo(files []lsofFile) map[int]bool {
	from := make(map[string][]int)
	for _, f := range files {
		if (f.FD == 1 || f.FD == 2) && f.Char != "" {
			from["->"+f.Char] = append(from["->"+f.Char], f.PID)
		}
	}
	out := make(map[int]bool)
	for _, f := range files {
		if f.FD == 0 && slices.ContainsFunc(from[f.Name], func(w int) bool { return w != f.PID }) {
			out[f.PID] = true
		}
	}
	return out
}
