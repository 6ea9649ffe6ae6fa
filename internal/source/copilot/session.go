package copilot

import (
	"path"
	"strconv"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

// session is one conversation: a folder with its events.
type session struct {
	id, dir  string
	modified time.Time // the folder's
	looked   time.Time
	// size and changed are of the events; found says that there are any.
	size    int64
	changed time.Time
	found   bool
	written time.Time
	talk    talk
	kept    trace.Kept
	name    string
	// leases are those of detached commands, by the number of the shell.
	leases map[string]*lease
	leased time.Time // the time of their folder when it was listed last
	// logs are the base names of detached commands' files, by the call.
	logs map[string]*files
}

func newSession(dir string) *session {
	return &session{id: path.Base(dir), dir: dir, talk: newTalk(), logs: map[string]*files{}}
}

func (x *session) events() string { return x.dir + "/events.jsonl" }

// look looks at the events, and reads the name again where the folder changed.
func (x *session) look(f *trace.Folder, now time.Time) {
	if st, ok := f.Holds(x.events()); ok {
		x.size, x.changed, x.found = st.Size(), st.ModTime(), true
	} else if _, err := f.Stat(x.events()); err == nil {
		x.found = true // a link or a pipe: reading says so
		x.size, x.changed = -1, x.modified
	}
	x.newer(x.changed)
	if x.looked.IsZero() || !x.looked.After(x.modified.Add(2*time.Second)) {
		x.names(f)
	}
	x.looked = now
}

// maxLeases bounds the leases of one session.
const maxLeases = 100

// openIn says that a process has the session open: by inuse.<pid>.lock, which a
// killed one leaves behind. It changes its folder, so that a folder that is older
// than the process needs no look.
func (x *session) openIn(f *trace.Folder, p trace.Program) bool {
	from := p.Started.Add(-lockSlack)
	if x.modified.Before(from) {
		return false
	}
	st, err := f.Stat(x.dir + "/inuse." + strconv.Itoa(p.PID) + ".lock")
	return err == nil && !st.ModTime().Before(from)
}

// lockSlack is how much earlier than its agent's start a lock may seem to be made.
const lockSlack = 3 * time.Second

// names reads the name that a person or Copilot gave the session: "name: …" in
// workspace.yaml, a flat file of plain values.
func (x *session) names(f *trace.Folder) {
	b, _, err := f.Read(x.dir+"/workspace.yaml", 64<<10)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(b)) {
		key, value, ok := strings.Cut(line, ": ")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if !ok || value == "" || strings.ContainsAny(value[:1], "|>") {
			continue
		}
		switch key {
		case "name":
			x.name = trace.FirstLine(value)
		case "cwd":
			x.talk.cwd = trace.First(x.talk.cwd, value)
		case "branch":
			x.talk.branch = trace.First(x.talk.branch, value)
		}
	}
}

func (x *session) newer(t time.Time) {
	if t.After(x.written) {
		x.written = t
	}
}

// unread: its events are not read to their end yet, where the end of a command may
// stand.
func (x *session) unread() bool { return x.talk.lines.Err == nil && !x.talk.lines.Done() }

// running: something of it runs as far as its record says.
func (x *session) running() bool {
	for _, k := range x.talk.order {
		if k.open() {
			return true
		}
	}
	for _, h := range x.talk.helped {
		if !h.ended && h.gone.IsZero() {
			return true
		}
	}
	return false
}

// open: nothing tells of its end.
func (k *shell) open() bool { return !k.ended && k.gone.IsZero() }
