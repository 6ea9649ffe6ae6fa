package uitest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"offstage/task"
)

// Output is a task's output in memory, with byte offsets as a file has them.
type Output struct {
	mu      sync.Mutex
	lines   []task.Line
	facts   task.Facts
	changed chan struct{}
}

func newOutput(text []string) *Output {
	o := &Output{changed: make(chan struct{})}
	o.Grow(text...)
	o.facts.LinesKnown, o.facts.Counted = true, 1
	return o
}

func firstLines(id string) []string {
	var out []string
	for i := 1; i <= 40; i++ {
		out = append(out, fmt.Sprintf("%s line %d of the output", strings.TrimPrefix(id, "claude:"), i))
	}
	return append(out, " FAIL  src/cart.test.ts > totals keeps the cents", " 日本語の行も正しく折り返す", "last line so far")
}

// Grow appends lines.
func (o *Output) Grow(text ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range text {
		l := task.Line{Offset: o.facts.Size, Text: s, Number: int64(len(o.lines) + 1)}
		o.facts.Size += int64(len(s)) + 1
		l.End = o.facts.Size
		o.lines = append(o.lines, l)
		o.facts.LastLine = s
	}
	o.facts.Lines = int64(len(o.lines))
	o.facts.Arrived += int64(len(text))
	o.facts.LastWrite = time.Now()
	o.facts.Rev++
	close(o.changed)
	o.changed = make(chan struct{})
}

// Page is task.Output's.
func (o *Output) Page(_ context.Context, req task.PageRequest) (task.Page, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.lines)
	at := n
	if req.AtPercent {
		at = int(req.Percent * float64(n))
	} else if !req.Tail {
		for at = 0; at < n && o.lines[at].End <= req.At; at++ {
		}
	}
	from, to := max(0, at-max(req.Before, 0)), min(n, at+max(req.After, 0))
	if req.Tail {
		to = n
	}
	p := task.Page{Lines: append([]task.Line(nil), o.lines[from:to]...), Top: from == 0, Bottom: to == n, Facts: o.facts}
	p.Start, p.End = o.facts.Size, o.facts.Size
	if len(p.Lines) > 0 {
		p.Start, p.End = p.Lines[0].Offset, p.Lines[len(p.Lines)-1].End
	}
	return p, nil
}

// Facts is task.Output's.
func (o *Output) Facts() task.Facts {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.facts
}

// Changed is task.Output's.
func (o *Output) Changed(ctx context.Context, rev uint64) error {
	for {
		o.mu.Lock()
		now, ch := o.facts.Rev, o.changed
		o.mu.Unlock()
		if now != rev {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ch:
		}
	}
}

// Whole is task.Output's.
func (o *Output) Whole(_ context.Context, offset int64) (task.Line, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.lines {
		if l.Offset == offset {
			return l, nil
		}
	}
	return task.Line{}, fmt.Errorf("find the row at %d: not there", offset)
}

// Close is task.Output's.
func (o *Output) Close() error { return nil }

// Search is task.Output's: all at once, then again at each change.
func (o *Output) Search(ctx context.Context, req task.SearchRequest, report func(task.Found)) error {
	m, err := task.NewMatcher(req.Query)
	if err != nil {
		return err
	}
	for {
		o.mu.Lock()
		f := task.Found{Gen: o.facts.Gen, Again: true, Looked: o.facts.Size, Size: o.facts.Size, Done: true}
		for _, l := range o.lines {
			if m.Match(l.Text) {
				f.Hits, f.Count = append(f.Hits, task.Hit{Offset: l.Offset, Part: l.Part}), f.Count+1
			}
		}
		rev := o.facts.Rev
		o.mu.Unlock()
		report(f)
		if err := o.Changed(ctx, rev); err != nil {
			return err
		}
	}
}
