package gemini

import (
	"context"
	"path"
	"slices"
	"strings"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "gemini"

const (
	label = "Gemini"
	// commandMark stands in the environment of every command.
	commandMark = "GEMINI_CLI"
	// logs is the folder of all logs, of all projects.
	logs = "tmp/background-processes"
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded string

	// What follows belongs to the Look under way.
	programs trace.Programs
	shelf    trace.Stock[chat]
	held     trace.Held
	// roots are the folders that projects stand for, by the project's own folder.
	roots map[string]string
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, recorded: path.Join(w.Home(), ".gemini"), roots: map[string]string{}}
	s.programs.Is = func(_ string, args []string) bool {
		return trace.RunsScript(args, "gemini") || slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool { return strings.Contains(a, "/@google/gemini-cli/") })
	}
	s.shelf.Pattern = "tmp/*/chats/session-*.jsonl"
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
		(&view{s: s, l: l, f: f}).tell()
		l.Sessions(s.shelf.Known())
		l.Watch(f, logs)
		l.Watch(f, s.shelf.Folders()...)
	})
}

// root is the folder that a project stands for: its name is only a short one.
func (s *Source) root(f *trace.Folder, rel string) string {
	project := path.Dir(path.Dir(rel))
	if cwd, ok := s.roots[project]; ok && cwd != "" {
		return cwd
	}
	b, _, err := f.Read(path.Join(project, ".project_root"), 8<<10)
	cwd := strings.TrimSpace(string(b))
	if err != nil || !path.IsAbs(cwd) {
		cwd = ""
	}
	if len(s.roots) < 10_000 {
		s.roots[project] = cwd
	}
	return cwd
}
