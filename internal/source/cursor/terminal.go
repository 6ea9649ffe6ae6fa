package cursor

import (
	"encoding/json"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

// Bounds of what is read of one terminal: its head and its foot.
const (
	maxHead = 64 << 10
	maxFoot = 4 << 10
	fence   = "---"
)

// terminal is one file: a head between two lines of "---", what was printed, and at
// the end a foot between two more.
type terminal struct {
	rel      string
	size     int64
	modified time.Time

	// task: it is a command of the agent, not a person's terminal.
	task bool
	// broken: its head cannot be read to its end.
	broken              bool
	command, title, cwd string
	pid                 int
	started, ended      time.Time
	closed              bool // the foot is there
	code                *int
	failure             string
	lastSeen            time.Time
	err                 error
}

// id is the terminal's number in its project.
func (x *terminal) id() string { return strings.TrimSuffix(path.Base(x.rel), ".txt") }

// project is the folder of the terminal's project.
func (x *terminal) project() string { return path.Dir(path.Dir(x.rel)) }

// read takes head and foot anew where the file changed.
func (x *terminal) read(f *trace.Folder) {
	file, st, err := f.Open(x.rel)
	if x.err = err; err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	seen := x.lastSeen
	*x = terminal{rel: x.rel, size: st.Size(), modified: st.ModTime(), lastSeen: seen}
	head := make([]byte, min(maxHead, st.Size()))
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		x.err = err
		return
	}
	x.head(string(head[:n]))
	if !x.task {
		return
	}
	from := max(0, st.Size()-maxFoot)
	foot := make([]byte, st.Size()-from)
	n, err = file.ReadAt(foot, from)
	if err == nil || err == io.EOF {
		x.foot(string(foot[:n]))
	}
}

// head reads "key: value" lines. A command of the agent is told by the key
// "command"; a person's terminal has "last_command" and the like.
func (x *terminal) head(text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, fence+"\n")
	if !ok {
		return
	}
	inner, _, ok := strings.Cut("\n"+rest, "\n"+fence+"\n")
	values := pairs(inner)
	x.command, x.task = values["command"]
	x.broken = x.task && !ok
	x.title, x.cwd = trace.FirstLine(values["title"]), values["cwd"]
	x.pid, _ = strconv.Atoi(values["pid"]) // no number is no pid
	x.started = trace.Stamp(values["started_at"])
}

// foot reads the block that ends the file, if it is one: what a program prints may
// look alike, but not at the very end with the keys of an end.
func (x *terminal) foot(text string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n ")
	text, ok := strings.CutSuffix(text, "\n"+fence)
	i := strings.LastIndex(text, "\n"+fence+"\n")
	if !ok || i < 0 {
		return
	}
	values := pairs(text[i+len(fence)+2:])
	code, coded := values["exit_code"]
	failure, failed := values["error"]
	if !coded && !failed {
		return
	}
	x.closed = true
	if n, err := strconv.Atoi(code); err == nil && coded {
		x.code = &n
	}
	x.failure = trace.FirstLine(failure)
	x.ended = trace.Stamp(values["ended_at"])
	if ms, err := strconv.ParseFloat(values["elapsed_ms"], 64); x.ended.IsZero() && err == nil && ms >= 0 && ms < 1e12 && !x.started.IsZero() {
		x.ended = x.started.Add(time.Duration(ms * float64(time.Millisecond)))
	}
}

// pairs are lines of "key: value"; a value may stand in quotes, as JSON writes them,
// and is padded with blanks where it is written over in place.
func pairs(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || strings.ContainsAny(key, " \t") {
			continue
		}
		var plain string
		if strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &plain) == nil {
			value = plain
		} else if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
			value = value[1 : len(value)-1]
		}
		if _, has := out[key]; !has {
			out[key] = value
		}
	}
	return out
}
