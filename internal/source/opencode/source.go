package opencode

import (
	"context"
	"errors"
	"path"
	"time"

	"offstage/internal/proc"
	"offstage/internal/source/trace"
	"offstage/internal/sqlread"
	"offstage/internal/world"
	"offstage/task"
)

// Name is the source's name: the first part of the ids of its tasks.
const Name = "opencode"

const (
	label = "OpenCode"
	// mark stands on all that OpenCode starts, pidMark names its own process.
	mark    = "OPENCODE"
	pidMark = "OPENCODE_PID"

	database = "opencode.db"
)

// Source finds the sessions and what they wait for. It is safe for concurrent use.
type Source struct {
	trace.Base
	recorded string

	// What follows belongs to the Look under way.
	programs trace.Programs
	environs trace.Environs
	follow   sqlread.Follow
	sessions []*session
	deep     bool // all sessions were asked for
}

// New reads the table that procs shares; nil means that processes cannot be seen.
func New(w *world.World, procs func() (*proc.Table, error)) *Source {
	s := &Source{Base: trace.Base{Name: Name, Label: label, W: w, Procs: procs}}
	s.recorded = path.Join(w.Home(), ".local/share/opencode")
	if dir := w.Getenv("XDG_DATA_HOME"); path.IsAbs(dir) {
		s.recorded = path.Join(dir, "opencode")
	}
	s.programs.Is = func(_ string, args []string) bool { return trace.RunsScript(args, "opencode") }
	s.environs.Names = []string{mark, pidMark}
	s.Agents = []*trace.Programs{&s.programs}
	return s
}

// Scan is the whole truth as it can be seen now; the error is that of ctx.
func (s *Source) Scan(ctx context.Context) (task.Snapshot, error) {
	return s.Look(ctx, func(l *trace.Look) {
		f := l.Open(s.recorded)
		if f == nil {
			s.sessions, s.follow = nil, sqlread.Follow{}
			return
		}
		defer f.Close()
		s.read(ctx, l, f)
		(&view{s: s, l: l}).tell(s.programs.Look(l.V.Table))
		l.Sessions(len(s.sessions))
		l.Watch(f, ".")
	})
}

// read asks the database where it was written to.
func (s *Source) read(ctx context.Context, l *trace.Look, f *trace.Folder) {
	now, file := l.V.Now, f.Real(database)
	due := s.follow.Due(file, now)
	if !s.follow.Found {
		s.sessions = nil
		return
	}
	if due || s.follow.Err == nil && s.deep != s.Deep() {
		deep, since := s.Deep(), now.Add(-trace.Window)
		if deep {
			since = time.Time{}
		}
		s.follow.Ask(ctx, file, now, func(d *sqlread.DB) error {
			list, err := read(d, since)
			if err == nil || errors.Is(err, sqlread.ErrSlow) && len(list) > len(s.sessions) {
				s.sessions = list
			}
			if err == nil {
				s.deep = deep
			}
			return err
		})
	}
	if s.follow.Err != nil {
		l.Trouble(sqlread.Sentence(label, s.follow.Err))
	}
}
