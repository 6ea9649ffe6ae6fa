package output

import (
	"bytes"
	"strconv"

	"offstage/task"
)

// Programs report how far they are in sequences that a terminal draws outside of
// its text: OSC 9;4 (ESC ] 9;4;STATE;PERCENT) and the Program Status Protocol
// (ESC ] 7501;state=…:progress=…). The lane reads the newest; screen drops them as
// it drops all others. Titles and messages in them are a task's text and are left
// alone.
var (
	osc94   = []byte("\x1b]9;4;")
	osc7501 = []byte("\x1b]7501;")
)

// maxReport is how long a report may be: a message of 7501 is dropped anyway.
const maxReport = 512

// progress is the newest report of a file, read in blocks.
type progress struct {
	// tail are the last bytes of the block before, in which a report may begin.
	tail []byte
	now  *task.Progress
}

// take reads a block and says whether the progress changed. A block without a
// report costs two searches for a rare sequence.
func (p *progress) take(b []byte) (changed bool) {
	before := p.now
	if len(p.tail) > 0 {
		p.read(append(p.tail, b[:min(len(b), maxReport)]...))
	}
	p.read(b)
	p.tail = append(p.tail[:0], unfinished(b)...)
	return !sameProgress(before, p.now)
}

// read takes the last whole report of b.
func (p *progress) read(b []byte) {
	for at := len(b); ; {
		at = max(lastIn(b[:at], osc94), lastIn(b[:at], osc7501))
		if at < 0 {
			return
		}
		if now, ok := report(b[at:]); ok {
			p.now = now
			return
		}
	}
}

// lastIn is bytes.LastIndex, quick where there is none.
func lastIn(b, what []byte) int {
	if !bytes.Contains(b, what) {
		return -1
	}
	return bytes.LastIndex(b, what)
}

// unfinished is the end of b from the escape character on that may begin a report
// which goes on in the next block.
func unfinished(b []byte) []byte {
	b = b[max(0, len(b)-maxReport):]
	i := bytes.LastIndexByte(b, 0x1b)
	if i < 0 {
		return nil
	}
	if i > 0 && i == len(b)-1 { // it may be the end of a report, as ST begins with one too
		if j := bytes.LastIndexByte(b[:i], 0x1b); j >= 0 {
			i = j
		}
	}
	return b[i:]
}

// report reads a sequence at the start of b; ok is false for one that is not whole
// or says nothing about the program itself.
func report(b []byte) (*task.Progress, bool) {
	body, ok := bytes.CutPrefix(b[:min(len(b), maxReport)], osc94)
	nine := ok
	if !ok {
		body = b[len(osc7501):min(len(b), maxReport)]
	}
	end := bytes.IndexAny(body, "\x07\x1b\x9c\r\n")
	if end < 0 {
		return nil, false
	}
	if nine {
		return ofNine(body[:end])
	}
	return ofStatus(body[:end])
}

// ofNine is "STATE;PERCENT": 0 none, 1 normal, 2 error, 3 without a measure, 4
// paused.
func ofNine(body []byte) (*task.Progress, bool) {
	state, percent, _ := bytes.Cut(body, []byte(";"))
	p := &task.Progress{Percent: percentOf(percent)}
	switch string(state) {
	case "0":
		return nil, true
	case "1":
		return p, p.Percent >= 0
	case "2":
		p.State = "error"
	case "3":
		p.Percent = -1
	case "4":
		p.State = "paused"
	default:
		return nil, false
	}
	return p, true
}

// ofStatus is "key=value:key=value"; one with an id is about a part of the program.
func ofStatus(body []byte) (*task.Progress, bool) {
	p := &task.Progress{Percent: -1}
	known := false
	for pair := range bytes.SplitSeq(body, []byte(":")) {
		key, v, _ := bytes.Cut(pair, []byte("="))
		switch string(key) {
		case "id":
			return nil, false
		case "progress":
			p.Percent = percentOf(v)
		case "state":
			switch string(v) {
			case "working":
				known = true
			case "blocked":
				known, p.State = true, "paused"
			case "error":
				known, p.State = true, "error"
			case "idle", "done", "clear":
				return nil, true
			}
		}
	}
	return p, known
}

// percentOf is a number from 0 to 100, -1 for what is none.
func percentOf(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 {
		return -1
	}
	return min(n, 100)
}

func sameProgress(a, b *task.Progress) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}
