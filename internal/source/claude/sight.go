package claude

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"offstage/internal/proc"
	"offstage/task"
)

// writerScan is the answer to "who writes these files", kept as long as the
// registry hands out the same process table.
type writerScan struct {
	table *proc.Table
	asked map[string]bool
	found map[string][]proc.Writer
}

// writers asks for all files at once; a file that could not be looked at has
// no entry.
func (s *Source) writers(table *proc.Table, paths []string) map[string][]proc.Writer {
	if table == nil || len(paths) == 0 {
		return nil
	}
	c := &s.writing
	known := c.table == table
	for _, p := range paths {
		known = known && c.asked[p]
	}
	if known {
		return c.found
	}
	asked := make(map[string]bool, len(paths))
	for _, p := range paths {
		asked[p] = true
	}
	found, err := table.Writers(paths)
	if err != nil {
		found = nil
	}
	s.writing = writerScan{table: table, asked: asked, found: found}
	return found
}

// writer is a process that has the file as fd 1 or 2.
func writer(list []proc.Writer) (proc.Writer, bool) {
	i := slices.IndexFunc(list, func(w proc.Writer) bool { return w.Write && w.Std && !w.Dead() })
	if i < 0 {
		return proc.Writer{}, false
	}
	return list[i], true
}

// see looks for the processes of a task that has no end yet.
func (s *Source) see(w *work, o outFile, table *proc.Table, found map[string][]proc.Writer, owner *client) sight {
	v := sight{owner: owner, noTable: table == nil, unseen: owner != nil && owner.unseen}
	if table == nil || v.unseen || w.inside() {
		return v
	}
	if list, ok := found[o.ref.Path]; ok {
		v.looked = true
		if _, v.alive = writer(list); v.alive {
			return v
		}
	}
	if w.writesItself() && v.looked && !w.launch.byUser {
		return v
	}
	// Nobody holds the file: the wrapper shell under the client is looked for.
	if owner != nil && w.launch.command != "" {
		v.looked = true
		v.alive = s.wrapper(table, owner.id.PID, w.launch.command)
	} else if w.launch.kind == task.Monitor || !w.writesItself() {
		v.looked = true
	}
	return v
}

// shortest piece of a command that may stand for the whole, where the recorded
// arguments were cut.
const shortestPiece = 12

// wrapper says whether a child of the client runs this command: eval '…' in
// the arguments of a shell.
func (s *Source) wrapper(table *proc.Table, client int, command string) bool {
	for _, p := range table.Children(client) {
		if p.Dead() {
			continue
		}
		args := table.Args(p.PID)
		if len(args) < 3 {
			continue
		}
		_, given, ok := strings.Cut(args[len(args)-1], "eval ")
		if ok && sameCommand(given, command) {
			return true
		}
	}
	return false
}

// sameCommand compares a quoted command with a plain one by what quoting
// leaves alone.
func sameCommand(given, command string) bool {
	g, c := unquoted(given), unquoted(command)
	if c == "" {
		return false
	}
	if strings.HasPrefix(g, c) {
		return true
	}
	return len(g) >= shortestPiece && strings.HasPrefix(c, g)
}

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\ \t\n", r) {
			return -1
		}
		return r
	}, s)
}

// liveIDs are the tasks in a session's tasks folders that some process writes,
// with the client that started it: the first look shows these before the
// transcript is read whole.
func (s *Source) liveFiles(p places, project, session string) []string {
	var out []string
	for _, dir := range s.tasksFolders(p, project, session) {
		if !strings.Contains(dir, session) {
			continue
		}
		for _, e := range s.list(dir) {
			if strings.HasSuffix(e.Name(), ".output") && e.Type().IsRegular() {
				out = append(out, s.w.LinkPath(path.Join(dir, e.Name())))
			}
		}
	}
	return out
}

// startedBy is the pid of the client that started a process, from its
// environment (2.1.214 and later), 0 if it does not say.
func startedBy(table *proc.Table, pid int) int {
	n, err := strconv.Atoi(table.Env(pid, "CLAUDE_PID")["CLAUDE_PID"])
	if err != nil {
		return 0
	}
	return n
}
