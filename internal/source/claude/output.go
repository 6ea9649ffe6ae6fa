package claude

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/internal/fsys"
	"offstage/task"
)

// outFile is an output file as it stands on disk.
type outFile struct {
	ref     task.OutputRef
	trouble string
	exists  bool
	// mark is the end mark in its last line, "" if there is none.
	mark endMark
}

// endMark is what the client appended when the command ended (2.1.3xx).
type endMark struct {
	set     bool
	killed  bool
	unknown bool
	code    int
}

var exitedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[exited with code (-?\d{1,10})\]$`) })

// readMark reads the last line of an output. Only the last line of the file
// counts: a command can print the same words.
func readMark(tail []byte) endMark {
	line := bytes.TrimRight(tail, "\r\n")
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if len(tail) >= markTail {
		return endMark{}
	}
	line = bytes.TrimRight(line, "\r")
	switch {
	case string(line) == "[killed]":
		return endMark{set: true, killed: true}
	case string(line) == "[process exited while detached; exit code unknown]":
		return endMark{set: true, unknown: true}
	}
	if m := exitedText().FindSubmatch(line); m != nil && tail[len(tail)-1] == '\n' {
		n, err := strconv.Atoi(string(m[1]))
		return endMark{set: err == nil, unknown: n < 0, code: n}
	}
	return endMark{}
}

// markTail is how much of a file's end is read for its mark.
const markTail = 256

// markOf reads the end mark of a file, again only when the file has changed.
func (s *Source) markOf(real string, st fs.FileInfo) endMark {
	type key struct {
		size int64
		at   time.Time
	}
	k := key{st.Size(), st.ModTime()}
	if c, ok := s.marks[real]; ok && c.size == k.size && c.at.Equal(k.at) {
		return c.mark
	}
	f, err := fsys.Open(real)
	if err != nil {
		return endMark{}
	}
	defer func() { _ = f.Close() }()
	buf := make([]byte, min(markTail, st.Size()))
	n, _ := f.ReadAt(buf, st.Size()-int64(len(buf)))
	if len(s.marks) > 8192 {
		clear(s.marks)
	}
	m := readMark(buf[:n])
	s.marks[real] = cachedMark{size: k.size, at: k.at, mark: m}
	return m
}

type cachedMark struct {
	size int64
	at   time.Time
	mark endMark
}

// shellOutput looks at the output file of a shell, monitor or workflow.
func (s *Source) shellOutput(w *work, p places) outFile {
	recorded := firstOf(w.launch.path, w.path)
	if recorded == "" {
		recorded = s.searchOutput(w, p)
	}
	if recorded == "" {
		return outFile{trouble: "Its record names no output file that may be opened here (old versions keep the output in memory): ask the agent to show it."}
	}
	o := outFile{ref: task.OutputRef{Recorded: recorded, Path: s.linkReal(recorded)}}
	st, err := os.Lstat(o.ref.Path)
	if err == nil && st.Mode()&fs.ModeSymlink != 0 {
		// A hand-over to a background session leaves a link to the old folder.
		target := s.w.Path(recorded)
		if !s.ownOutput(target, p) {
			o.ref.Path, o.trouble = "", "Its output file is a link to elsewhere; it is not opened."
			return o
		}
		o.ref.Path = target
		st, err = os.Lstat(target)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.trouble = "Its output file was removed."
	case err != nil:
		o.trouble = "Its output file cannot be looked at: " + plainError(err) + "."
	case !st.Mode().IsRegular():
		o.ref.Path, o.trouble = "", "Its output file is "+kindOfFile(st.Mode())+", not a file; it is not opened."
	default:
		o.exists = true
		o.ref.Bytes, o.ref.LastWrite = st.Size(), st.ModTime()
		o.mark = s.markOf(o.ref.Path, st)
		if st.Mode().Perm()&0o444 == 0 {
			o.trouble = "Its output file cannot be read: permission denied."
		}
	}
	return o
}

// plainError is an error without the path that it names.
func plainError(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func kindOfFile(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// ownOutput says that a link's target is an output of the same agent: in a
// tasks folder below one of its temporary folders.
func (s *Source) ownOutput(target string, p places) bool {
	if path.Base(path.Dir(target)) != "tasks" {
		return false
	}
	for _, base := range p.tmp {
		rest, ok := strings.CutPrefix(target, strings.TrimSuffix(s.w.Path(base), "/")+"/claude")
		if ok && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "-")) {
			return true
		}
	}
	return false
}

// searchOutput finds the file of a task whose record names none (monitors).
func (s *Source) searchOutput(w *work, p places) string {
	if w.from.file == nil || !safeName(w.id) {
		return ""
	}
	if at, ok := s.foundOutput[w.key]; ok {
		return at
	}
	for _, dir := range s.tasksFolders(p, w.from.file.project, w.from.session) {
		name := path.Join(dir, w.id+".output")
		if _, err := os.Lstat(s.w.LinkPath(name)); err == nil {
			s.foundOutput[w.key] = name
			return name
		}
	}
	if len(w.ends) > 0 {
		// It has ended without a file: none will come.
		s.foundOutput[w.key] = ""
	}
	return ""
}
