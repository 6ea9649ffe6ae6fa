package files

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"offstage/internal/fsys"
	"offstage/task"
)

// guess is what a file's name says of whether it is a log.
type guess int

const (
	never guess = iota
	maybe
	surely
)

var logEndings = map[string]bool{".log": true, ".out": true, ".output": true, ".err": true, ".stdout": true, ".stderr": true, ".txt": true, ".trace": true}

var rotated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.(log|out|output|err|txt)[.-][0-9][0-9a-zA-Z.:-]*$`)
})

// named judges by the name: an ending of logs is one, no ending may be, any
// other ending is not (sources, pictures, archives).
func named(name string) guess {
	low := strings.ToLower(name)
	ext := path.Ext(low)
	switch {
	case strings.HasSuffix(low, ".gz"), strings.HasSuffix(low, ".xz"), strings.HasSuffix(low, ".zst"), strings.HasSuffix(low, ".bz2"):
		return never
	case logEndings[ext], rotated().MatchString(low):
		return surely
	case ext == "" || ext == low:
		return maybe
	}
	return never
}

// look is what was read of a file, kept as long as size and time are the same.
type look struct {
	size int64
	at   time.Time
	log  bool
	mark mark
	// grew is when its size was last seen to change.
	grew time.Time
}

// sniffed is how much of a file's start is looked at; markTail of its end.
const (
	sniffed  = 1024
	markTail = 256
)

// looksLikeLog reads the start of a file whose name does not say, and the end
// of every one for its mark.
func (s *Source) looksLikeLog(f logFile) bool {
	old, known := s.looks[f.real]
	if known && old.size == f.st.Size && old.at.Equal(f.st.ModTime) {
		return old.log
	}
	if len(s.looks)+len(s.births) > 4*maxSeen {
		clear(s.looks)
		clear(s.births)
	}
	l := look{size: f.st.Size, at: f.st.ModTime, log: named(path.Base(f.name)) == surely, grew: old.grew}
	if known && old.size != l.size {
		l.grew = s.w.Now()
	}
	if h, err := fsys.Open(f.real); err == nil {
		buf := make([]byte, sniffed)
		n, _ := h.ReadAt(buf, 0)
		l.log = n > 0 && isText(buf[:n]) || l.log && !foreign(path.Base(f.name), buf[:n])
		tail := make([]byte, min(markTail, f.st.Size))
		if m, _ := h.ReadAt(tail, f.st.Size-int64(len(tail))); m == len(tail) {
			l.mark = readMark(tail)
		}
		if _, ok := s.births[f.real]; !ok {
			if id, err := fsys.Identify(h); err == nil && id.Birth > 0 {
				s.births[f.real] = time.Unix(0, id.Birth)
			}
		}
		_ = h.Close()
	}
	s.looks[f.real] = l
	return l.log
}

// isText: no zero byte, and nearly all of it is UTF-8.
func isText(b []byte) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return false
	}
	bad := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 && len(b)-i >= utf8.UTFMax {
			bad++
		}
		i += n
	}
	return bad*20 <= len(b)
}

// mark is an agent's end mark in the last line.
type mark struct {
	set, killed bool
	code        int
}

var exitedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[exited with code (-?\d{1,10})\]$`) })

func readMark(tail []byte) mark {
	line := bytes.TrimRight(tail, "\r\n")
	i := bytes.LastIndexByte(line, '\n')
	if i < 0 && len(tail) >= markTail {
		return mark{}
	}
	text := strings.TrimRight(string(line[i+1:]), "\r")
	if text == "[killed]" {
		return mark{set: true, killed: true}
	}
	if m := exitedText().FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		return mark{set: err == nil && n >= 0, code: n}
	}
	return mark{}
}

// task is one log as a task.
func (s *Source) task(f logFile, now time.Time) task.Task {
	native := strings.ReplaceAll(f.name, ":", "%3A")
	t := task.Task{ID: Name + ":" + native, Source: Name, Native: native, Kind: task.Shell, Title: f.name, Cwd: s.dir,
		Session: Name + ":" + Name, Run: 1, Started: s.births[f.real], StatusAt: f.st.ModTime,
		Output:   task.OutputRef{Path: f.real, Recorded: s.w.Recover(f.real), Bytes: f.st.Size, LastWrite: f.st.ModTime},
		Evidence: task.Evidence{WritersAreProof: true}, Can: task.Can{Read: f.st.Mode.Perm()&0o444 != 0}}
	if !t.Can.Read {
		t.Trouble = "The file cannot be read: permission denied."
	}
	if t.Started.After(f.st.ModTime) {
		t.Started = f.st.ModTime
	}
	seen := s.looks[f.real]
	m := seen.mark
	switch {
	case s.written(f.real):
		t.Status, t.StatusSource, t.StatusAt = task.Running, "processes", now
	case m.set && m.killed:
		t.Status, t.StatusSource = task.Cancelled, "end mark"
	case m.set:
		t.Status, t.StatusSource, t.ExitCode = task.Succeeded, "end mark", &m.code
		if m.code != 0 {
			t.Status = task.Failed
		}
	case now.Sub(f.st.ModTime).Abs() < growing, now.Sub(seen.grew) < growing: // a time far ahead says nothing
		t.Status, t.StatusSource = task.Running, "output file"
	default:
		t.Status, t.StatusSource = task.Lost, "output file"
	}
	if t.Status.Ended() {
		t.Ended = f.st.ModTime
		return t
	}
	switch {
	case s.w.Recorded():
		t.Can.WhyNot = "This is a recording or another file system: nothing in it can be stopped from here."
	case t.StatusSource != "processes":
		t.Can.WhyNot = "Nobody can be seen to write this file: what writes it has to be stopped where it was started."
	default:
		t.Can.Stop = true
	}
	return t
}

// written says whether a live process has the file as its own output.
func (s *Source) written(real string) bool {
	for _, w := range s.writing[real] {
		if w.Std && w.Write && !w.Dead() {
			return true
		}
	}
	return false
}

func tooMany(dir string, left int) string {
	return dir + " holds more than " + strconv.Itoa(MaxFiles) + " logs: the newest are shown, " + strconv.Itoa(left) + " older ones are not."
}

func notOpened(dir string, names []string) string {
	shown, more := names[:min(len(names), 3)], ""
	if n := len(names) - len(shown); n > 0 {
		more = " and " + strconv.Itoa(n) + " more"
	}
	return "Links, pipes and devices in " + dir + " are not opened: " + strings.Join(shown, ", ") + more + "."
}
