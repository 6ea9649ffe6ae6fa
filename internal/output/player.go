package output

import (
	"context"

	"offstage/task"
)

// player plays a source from a line's start on: it reads, steps over gaps and
// collects masked rows.
type player struct {
	source
	r    *renderer
	pos  int64
	hole int64 // no hole starts in [pos, hole)
	rows []task.Line
	eof  bool
	// line at hand, 0 while numbers are not known; open is where it starts.
	line, open int64
	// marked: the rows before the end mark came out because of it.
	marked bool
}

func newPlayer(s source, k look, pos, line int64) *player {
	k.enc = s.enc
	p := &player{source: s, r: newRenderer(k, line), pos: max(pos, s.head), hole: -1, line: line}
	p.open = p.pos
	return p
}

// to plays on to the offset end or the end of the file.
func (p *player) to(ctx context.Context, end int64) error {
	for p.eof = false; p.pos < end && !p.eof; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.step(end); err != nil {
			return err
		}
	}
	return nil
}

// step plays one chunk, or passes one gap.
func (p *player) step(end int64) error {
	gap, err := p.holeAt(p.pos)
	if p.pos < p.hole {
		gap, err = p.pos, nil
	}
	if err != nil {
		return err
	}
	if gap > p.pos {
		return p.pass(gap)
	}
	if p.pos >= p.hole {
		if p.hole, err = p.f.NextHole(p.pos); err != nil {
			return err
		}
	}
	want := min(int64(chunk), end-p.pos)
	if p.hole > p.pos {
		want = min(want, p.hole-p.pos)
	}
	if p.mark > p.pos {
		want = min(want, p.mark-p.pos)
	}
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	n, err := p.read(buf[:want], p.pos)
	if err != nil {
		return err
	}
	if n == 0 {
		p.eof = true
		return nil
	}
	p.play(buf[:n])
	if p.mark > 0 && p.pos == p.mark {
		p.endOutput()
	}
	return nil
}

// endOutput ends what is live before the agent's end mark, so that the mark is a
// row of its own below it.
func (p *player) endOutput() {
	p.rows = append(p.rows, p.r.flush(p.pos)...)
	p.r = newRenderer(p.r.look, p.line)
	p.marked = true
}

// play gives bytes at pos to the renderer. NULs that lead up to a gap belong to
// it: files are given back to the disk in whole blocks.
func (p *player) play(b []byte) {
	n := len(b)
	if p.pos+int64(n) == p.hole {
		if gap, err := p.holeAt(p.hole); err == nil && gap > p.hole {
			for n > 0 && b[n-1] == 0 {
				n--
			}
			n += n & int(p.enc.unit()-1)
		}
	}
	if n > 0 {
		p.r.write(b[:n], p.pos)
		if p.line > 0 {
			p.line += p.enc.count(b[:n])
		}
		p.rows = append(p.rows, p.r.settled()...)
		if i := p.enc.last(b[:n]); i >= 0 {
			p.open = p.pos + int64(i)
		}
		p.pos += int64(n)
	}
	if n < len(b) {
		p.gap(p.pos, p.hole)
	}
}

// pass steps over the gap from pos to the offset to.
func (p *player) pass(to int64) error {
	p.gap(p.pos, to)
	return nil
}

// gap ends what is live, as a line that the gap cut ends, and marks the place.
func (p *player) gap(from, to int64) {
	if end, err := p.holeAt(max(to, from)); err == nil {
		to = max(to, end)
	}
	p.rows = append(p.rows, p.r.flush(from)...)
	to += p.nuls(to)
	p.rows = append(p.rows, holeRow(from, to))
	p.pos, p.open, p.hole = to, to, -1
	p.r = newRenderer(p.r.look, p.line)
}

// take gives the settled rows so far to the caller.
func (p *player) take() []task.Line {
	rows := p.rows
	p.rows = nil
	return rows
}
