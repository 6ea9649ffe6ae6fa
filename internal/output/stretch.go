package output

import (
	"slices"

	"offstage/task"
)

// stretch is rows in one direction from a place. reach is how far they go: where
// to ask for what comes next, also where a long way has no row at all. edge:
// nothing stands beyond.
type stretch struct {
	rows  []task.Line
	reach int64
	edge  bool
}

// back gives the last n rows that start before at. Where rows are folded it goes
// on to the start of a run.
func (b *book) back(at int64, n int, folded bool, budget int64) (stretch, error) {
	if at <= b.head {
		return stretch{edge: true}, nil
	}
	if n == 0 {
		return stretch{reach: at}, nil
	}
	var parts [][]task.Line
	got, low, top := 0, at, false
	for k := (at - 1) / segment; k >= 0; {
		s, err := b.seg(k)
		if err != nil {
			return stretch{}, err
		}
		low = min(low, k*segment)
		if rows := before(s.rows, at, n, folded); len(rows) > 0 {
			if m := len(parts); folded && m > 0 && same(&rows[len(rows)-1], &parts[m-1][0]) {
				got-- // a run goes on over the border
			}
			parts = append(parts, rows)
			got += len(rows)
		}
		if budget -= segment; got > n || budget <= 0 { // one more than asked for: the run has its start
			break
		}
		if k, err = b.previous(s); err != nil {
			return stretch{}, err
		}
		top = k < 0
	}
	slices.Reverse(parts)
	rows := slices.Concat(parts...)
	if folded {
		rows = fold(rows)
	}
	out := stretch{rows: lastOf(rows, n), reach: low}
	out.edge = top && len(out.rows) == len(rows)
	if len(out.rows) < len(rows) {
		out.reach = out.rows[0].Offset
	}
	if out.edge {
		out.reach = 0
	}
	return out, nil
}

// before gives the rows that start before at, folded or the last n and one more
// unfolded.
func before(rows []task.Line, at int64, n int, folded bool) []task.Line {
	rows = startingBefore(rows, at)
	if len(rows) == 1 && rows[0].Repeat > 1 {
		r, _ := part(rows[0], 0, at)
		if folded {
			return []task.Line{r}
		}
		var out []task.Line
		for i := max(times(&r)-n-1, 0); i < times(&r); i++ {
			out = append(out, single(r, i))
		}
		return out
	}
	if folded {
		return fold(rows)
	}
	return rows
}

func startingBefore(rows []task.Line, at int64) []task.Line {
	for len(rows) > 0 && rows[len(rows)-1].Offset >= at {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// previous is the segment to look at before s, -1 at the top: the one before,
// or, inside of a long line or a gap, the one where that starts.
func (b *book) previous(s *seg) (int64, error) {
	if s.inside <= 0 || s.k == 0 {
		return s.k - 1, nil
	}
	at, err := b.gapBefore(s.inside)
	if err == nil && at == s.inside {
		at, err = b.lineStart(b.ctx, s.inside)
	}
	if err != nil {
		return 0, err
	}
	return min(at/segment, s.k-1), nil
}

// forth gives the first n rows from at on.
func (b *book) forth(at int64, n int, folded bool) (stretch, error) {
	var rows []task.Line
	bottom, reach := false, at
	budget := int64(pageBytes)
	for k := at / segment; ; {
		s, err := b.seg(k)
		if err != nil {
			return stretch{}, err
		}
		end := (k + 1) * segment
		for _, r := range s.rows {
			end = max(end, r.End)
			if r.Repeat > 1 {
				var any bool
				if r, any = part(r, at, r.End); !any {
					continue
				}
			}
			switch {
			case r.Offset < at:
			case folded:
				rows = pushFolded(rows, r)
			case r.Repeat > 1:
				for i := 0; i < r.Repeat && len(rows) <= n; i++ {
					rows = append(rows, single(r, i))
				}
			default:
				rows = append(rows, r)
			}
		}
		if s.inside >= 0 { // the rest of a long line or a gap
			if end, err = b.resume(b.ctx, s.resume, end, b.size); err != nil {
				return stretch{}, err
			}
		}
		budget -= segment
		reach, bottom = end, end >= b.size
		if bottom || len(rows) > n || budget <= 0 {
			break
		}
		k = max(end/segment, k+1)
	}
	out := stretch{rows: firstOf(rows, n), reach: min(reach, b.size)}
	out.edge = bottom && len(out.rows) == len(rows)
	if len(out.rows) < len(rows) {
		out.reach = rows[len(out.rows)].Offset
	}
	return out, nil
}
