package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"offstage/internal/world"
	"offstage/task"
)

// Scope is which tasks a person wants to see.
type Scope struct {
	// Dirs are folders; a session or task in or below one of them belongs. Empty
	// means everything on this machine.
	Dirs []string
	// Session narrows to one session: its ID or native id, or the start of it.
	Session string
}

// ProjectScope is the project of dir: the git top level with all its worktrees,
// else dir itself. No git is run: the folders say it.
func ProjectScope(w *world.World, dir string) Scope {
	top := gitTop(w, dir)
	if top == "" {
		return Scope{Dirs: []string{dir}}
	}
	return Scope{Dirs: append([]string{top}, worktrees(w, top)...)}
}

// ProjectFolders are the folders from the top of the repository that dir lies in
// down to dir itself; dir alone outside of one. At most 64 are given, the deepest.
func ProjectFolders(dir string) []string {
	out := []string{filepath.Clean(dir)}
	for at := out[0]; len(out) < 64; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			slices.Reverse(out)
			return out
		}
		if at == filepath.Dir(at) {
			break
		}
		out = append(out, filepath.Dir(at))
	}
	return out[:1]
}

// gitTop walks up to the folder that holds .git; "" if none does.
func gitTop(w *world.World, dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(w.Path(filepath.Join(at, ".git"))); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// worktrees lists the other folders of the repository that top is one of.
func worktrees(w *world.World, top string) []string {
	common := commonDir(w, top)
	var out []string
	if main := filepath.Dir(common); filepath.Base(common) == ".git" && main != top {
		out = append(out, main)
	}
	entries, err := os.ReadDir(w.Path(filepath.Join(common, "worktrees")))
	if err != nil {
		return out
	}
	for _, e := range entries {
		link := readLine(w, filepath.Join(common, "worktrees", e.Name(), "gitdir"))
		if dir := filepath.Dir(link); link != "" && filepath.IsAbs(dir) && dir != top {
			out = append(out, dir)
		}
	}
	return out
}

// commonDir is the repository's own folder, also from a linked worktree, whose
// .git is a file that names it.
func commonDir(w *world.World, top string) string {
	git := filepath.Join(top, ".git")
	line := readLine(w, git)
	own, ok := strings.CutPrefix(line, "gitdir:")
	if !ok {
		return git
	}
	own = strings.TrimSpace(own)
	if !filepath.IsAbs(own) {
		own = filepath.Join(top, own)
	}
	rel := readLine(w, filepath.Join(own, "commondir"))
	if rel == "" {
		return own
	}
	if !filepath.IsAbs(rel) {
		rel = filepath.Join(own, rel)
	}
	return filepath.Clean(rel)
}

// readLine is the first line of a small file, "" if there is none.
func readLine(w *world.World, path string) string {
	st, err := os.Stat(w.Path(path))
	if err != nil || !st.Mode().IsRegular() || st.Size() > 4096 {
		return ""
	}
	b, err := os.ReadFile(w.Path(path))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// in says whether path is one of the scope's folders or below one.
func (s Scope) in(path string) bool {
	if path == "" {
		return false
	}
	path = privateTmp(path)
	for _, d := range s.Dirs {
		d = privateTmp(d)
		if path == d || d == "/" || strings.HasPrefix(path, strings.TrimSuffix(d, "/")+"/") {
			return true
		}
	}
	return false
}

// privateTmp makes the two names that macOS has for its temporary folder one.
func privateTmp(p string) string {
	if strings.HasPrefix(p, "/private/tmp") || strings.HasPrefix(p, "/private/var") {
		return strings.TrimPrefix(p, "/private")
	}
	return p
}

// Apply keeps the sessions and tasks that belong and counts the tasks that run
// elsewhere. A task belongs with its session, or by its own folder.
func (s Scope) Apply(snap task.Snapshot) task.Snapshot {
	if len(s.Dirs) == 0 && s.Session == "" {
		return snap
	}
	wanted := map[string]bool{}
	for _, se := range snap.Sessions {
		wanted[se.ID] = s.session(se)
	}
	byTask := map[string]bool{}
	var tasks []task.Task
	for _, t := range snap.Tasks {
		if wanted[t.Session] || (s.Session == "" && s.in(t.Cwd)) {
			tasks = append(tasks, t)
			byTask[t.Session] = true
			continue
		}
		if !t.Foreground && !t.Status.Ended() {
			snap.Elsewhere++
		}
	}
	var sessions []task.Session
	for _, se := range snap.Sessions {
		if wanted[se.ID] || byTask[se.ID] {
			sessions = append(sessions, se)
		}
	}
	snap.Tasks, snap.Sessions = tasks, sessions
	return snap
}

func (s Scope) session(se task.Session) bool {
	if s.Session != "" {
		return se.ID == s.Session || strings.HasPrefix(se.Native, s.Session)
	}
	return s.in(se.Cwd)
}
