package codex

import (
	"context"
	"path"
	"slices"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "codex"

const (
	label = "Codex"
	// callMark and threadMark name the call and the thread in the environment of
	// every command.
	callMark   = "CODEX_TOOL_CALL_ID"
	threadMark = "CODEX_THREAD_ID"
)

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded string

	// What follows belongs to the Look under way.
	windows  trace.Programs // the program that a person sees, or a headless run
	servers  trace.Programs // what runs threads for others: the daemon, an editor's server
	environs trace.Environs
	shelf    trace.Stock[rollout]
	names    names
	socket   socket
	// looks counts those that found a folder.
	looks int
	// bare are threads that only the daemon tells of.
	bare map[string]*rollout
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}, recorded: path.Join(w.Home(), ".codex")}
	if dir := w.Getenv("CODEX_HOME"); path.IsAbs(dir) {
		s.recorded = dir
	}
	s.windows.Is = func(_ string, args []string) bool { return isCodex(args) && !serves(args) }
	s.servers.Is = func(_ string, args []string) bool {
		return isCodex(args) && slices.Contains(args, "app-server") && !slices.Contains(args, "pid-update-loop")
	}
	s.environs.Names = []string{callMark, threadMark}
	s.shelf.Pattern = "sessions/*/*/*/rollout-*.jsonl"
	s.Agents = []*trace.Programs{&s.windows, &s.servers}
	return s
}

func isCodex(args []string) bool {
	return trace.RunsScript(args, "codex") || len(args) > 0 && path.Base(args[0]) == "codex"
}

// serves: a server or a helper of Codex, not a window of it.
func serves(args []string) bool {
	return slices.ContainsFunc(args[:min(len(args), 3)], func(a string) bool {
		return a == "app-server" || a == "mcp-server" || a == "exec-server"
	})
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			return
		}
		defer f.Close()
		s.looks++
		(&view{s: s, l: l, f: f}).tell(ctx)
		l.Sessions(s.shelf.Known())
		l.Watch(f, ".")
		for i, rel := range slices.Backward(s.shelf.Folders()) { // the newest days
			if l.Watch(f, rel); i < len(s.shelf.Folders())-8 {
				break
			}
		}
	})
}

// names are the titles that Codex gave its threads: session_index.jsonl.
type names struct {
	lines trace.Lines
	of    map[string]string
}

// maxNames bounds the titles that are kept.
const maxNames = 100_000

func (n *names) read(f *trace.Folder) {
	st, ok := f.Holds("session_index.jsonl")
	if !ok || !n.lines.Changed(st.Size(), st.ModTime()) {
		return
	}
	n.lines.Read(f, "session_index.jsonl", trace.Piece, func() { n.of = nil }, func(line []byte, _ int64) {
		var e struct {
			ID   string `json:"id"`
			Name string `json:"thread_name"`
		}
		if trace.Decode(line, &e) && e.ID != "" && len(n.of) < maxNames {
			if n.of == nil {
				n.of = map[string]string{}
			}
			n.of[e.ID] = e.Name
		}
	})
}
