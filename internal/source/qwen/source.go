package qwen

import (
	"context"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "qwen"

const (
	label = "Qwen Code"
	// sessionMark names its session in the environment of a command.
	sessionMark = "QWEN_CODE_SESSION_ID"
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded  string
	namespace string

	// What follows belongs to the Look under way.
	programs trace.Programs
	environs trace.Environs
	chats    trace.Shelf
	shells   trace.Shelf
	older    trace.Shelf
	helpers  trace.Shelf
	sessions map[string]*session
	registry map[string]*entry
	// order is the list of the sessions at the shelves' revisions listed.
	order  []*session
	listed [4]int
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, sessions: map[string]*session{}, registry: map[string]*entry{}}
	s.recorded = path.Join(w.Home(), ".qwen")
	if dir := w.Getenv("QWEN_RUNTIME_DIR"); path.IsAbs(dir) {
		s.recorded = dir
	}
	s.programs.Is = func(_ string, args []string) bool {
		return trace.RunsScript(args, "qwen") || slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool { return strings.Contains(a, "/@qwen-code/qwen-code/") })
	}
	s.environs.Names = []string{sessionMark}
	s.chats.Pattern = "projects/*/chats/*.jsonl"
	s.shells.Pattern = "tmp/*/background-shells/*"
	s.older.Pattern = "projects/*/tasks/*"
	s.helpers.Pattern = "projects/*/subagents/*"
	if dir := w.Proc(); dir != "" && !w.Recorded() {
		s.namespace, _ = os.Readlink(path.Join(dir, "self/ns/pid"))
	}
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			return
		}
		defer f.Close()
		s.gather(f, l)
		l.Sessions(len(s.sessions))
		(&view{s: s, l: l, f: f}).tell()
		l.Watch(f, "sessions")
		for _, shelf := range []*trace.Shelf{&s.shells, &s.chats, &s.helpers} {
			l.Watch(f, shelf.Folders()...)
		}
	})
}

// gather finds what there is: sessions by their transcripts, their commands and
// sub-agents by their folders.
func (s *Source) gather(f *trace.Folder, l *trace.Look) {
	s.readRegistry(f)
	before := s.listed
	here := map[string]bool{}
	s.each(f, l, here, &s.shells, before[1], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, l, here, &s.older, before[2], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, l, here, &s.helpers, before[3], func(x *session, it trace.Item) { x.folder(it) })
	s.each(f, l, here, &s.chats, before[0], func(x *session, it trace.Item) { x.chat = it })
	for id := range s.sessions {
		if !here[id] && !l.Left() {
			delete(s.sessions, id)
		}
	}
}

// each puts what a shelf holds into the sessions, where it differs from its
// revision before, and notes in here what there is.
func (s *Source) each(f *trace.Folder, l *trace.Look, here map[string]bool, shelf *trace.Shelf, before int, put func(x *session, it trace.Item)) {
	items := shelf.Scan(f, l.V.Now, l.More)
	if !shelf.Complete() {
		l.Later()
	}
	for _, it := range items {
		id := strings.TrimSuffix(path.Base(it.Rel), ".jsonl")
		here[id] = true
		if shelf.Rev == before {
			continue
		}
		x := s.sessions[id]
		if x == nil {
			x = newSession(id)
			s.sessions[id] = x
		}
		x.newer(it.ModTime)
		put(x, it)
	}
}

// entry is sessions/<pid>.json: a running agent with its exact start. The token
// that stands in it too is not taken over.
type entry struct {
	PID       int     `json:"pid"`
	ProcStart string  `json:"procStart"` // "<boot id>:<ticks since boot>"
	PIDNs     uint64  `json:"pidNs"`
	SessionID string  `json:"sessionId"`
	Cwd       string  `json:"cwd"`
	Name      string  `json:"name"`
	StartedAt float64 `json:"startedAt"` // ms
	Version   string  `json:"qwenVersion"`
	Kind      string  `json:"kind"`

	modified time.Time
}

// start is the kernel's start of the agent's process, 0 where it is not told.
func (e *entry) start() uint64 {
	n, _ := strconv.ParseUint(e.ProcStart[strings.LastIndexByte(e.ProcStart, ':')+1:], 10, 64)
	return n
}

// maxAgents bounds the entries that are read.
const maxAgents = 2000

func (s *Source) readRegistry(f *trace.Folder) {
	here := map[string]bool{}
	for _, e := range f.List("sessions") {
		name := e.Name()
		if !strings.HasSuffix(name, ".json") || len(here) >= maxAgents {
			continue
		}
		rel := path.Join("sessions", name)
		st, err := f.Stat(rel)
		if err != nil {
			continue
		}
		here[name] = true
		if old := s.registry[name]; old != nil && old.modified.Equal(st.ModTime()) {
			continue
		}
		var x entry
		if _, err := f.JSON(rel, &x); err == nil {
			x.modified = st.ModTime()
			s.registry[name] = &x
		}
	}
	for name := range s.registry {
		if !here[name] {
			delete(s.registry, name)
		}
	}
}
