package kimi

import (
	"context"
	"path"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "kimi"

// label is what people call the agent.
const label = "Kimi"

// Source finds the sessions and tasks. It is safe for concurrent use.
type Source struct {
	trace.Base

	// What follows belongs to the Look under way.
	code     home
	cli      cliHome
	programs trace.Programs
	held     trace.Held
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}}
	s.programs.Is = isKimi
	s.code.init(place(w, "KIMI_CODE_HOME", ".kimi-code"))
	s.cli.init(place(w, "KIMI_SHARE_DIR", ".kimi"))
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// place is an agent's folder: what its variable says, else in the home.
func place(w *world.World, variable, otherwise string) string {
	if dir := w.Getenv(variable); path.IsAbs(dir) && !w.Recorded() {
		return dir
	}
	return path.Join(w.Home(), otherwise)
}

// isKimi: Kimi Code calls its process kimi-code; Kimi CLI is a Python program.
func isKimi(comm string, args []string) bool {
	return comm == "kimi-code" || len(args) > 0 && args[0] == "kimi-code" || trace.RunsScript(args, "kimi", "kimi-code", "kimi-cli")
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		s.scanCode(l)
		s.scanCLI(l)
	})
}
