package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

type logsFlags struct {
	follow, json, raw, noRedact bool
	lines                       int
	color                       string
}

// maxLogLines is the most that logs prints at once; render reads whole files.
const maxLogLines = 100_000

func (a *app) logsCommand() *cobra.Command {
	var f logsFlags
	cmd := &cobra.Command{
		Use:   "logs REF",
		Short: "Print the output of a task as the console shows it",
		Args:  args(1, 1),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if f.raw && !f.noRedact {
				return fmt.Errorf("%w: --raw prints the bytes as they are, with every secret and control sequence in them; give --no-redact too if you want that", registry.ErrRefused)
			}
			if f.lines < 0 || f.lines > maxLogLines {
				return usage("-n %d: a number from 0 to %d is wanted (offstage render prints a whole file)", f.lines, maxLogLines)
			}
			return a.logs(cmd.Context(), argv[0], f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVarP(&f.follow, "follow", "f", false, "go on until the task ends")
	fl.IntVarP(&f.lines, "lines", "n", 2000, "how many rows from the end")
	fl.BoolVar(&f.json, "json", false, "print one JSON object a row")
	fl.StringVar(&f.color, "color", "auto", "auto, always or never")
	fl.BoolVar(&f.raw, "raw", false, "print the bytes of the file (needs --no-redact)")
	fl.BoolVar(&f.noRedact, "no-redact", false, "allow --raw")
	return cmd
}

func (a *app) logs(ctx context.Context, ref string, f logsFlags) error {
	color, err := a.useColor(f.color)
	if err != nil {
		return err
	}
	r, done, err := a.registry(view{everywhere: true})
	if err != nil {
		return err
	}
	defer done()
	t, err := findTask(ctx, r, ref)
	if err != nil {
		return err
	}
	if f.raw {
		return a.rawLog(r, t.ID)
	}
	out, err := r.Open(ctx, t.ID)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	p := newPrinter(a.out, color, f.json)
	p.offsets = true
	s := &stream{out: out, p: p, registry: r, id: t.ID, now: a.w.Now}
	return s.run(ctx, f.lines, f.follow)
}

// rawLog copies the file as it is: the person asked for that twice.
func (a *app) rawLog(r *registry.Registry, id string) error {
	in, err := r.OpenBytes(id)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(a.errw, "offstage: these are the bytes of the file: nothing is hidden, control sequences work")
	defer func() { _ = in.Close() }()
	_, err = io.Copy(a.out, in)
	return err
}

// stream prints the end of an output and then what comes, each settled row once.
type stream struct {
	out      task.Output
	p        *printer
	registry *registry.Registry
	id       string
	now      func() time.Time
	next     int64
	gen      int
}

func (s *stream) run(ctx context.Context, lines int, follow bool) error {
	if s.p.json {
		s.count(ctx)
	}
	page, err := s.out.Page(ctx, task.PageRequest{Tail: true, Before: max(lines, 1)})
	if err != nil {
		return err
	}
	page.Lines = s.timed(page)
	if page.Facts.Trouble != "" && len(page.Lines) == 0 {
		return fmt.Errorf("%s", page.Facts.Trouble)
	}
	if lines == 0 {
		page.Lines = nil
	}
	s.next, s.gen = page.End, page.Facts.Gen
	if err := s.print(page, !follow); err != nil || !follow {
		return err
	}
	for rev := page.Facts.Rev; ; {
		if ended := s.ended(); ended {
			return s.more(ctx, true)
		}
		// The end of the task is no change of its output: look at both.
		wait, cancel := context.WithTimeout(ctx, followLook)
		err := s.out.Changed(wait, rev)
		cancel()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			continue
		}
		rev = s.out.Facts().Rev
		if err := s.more(ctx, false); err != nil {
			return err
		}
	}
}

// counting is how long logs --json waits for the numbers of its lines: enough for
// some hundred MB; in a longer file the newest rows go without.
const counting = 500 * time.Millisecond

// count waits until the lines are counted, so that rows can say theirs.
func (s *stream) count(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, counting)
	defer cancel()
	for f := s.out.Facts(); !f.LinesKnown && f.Trouble == ""; f = s.out.Facts() {
		if s.out.Changed(ctx, f.Rev) != nil {
			return
		}
	}
}

// timed gives the last row of a plain log the one time that is known of it: that
// of the file's last write.
func (s *stream) timed(page task.Page) []task.Line {
	n := len(page.Lines)
	if n == 0 || !page.Bottom || page.Facts.LastWrite.IsZero() {
		return page.Lines
	}
	if last := &page.Lines[n-1]; last.Mark == task.NoMark && last.At.IsZero() && last.End >= page.Facts.Size {
		lines := append([]task.Line(nil), page.Lines...) // a page may share its rows with the next
		lines[n-1].At = page.Facts.LastWrite
		return lines
	}
	return page.Lines
}

// print writes the rows of a page; a row that may still change waits, unless
// all is wanted.
func (s *stream) print(page task.Page, all bool) error {
	for _, l := range page.Lines {
		if l.Live && !all {
			s.next = l.Offset
			break
		}
		if err := s.p.line(l); err != nil {
			return err
		}
	}
	return s.p.flush()
}

// more prints what came since, page by page.
func (s *stream) more(ctx context.Context, all bool) error {
	for {
		if g := s.out.Facts().Gen; g != s.gen {
			s.gen, s.next = g, 0
		}
		page, err := s.out.Page(ctx, task.PageRequest{At: s.next, After: 2000, NoFold: true})
		if err != nil {
			return err
		}
		from := s.next
		s.next = page.End
		fresh := page
		fresh.Lines = nil
		for _, l := range page.Lines {
			if l.Offset >= from {
				if l.At.IsZero() {
					l.At = s.now() // it came while we looked: that is known
				}
				fresh.Lines = append(fresh.Lines, l)
			}
		}
		if err := s.print(fresh, all); err != nil {
			return err
		}
		if page.Bottom || s.next <= from {
			return nil
		}
	}
}

// followLook is how often a follower asks whether the task has ended.
const followLook = time.Second

// ended says whether the task is over, as the registry saw it last.
func (s *stream) ended() bool {
	ctx, cancel := context.WithTimeout(context.Background(), followLook)
	defer cancel()
	snap, err := s.registry.Next(ctx, 0)
	if err != nil {
		return false
	}
	for _, t := range snap.Tasks {
		if t.ID == s.id {
			return t.Status.Ended()
		}
	}
	return false
}
