package claude

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"offstage/internal/proc"
)

// places are the folders where clients keep their records and outputs, as the
// clients name them.
type places struct {
	config []string
	tmp    []string
}

// markers of a client's own environment that move its folders.
var placeVars = []string{"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_TMPDIR", "TMPDIR", "CLAUDECODE"}

// findPlaces gathers the folders: ours by the environment, the usual ones, and
// those of every client that runs now.
func (s *Source) findPlaces(table *proc.Table) places {
	p := places{}
	for _, dir := range strings.Split(s.w.Getenv("CLAUDE_CONFIG_DIR"), ",") {
		p.addConfig(strings.TrimSpace(dir))
	}
	p.addConfig(path.Join(s.w.Home(), ".claude"))
	p.addConfig(path.Join(s.w.Home(), ".config/claude"))
	p.addTmp(s.w.Getenv("CLAUDE_CODE_TMPDIR"))
	p.addTmp(s.w.Getenv("TMPDIR"))
	if table != nil {
		for _, c := range table.All() {
			if !clientName(c.Comm) {
				continue
			}
			env := s.environ(table, c.ID)
			p.addConfig(env["CLAUDE_CONFIG_DIR"])
			p.addTmp(env["CLAUDE_CODE_TMPDIR"])
			p.addTmp(env["TMPDIR"])
		}
	}
	p.addTmp("/tmp")
	p.addTmp("/private/tmp")
	return p
}

func (p *places) addConfig(dir string) {
	if path.IsAbs(dir) && !slices.Contains(p.config, path.Clean(dir)) {
		p.config = append(p.config, path.Clean(dir))
	}
}

func (p *places) addTmp(dir string) {
	if path.IsAbs(dir) && !slices.Contains(p.tmp, path.Clean(dir)) {
		p.tmp = append(p.tmp, path.Clean(dir))
	}
}

// clientName says whether a process may be a client: native builds are called
// claude, older ones are a node that renames itself.
func clientName(comm string) bool { return comm == "claude" || comm == "claude.exe" }

// environ reads the place variables of a process once; they do not change.
func (s *Source) environ(table *proc.Table, id proc.ID) map[string]string {
	if env, ok := s.environs[id]; ok {
		return env
	}
	if len(s.environs) > 4096 {
		clear(s.environs)
	}
	env := table.Env(id.PID, placeVars...)
	s.environs[id] = env
	return env
}

// listing is a folder's names, read again only when its time changed.
type listing struct {
	modified time.Time
	entries  []fs.DirEntry
	read     time.Time
	// scan is the Scan that looked last: one look serves all of it.
	scan int
}

// list reads a folder by its recorded name. A folder that is not there is
// empty; one that cannot be read is told once as trouble.
func (s *Source) list(recorded string) []fs.DirEntry {
	dir := s.real(recorded)
	if l, ok := s.listings[dir]; ok && l.scan == s.scans {
		return l.entries
	}
	st, err := os.Stat(dir)
	if err != nil || !st.IsDir() {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.tell("%s cannot be read: give the person who runs offstage access to it.", recorded)
		}
		delete(s.listings, dir)
		return nil
	}
	// A change within the clock's grain after a reading could be missed, so a
	// folder is only trusted when it had been quiet for a while.
	if l, ok := s.listings[dir]; ok && l.modified.Equal(st.ModTime()) && l.read.Sub(st.ModTime()) > 2*time.Second {
		l.scan = s.scans
		s.listings[dir] = l
		return l.entries
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.tell("%s cannot be read: give the person who runs offstage access to it.", recorded)
		return nil
	}
	if len(s.listings) > 8192 {
		clear(s.listings)
	}
	s.listings[dir] = listing{modified: st.ModTime(), entries: entries, read: s.now, scan: s.scans}
	return entries
}

// real is where a recorded path is on this machine. Under a root every link on
// the way is resolved, which is worth remembering.
func (s *Source) real(recorded string) string {
	if !s.w.Recorded() {
		return recorded
	}
	if at, ok := s.reals[recorded]; ok {
		return at
	}
	if len(s.reals) > 16384 {
		clear(s.reals)
	}
	s.reals[recorded] = s.w.Path(recorded)
	return s.reals[recorded]
}

// linkReal is real, but a link in the last place is not followed.
func (s *Source) linkReal(recorded string) string {
	if !s.w.Recorded() {
		return recorded
	}
	key := "link:" + recorded
	if at, ok := s.reals[key]; ok {
		return at
	}
	if len(s.reals) > 16384 {
		clear(s.reals)
	}
	s.reals[key] = s.w.LinkPath(recorded)
	return s.reals[key]
}

// slug is how a client names the folder of a working directory: every UTF-16
// unit that is no ASCII letter or digit becomes a dash.
func slug(cwd string) string {
	var b strings.Builder
	for _, r := range cwd {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString("--")
		default:
			b.WriteByte('-')
		}
	}
	return b.String()
}

// tasksFolders are where the outputs of a session may be, newest layout first.
func (s *Source) tasksFolders(p places, project, session string) []string {
	var out []string
	for _, base := range p.tmp {
		for _, e := range s.list(base) {
			if name := e.Name(); name == "claude" || strings.HasPrefix(name, "claude-") {
				out = append(out, path.Join(base, name, project, session, "tasks"), path.Join(base, name, project, "tasks"))
			}
		}
	}
	return out
}
