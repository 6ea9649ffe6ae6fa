package qwen

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"offstage/internal/source/trace"
)

// session is one conversation with what was read of it.
type session struct {
	id      string
	chat    trace.Item
	written time.Time
	talk    talk
	kept    trace.Kept
	// folders hold its commands and sub-agents; the time is that of the last look.
	folders map[string]*folder
	shells  map[string]*shell  // by the path of the record, or the log without one
	helpers map[string]*helper // by the path of the meta file
}

type folder struct{ modified, looked time.Time }

func newSession(id string) *session {
	return &session{id: id, folders: map[string]*folder{}, shells: map[string]*shell{}, helpers: map[string]*helper{}}
}

func (s *session) newer(t time.Time) {
	if t.After(s.written) {
		s.written = t
	}
}

func (s *session) folder(it trace.Item) {
	f := s.folders[it.Rel]
	if f == nil {
		f = &folder{}
		s.folders[it.Rel] = f
	}
	f.modified = it.ModTime
}

// status is the record of a background command.
type status struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	Command   string `json:"command"`
	Cwd       string `json:"cwd"`
	StartTime string `json:"startTime"` // RFC 3339
	EndTime   string `json:"endTime"`
	PID       int    `json:"pid"`
	ExitCode  *int   `json:"exitCode"` // only where it is 0
	Error     string `json:"error"`    // "exited with code 3", "terminated by signal 9"
}

// shell is a background command: shell-bg_<8 hex>.status and .output.
type shell struct {
	rel      string
	modified time.Time
	size     int64
	status
	// bare: there is only a log, as versions before July 2026 left it.
	bare     bool
	broken   bool
	title    string
	lastSeen time.Time
}

func (x *shell) log() string {
	return strings.TrimSuffix(strings.TrimSuffix(x.rel, ".status"), ".output") + ".output"
}

// open: the record says that it runs, or nothing that is known here.
func (x *shell) open() bool {
	switch x.Status {
	case "completed", "failed", "cancelled", "":
		return false
	}
	return true
}

// id is what the agent calls it: bg_<8 hex>.
func (x *shell) id() string {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(x.rel), ".status"), ".output")
	return trace.First(x.ID, strings.TrimPrefix(name, "shell-"))
}

// learn takes what the transcript tells of a command that has no record.
func (x *shell) learn(t *talk) {
	l, known := t.launches[x.id()]
	x.title = trace.First(l.title, x.title)
	if !x.bare || !known {
		return
	}
	x.Command, x.PID, x.Cwd, x.StartTime, x.Status = l.command, l.pid, t.cwd, l.at.Format(time.RFC3339Nano), "running"
	if e, ok := t.ends[x.id()]; ok {
		x.Status, x.ExitCode, x.EndTime = e.status, e.code, e.at.Format(time.RFC3339Nano)
		if e.code != nil && *e.code != 0 {
			x.Status = "failed"
		}
	}
}

// meta is the record of a sub-agent.
type meta struct {
	AgentID         string `json:"agentId"`
	AgentType       string `json:"agentType"`
	Description     string `json:"description"`
	ParentSessionID string `json:"parentSessionId"`
	ParentAgentID   string `json:"parentAgentId"`
	ToolUseID       string `json:"toolUseId"`
	CreatedAt       string `json:"createdAt"` // RFC 3339
	LastUpdatedAt   string `json:"lastUpdatedAt"`
	Status          string `json:"status"`
	IsBackgrounded  *bool  `json:"isBackgrounded"`
}

// helper is a sub-agent: agent-<type>-<call>.meta.json and .jsonl.
type helper struct {
	rel      string
	modified time.Time
	size     int64
	meta
	broken bool
	talk   talk
}

func (x *helper) transcript() string { return strings.TrimSuffix(x.rel, ".meta.json") + ".jsonl" }

func (x *helper) open() bool { return x.Status == "running" || x.Status == "pending" }

// running says whether a record says that something of the session runs.
func (s *session) running() bool {
	for _, x := range s.shells {
		if x.open() {
			return true
		}
	}
	for _, x := range s.helpers {
		if x.open() {
			return true
		}
	}
	return false
}

// unread says that a folder of the session changed since the last look.
func (s *session) unread() bool {
	for _, f := range s.folders {
		if f.looked.IsZero() || !f.looked.After(f.modified.Add(2*time.Second)) {
			return true
		}
	}
	return false
}

// maxRecords bounds the records of one folder.
const maxRecords = 20_000

// look reads what changed in the session's folders. Records are replaced, never
// written over: an unchanged folder holds unchanged records.
func (s *session) look(f *trace.Folder, now time.Time) {
	for rel, dir := range s.folders {
		st, err := f.Stat(rel)
		if err != nil {
			continue
		}
		s.newer(st.ModTime())
		dir.modified = st.ModTime()
		if dir.looked.After(dir.modified.Add(2*time.Second)) && !dir.looked.IsZero() {
			continue
		}
		dir.looked = now
		s.readFolder(f, rel)
	}
}

func (s *session) readFolder(f *trace.Folder, dir string) {
	names := map[string]bool{}
	for i, e := range f.List(dir) {
		if i >= maxRecords {
			break
		}
		names[e.Name()] = true
	}
	for name := range names {
		rel := path.Join(dir, name)
		switch {
		case strings.HasSuffix(name, ".meta.json"):
			s.readHelper(f, rel)
		case strings.HasSuffix(name, ".status"):
			s.readShell(f, rel, false)
		case strings.HasPrefix(name, "shell-bg_") && strings.HasSuffix(name, ".output") && !names[strings.TrimSuffix(name, ".output")+".status"]:
			s.readShell(f, rel, true)
		}
	}
	for rel, x := range s.shells {
		if path.Dir(rel) == dir && (!names[path.Base(rel)] || x.bare && names[strings.TrimSuffix(path.Base(rel), ".output")+".status"]) {
			delete(s.shells, rel)
		}
	}
	for rel := range s.helpers {
		if path.Dir(rel) == dir && !names[path.Base(rel)] {
			delete(s.helpers, rel)
		}
	}
}

func (s *session) readShell(f *trace.Folder, rel string, bare bool) {
	st, err := f.Stat(rel)
	if err != nil {
		return
	}
	x := s.shells[rel]
	if x == nil {
		x = &shell{rel: rel, bare: bare}
		s.shells[rel] = x
	}
	s.newer(st.ModTime())
	if same(st, &x.modified, &x.size) || bare {
		return
	}
	var now status
	if _, err := f.JSON(rel, &now); err != nil || now.Status == "" && now.ID == "" {
		x.broken = true // the last truth stands
		return
	}
	x.status, x.broken = now, false
}

func (s *session) readHelper(f *trace.Folder, rel string) {
	st, err := f.Stat(rel)
	if err != nil {
		return
	}
	x := s.helpers[rel]
	if x == nil {
		x = &helper{rel: rel}
		s.helpers[rel] = x
	}
	s.newer(st.ModTime())
	if same(st, &x.modified, &x.size) {
		return
	}
	var now meta
	if _, err := f.JSON(rel, &now); err != nil || now.AgentID == "" {
		x.broken = true
		return
	}
	x.meta, x.broken = now, false
}

// same notes a file's time and size and says whether they are what they were.
func same(st fs.FileInfo, modified *time.Time, size *int64) bool {
	if st.ModTime().Equal(*modified) && st.Size() == *size {
		return true
	}
	*modified, *size = st.ModTime(), st.Size()
	return false
}
