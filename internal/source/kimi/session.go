package kimi

import (
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"offstage/internal/source/trace"
)

// home is the folder of Kimi Code with what was read of it.
type home struct {
	recorded string
	shelf    trace.Shelf
	sessions map[string]*session
}

func (h *home) init(recorded string) {
	h.recorded, h.sessions = recorded, map[string]*session{}
	h.shelf.Pattern = "sessions/*/session_*"
}

// session is one conversation: sessions/wd_<name>_<hash>/session_<uuid>.
type session struct {
	rel, id string
	// written is the time of the newest file in it.
	written time.Time
	looked  time.Time
	state   struct {
		Cwd       string  `json:"cwd"`
		Title     string  `json:"title"`
		CreatedAt float64 `json:"createdAt"` // ms
		UpdatedAt float64 `json:"updatedAt"`
		Archived  bool    `json:"archived"`
	}
	stateAt time.Time
	// folders are the folders with tasks, by their owner, and when they changed.
	folders map[string]time.Time
	tasks   map[string]*kept
	agents  map[string]*wire
	trouble string
	kept    trace.Kept
	// read says that its tasks were looked at at least once.
	read bool
}

// look reads what changed of a session's records.
func (s *session) look(f *trace.Folder, now time.Time) {
	s.looked, s.trouble, s.read = now, "", true
	s.readState(f)
	owners := []string{""}
	for _, e := range f.List(path.Join(s.rel, "agents")) {
		if e.IsDir() && len(owners) < 1000 {
			owners = append(owners, e.Name())
			if s.agents[e.Name()] == nil {
				s.agents[e.Name()] = &wire{rel: path.Join(s.rel, "agents", e.Name(), "wire.jsonl")}
			}
		}
	}
	for _, owner := range owners {
		s.readTasks(f, owner, now)
	}
}

func (s *session) readState(f *trace.Folder) {
	rel := path.Join(s.rel, "state.json")
	st, err := f.Stat(rel)
	if err != nil || st.ModTime().Equal(s.stateAt) {
		return
	}
	if _, err := f.JSON(rel, &s.state); err != nil {
		s.trouble = "The session's state.json cannot be read; its title and folder are not known."
		return
	}
	s.stateAt = st.ModTime()
}

// tasksFolder is where an agent's tasks lie; the first versions had one for all.
func (s *session) tasksFolder(owner string) string {
	if owner == "" {
		return path.Join(s.rel, "tasks")
	}
	return path.Join(s.rel, "agents", owner, "tasks")
}

// idForm is how Kimi Code names its tasks: bash-k1ivvksv, agent-eoxi4h5u.
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*-[0-9a-z]{8}$`) })

// maxTasks bounds the records of one session.
const maxTasks = 10_000

// readTasks reads the records that changed. They are replaced, never written
// over, so an unchanged folder holds unchanged records.
func (s *session) readTasks(f *trace.Folder, owner string, now time.Time) {
	folder := s.tasksFolder(owner)
	st, err := f.Stat(folder)
	if err != nil || !st.IsDir() {
		return
	}
	s.newer(st.ModTime())
	settled := now.Sub(st.ModTime()).Abs() > 2*time.Second
	if settled && s.folders[owner].Equal(st.ModTime()) {
		return
	}
	s.folders[owner] = st.ModTime()
	here := map[string]bool{}
	for _, e := range f.List(folder) {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !idForm().MatchString(name) || len(here) >= maxTasks {
			continue
		}
		rel := path.Join(folder, e.Name())
		here[rel] = true
		s.readTask(f, rel, owner)
	}
	for rel, k := range s.tasks {
		if k.owner == owner && !here[rel] {
			delete(s.tasks, rel)
		}
	}
}

func (s *session) readTask(f *trace.Folder, rel, owner string) {
	st, err := f.Stat(rel)
	if err != nil {
		return
	}
	k := s.tasks[rel]
	if k == nil {
		k = &kept{rel: rel, owner: owner}
		s.tasks[rel] = k
	}
	if !st.ModTime().Equal(k.modified) || st.Size() != k.size {
		k.take(f, st)
	}
	s.newer(st.ModTime())
}

func (s *session) newer(t time.Time) {
	if t.After(s.written) {
		s.written = t
	}
}

// running says whether a record says that its task runs.
func (s *session) running() bool {
	for _, k := range s.tasks {
		if k.open() {
			return true
		}
	}
	return false
}
