package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Sink is a program that keeps what it is given instead of passing it on.
type Sink struct {
	// Name as a person calls it ("tail", "sort"); "" for none.
	Name string
	// Soft: it passes lines on, but in blocks, because it writes into a file.
	Soft bool
}

// Sinks says where a command line's output stops. A line may have several
// parts (`cd x && a | tail -5; b`), and from outside only one thing is known of
// which part is at work: whether anything was written yet.
type Sinks struct {
	// Before is the sink while nothing was written: that of the first part that
	// could write. After is that of the last part.
	Before, After Sink
}

// At is the sink that is true now: wrote says whether any output has come.
func (s Sinks) At(wrote bool) Sink {
	if wrote {
		return s.After
	}
	return s.Before
}

// maxDepth bounds scripts inside scripts (`bash -c 'bash -c …'`).
const maxDepth = 4

// FindSinks reads a command line (spec 1 E1, E2). A line that cannot be parsed,
// because it was cut or is no shell, has no sinks: silence is better than a
// wrong word.
func FindSinks(line string) Sinks { return findSinks(line, maxDepth) }

func findSinks(line string, depth int) Sinks {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || depth == 0 {
		return Sinks{}
	}
	p := reader{depth: depth}
	p.stmts(f.Stmts)
	return p.result()
}

// part is one step of a command line that may write to the task's output.
type part struct {
	sinks Sinks
	// live: it passes its output on, or may.
	live bool
	// beside: it runs in the background, next to what follows.
	beside bool
}

// reader walks the statements of one script and lists its parts in order.
type reader struct {
	parts []part
	depth int
}

func (r *reader) result() Sinks {
	if len(r.parts) == 0 {
		return Sinks{}
	}
	for _, p := range r.parts {
		if p.beside && p.live {
			return Sinks{}
		}
	}
	return Sinks{Before: r.parts[0].sinks.Before, After: r.parts[len(r.parts)-1].sinks.After}
}

func (r *reader) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		r.stmt(s)
	}
}

// stmt adds the parts of one statement. A statement whose output goes elsewhere
// adds none.
func (r *reader) stmt(s *syntax.Stmt) {
	if s == nil || s.Cmd == nil || goesElsewhere(s.Redirs) {
		return
	}
	from := len(r.parts)
	r.cmd(s)
	if s.Background {
		for i := from; i < len(r.parts); i++ {
			r.parts[i].beside = true
		}
	}
}

func (r *reader) cmd(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			r.pipeline(s)
			return
		}
		r.stmt(c.X)
		r.stmt(c.Y)
	case *syntax.Subshell:
		r.stmts(c.Stmts)
	case *syntax.Block:
		r.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.stmts(c.Cond)
			r.stmts(c.Then)
		}
	case *syntax.WhileClause:
		r.stmts(c.Cond)
		r.stmts(c.Do)
	case *syntax.ForClause:
		r.stmts(c.Do)
	case *syntax.CaseClause:
		for _, item := range c.Items {
			r.stmts(item.Stmts)
		}
	case *syntax.TimeClause:
		r.stmt(c.Stmt)
	case *syntax.CallExpr:
		r.call(words(c.Args), s)
	}
}

// call adds a simple command that is no part of a pipe.
func (r *reader) call(args []word, s *syntax.Stmt) {
	if len(args) == 0 {
		return
	}
	if script, ok := innerScript(args, s); ok {
		inner := findSinks(script, r.depth-1)
		r.parts = append(r.parts, part{sinks: inner, live: inner == Sinks{}})
		return
	}
	if silent[program(args[0].text)] {
		return
	}
	r.parts = append(r.parts, part{live: true})
}

// pipeline adds `a | b | c` as one part: a stage that holds, holds for all
// behind it.
func (r *reader) pipeline(s *syntax.Stmt) {
	stages := flatten(s)
	var sink Sink
	for i, st := range stages {
		if i > 0 && outputCut(stages[i-1].Redirs) {
			sink = Sink{}
			continue
		}
		got := r.stage(st, i == 0)
		if got.Name != "" && (sink.Name == "" || sink.Soft) {
			sink = got
		}
	}
	if goesElsewhere(stages[len(stages)-1].Redirs) {
		return
	}
	r.parts = append(r.parts, part{sinks: Sinks{sink, sink}, live: sink.Name == "" || sink.Soft})
}

// stage is the sink that one stage of a pipe is. The first stage reads no pipe;
// only a script inside it can hold.
func (r *reader) stage(s *syntax.Stmt, first bool) Sink {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		inner := reader{depth: r.depth}
		inner.cmd(s)
		return inner.result().After
	}
	args := words(c.Args)
	if script, ok := innerScript(args, s); ok {
		return findSinks(script, r.depth-1).After
	}
	if first {
		return Sink{}
	}
	return holds(unwrap(args))
}

// flatten lists the stages of a pipe from left to right.
func flatten(s *syntax.Stmt) []*syntax.Stmt {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || (b.Op != syntax.Pipe && b.Op != syntax.PipeAll) {
		return []*syntax.Stmt{s}
	}
	return append(flatten(b.X), flatten(b.Y)...)
}

// goesElsewhere says whether standard output is sent into a file, so that
// nothing of it reaches the task's own output.
func goesElsewhere(redirs []*syntax.Redirect) bool { return outputCut(redirs) }

// outputCut is true where fd 1 points at a file at the end of the list.
func outputCut(redirs []*syntax.Redirect) bool {
	cut := false
	for _, rd := range redirs {
		fd := "1"
		if rd.N != nil {
			fd = rd.N.Value
		}
		switch rd.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob:
			if fd == "1" {
				cut = true
			}
		case syntax.RdrAll, syntax.AppAll:
			cut = true
		case syntax.DplOut:
			if fd == "1" {
				to := wordOf(rd.Word)
				cut = to.text != "2"
			}
		}
	}
	return cut
}
