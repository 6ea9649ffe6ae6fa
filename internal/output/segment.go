package output

import (
	"context"

	"offstage/task"
)

// segment is the length of file whose rows are made, and kept, together. The
// rows of segment k are those that start in its bytes; they are made from a
// place before it that follows from the file alone, so they are the same on
// whichever way a reader comes.
const segment = 64 << 10

// How far before a segment it is begun: the window of rows that a redraw may
// reach, and the look-back of a key block, but not further than lookBack.
const (
	warmRows  = 65
	blockRows = 401
	blockLen  = 64 << 10
	lookBack  = 1 << 20
	// runOn bounds how far behind a segment its last rows are followed.
	runOn = 4 << 20
)

// seg is one made segment.
type seg struct {
	k     int64
	rows  []task.Line
	start int64 // where playing began
	// size of the file when the rows touch its end, else -1; a row may change.
	size     int64
	live     bool // made while the task ran
	numbered bool
	// inside is a place in the long line or gap that covers an empty segment, else
	// -1; resume is where lines go on, or the segment's end if that is not known.
	inside, resume int64
}

// segments is a small LRU of made segments of one generation.
type segments struct {
	gen  int
	list []*seg
	most int
	rev  uint64 // of the secrets that the rows were masked under
	// line is the last one that was found many times in a row, row what it is shown
	// as, if that is always the same; buf is what such lines are compared in.
	line  string
	row   task.Line
	rowOK bool
	buf   []byte
}

// under forgets the rows that were masked under an older revision.
func (c *segments) under(rev uint64) {
	if c.rev != rev {
		c.rev, c.list, c.line, c.rowOK = rev, nil, "", false
	}
}

func (c *segments) get(gen int, k, size int64, running, numbered bool) *seg {
	if c.gen != gen {
		c.gen, c.list = gen, nil
	}
	for i, s := range c.list {
		if s.k != k {
			continue
		}
		if s.size >= 0 && (s.size != size || s.live != running) || numbered && !s.numbered {
			c.list = append(c.list[:i], c.list[i+1:]...)
			return nil
		}
		copy(c.list[1:i+1], c.list[:i])
		c.list[0] = s
		return s
	}
	return nil
}

func (c *segments) put(s *seg) {
	c.list = append(c.list, nil)
	copy(c.list[1:], c.list)
	c.list[0] = s
	rows := 0
	for i, s := range c.list { // at most so many segments, and so many rows
		if rows += len(s.rows); i >= c.most || i > 0 && rows > 40_000 {
			clear(c.list[i:])
			c.list = c.list[:i]
			return
		}
	}
}

// begin is where playing begins for rows from a on: a line's start before a, as
// far back as the constants say. inside is set instead when a lies in a line
// that is longer than lookBack, then at is a; or in a gap, then at is its end.
func (s source) begin(ctx context.Context, a int64) (at int64, inside bool, err error) {
	if a <= s.head {
		return s.head, false, nil
	}
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	lines, best := 0, int64(-1)
	for hi := a; hi > s.head; {
		if err := ctx.Err(); err != nil {
			return 0, false, err
		}
		lo := max((hi-1)/chunk*chunk, 0)
		n, err := s.read(buf[:hi-lo], lo)
		if err != nil {
			return 0, false, err
		}
		_, end, ok, err := s.holeIn(lo, hi)
		if err != nil {
			return 0, false, err
		}
		b := buf[:n]
		for {
			i := s.enc.last(b)
			if i < 0 || ok && lo+int64(i) <= end {
				break
			}
			best = lo + int64(i)
			if lines++; lines >= warmRows && (lines >= blockRows || a-best >= blockLen) {
				return best, false, nil
			}
			b = b[:i-int(s.enc.unit())]
		}
		if ok {
			return end + s.nuls(end), end > a, nil
		}
		hi = lo
		if a-hi >= lookBack && hi > s.head {
			if best < 0 {
				return a, true, nil
			}
			return best, false, nil
		}
	}
	return s.head, false, nil
}

