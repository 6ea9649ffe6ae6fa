package output

import (
	"context"

	"offstage/task"
)

// The live end: how many rows are kept, how much unread output is played in
// full, and how much of its end is played when more has come.
const (
	tipRows  = 2000
	tipSpan  = 1 << 20
	floodTo  = 64 << 10
	tipFirst = 1 << 20
)

// tip is the live end of one generation: the newest rows, played on as the file
// grows, so that following costs what is new and no more.
type tip struct {
	p *player
	// ring holds settled rows, folded, at most twice tipRows.
	ring []task.Line
	// from is where the rows begin that the tip answers for.
	from     int64
	numbered bool
	rev      uint64 // of the secrets that the rows were masked under
}

// tipPage is the newest n rows.
func (l *Log) tipPage(b *book, n int) (task.Page, error) {
	t, rev := l.tip, l.secrets.Rev()
	if t == nil || t.rev != rev || t.p.gen != b.gen || t.p.f != b.f || !t.numbered && b.counted > t.from || !t.ends(b.mark) {
		var err error
		if t, err = newTip(b); err != nil {
			return task.Page{}, err
		}
		t.rev = rev
		l.tip = t
	}
	if err := t.catchUp(b, n); err != nil {
		l.tip = nil
		return task.Page{}, err
	}
	rows, err := t.rows(b, n)
	if err != nil {
		return task.Page{}, err
	}
	p := task.Page{Lines: rows, Start: b.size, End: b.size, Bottom: true}
	if len(rows) > 0 {
		p.Start, p.End = rows[0].Offset, max(rows[len(rows)-1].End, rows[0].Offset)
	}
	p.Top = p.Start <= b.head
	return p, nil
}

// ends takes up where the end mark stands now, 0 for none; false when the rows
// were played with another one.
func (t *tip) ends(mark int64) bool {
	if mark == t.p.mark {
		return true
	}
	if t.p.marked || mark > 0 && mark < t.p.pos {
		return false
	}
	if t.p.mark = mark; mark > 0 && mark == t.p.pos {
		t.p.endOutput()
	}
	return true
}

// newTip begins far enough before the end for tipRows rows, within tipFirst
// bytes.
func newTip(b *book) (*tip, error) {
	from, err := b.linesBack(b.ctx, b.size, tipRows, tipFirst)
	if err != nil {
		return nil, err
	}
	return b.tipFrom(from)
}

// tipFrom begins a tip whose first row starts at or behind from.
func (b *book) tipFrom(from int64) (*tip, error) {
	start, inside, err := b.begin(b.ctx, from)
	if err != nil {
		return nil, err
	}
	if inside { // all that is near is one long line or a gap
		if start, err = b.resume(b.ctx, start, from, b.size); err != nil {
			return nil, err
		}
		from = start
	}
	n := b.line(start)
	return &tip{p: newPlayer(b.source, b.look, start, n), from: from, numbered: n > 0}, nil
}

// linesBack is the start of the n-th line before end, not further back than most
// bytes and on a line's start where there is one.
func (s source) linesBack(ctx context.Context, end int64, n int, most int64) (int64, error) {
	buf := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buf)
	best := end
	for hi := end; hi > s.head; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		lo := max((hi-1)/chunk*chunk, 0)
		got, err := s.read(buf[:hi-lo], lo)
		if err != nil {
			return 0, err
		}
		for b := buf[:got]; ; {
			i := s.enc.last(b)
			if i < 0 {
				break
			}
			if at := lo + int64(i); at < end {
				if best = at; n <= 0 {
					return best, nil
				}
				n--
			}
			b = b[:i-int(s.enc.unit())]
		}
		if hi = lo; end-hi >= most && hi > s.head {
			return min(best, max(hi, s.head)+most/2), nil
		}
	}
	return s.head, nil
}

// catchUp plays what is new; when more came than tipSpan, only its end, enough for
// n usual rows, and a mark stands for the rest, which can be paged into.
func (t *tip) catchUp(b *book, n int) error {
	if b.size-t.p.pos > tipSpan && t.p.pos > t.from {
		at := t.p.pos
		from, err := b.linesBack(b.ctx, b.size, n, floodTo)
		if err != nil {
			return err
		}
		fresh, err := b.tipFrom(from)
		if err != nil {
			return err
		}
		t.push(t.p.r.flush(at))
		t.push([]task.Line{passedRow(at, fresh.from)})
		t.p, t.from, t.numbered = fresh.p, fresh.from, fresh.numbered
	}
	if err := t.p.to(b.ctx, b.size); err != nil {
		return err
	}
	t.push(t.p.take())
	return nil
}

// push takes settled rows into the ring.
func (t *tip) push(rows []task.Line) {
	for _, r := range rows {
		if r.Offset >= t.from || r.Mark == task.MarkPassed || len(t.ring) > 0 && r.Offset >= t.ring[len(t.ring)-1].End {
			t.ring = pushFolded(t.ring, r)
		}
	}
	if len(t.ring) > 2*tipRows {
		n := copy(t.ring, t.ring[len(t.ring)-tipRows:])
		clear(t.ring[n:])
		t.ring = t.ring[:n]
	}
}

// rows gives the newest n, with earlier ones from before the tip if it has not
// so many.
func (t *tip) rows(b *book, n int) ([]task.Line, error) {
	// The screen is left as it is: an ended task may be running after all.
	live := t.p.r.live(!b.running)
	rows := make([]task.Line, 0, min(n, len(t.ring))+len(live))
	rows = append(rows, t.ring[max(len(t.ring)-n, 0):]...)
	for _, r := range live {
		if r.Offset >= t.from {
			rows = pushFolded(rows, r)
		}
	}
	if len(rows) >= n {
		return lastOf(rows, n), nil
	}
	first := t.from
	if len(rows) > 0 {
		first = rows[0].Offset
	}
	before, err := b.back(first, n-len(rows), true, tipBytes)
	if err != nil || len(before.rows) == 0 {
		return rows, err
	}
	for _, r := range rows {
		before.rows = pushFolded(before.rows, r)
	}
	return lastOf(before.rows, n), nil
}