// make makes segment k. line gives the number of the line at an offset, 0 while
// it is not known.
func (s source) make(ctx context.Context, k int64, o look, running bool, line func(int64) int64) (*seg, error) {
	return s.span(ctx, k, k*segment, (k+1)*segment, o, running, line)
}

// span makes the rows that start in [a, b), which begins at a segment's start.
func (s source) span(ctx context.Context, k, a, b int64, o look, running bool, line func(int64) int64) (*seg, error) {
	out := &seg{k: k, size: -1, inside: -1, live: running}
	start, inside, err := s.begin(ctx, a)
	if err != nil {
		return nil, err
	}
	if inside {
		if start, err = s.resume(ctx, start, a, b); err != nil {
			return nil, err
		}
		if start >= b {
			out.inside, out.resume, out.numbered = a, start, true
			return out, nil
		}
	}
	n := line(start)
	out.start, out.numbered = start, n > 0
	p := newPlayer(s, o, start, n)
	if err := p.to(ctx, b); err != nil {
		return nil, err
	}
	live, err := s.follow(ctx, p, a, b)
	if err != nil {
		return nil, err
	}
	if p.eof || p.marked || p.pos >= s.f.Size() {
		out.size = s.f.Size()
		if !running {
			live = p.r.flush(p.pos)
		}
	}
	out.rows = within(append(p.take(), live...), a, b)
	return out, nil
}

// resume is where lines go on, for a begin that came to lie at a place inside of
// a long line (at is a) or of a gap. It looks no further than limit.
func (s source) resume(ctx context.Context, at, a, limit int64) (int64, error) {
	if at > a {
		return at, nil
	}
	next, found, err := s.nextLine(ctx, a, limit)
	if err == nil && !found {
		next = max(next, limit)
	}
	return next, err
}

// follow plays on until no row that starts in [a, b) may change, within bounds,
// and gives the rows that are live then.
func (s source) follow(ctx context.Context, p *player, a, b int64) ([]task.Line, error) {
	for end := b; ; {
		live := p.r.live(false)
		if s.settledIn(p, live, a, b) || p.eof || p.pos >= s.f.Size() {
			return live, nil
		}
		if end += chunk; end > b+runOn {
			return s.longRow(ctx, p, live)
		}
		if err := p.to(ctx, end); err != nil {
			return nil, err
		}
	}
}

// settledIn says that no live row, and no unfinished line, starts in [a, b). A
// line may be there that shows nothing yet.
func (s source) settledIn(p *player, live []task.Line, a, b int64) bool {
	if p.open < p.pos && p.open >= a && p.open < b {
		return false
	}
	for _, r := range live {
		if r.Offset >= a && r.Offset < b {
			return false
		}
	}
	return true
}

// longRow ends a row that goes on for very long: the rest of its line is found
// by its newline and counted by its bytes.
func (s source) longRow(ctx context.Context, p *player, live []task.Line) ([]task.Line, error) {
	if p.r.dec != nil {
		if err := p.to(ctx, p.pos+maxRecord); err != nil {
			return nil, err
		}
		return nil, nil
	}
	if len(live) == 0 || live[len(live)-1].Cut == 0 {
		return live, nil // a block that is redrawn for very long: as it stands
	}
	next, found, err := s.nextLine(ctx, p.pos, s.f.Size())
	if err != nil {
		return nil, err
	}
	last := &live[len(live)-1]
	last.Cut += int(next - p.pos)
	if found {
		last.Cut--
	}
	last.End = next
	return live, nil
}

// within keeps the rows that start in [a, b). Rows of a gap that is longer than
// a segment are in the one where it starts.
func within(rows []task.Line, a, b int64) []task.Line {
	out := rows[:0]
	for _, r := range rows {
		if r.Offset >= a && r.Offset < b {
			out = append(out, r)
		}
	}
	return append([]task.Line(nil), out...)
}
