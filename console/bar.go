package console

import "strings"

// hit is what a click at a place of the chrome does.
type hit int

const (
	hitNothing hit = iota
	hitClose
	hitFailure
	hitStop
	hitEarlier
	hitEnd
	hitConfirm
	hitKeep
	hitKill
	hitDismiss
	hitAnswer
	hitFreeze
	hitTrim
)

// zone is a stretch of a line of the chrome that can be clicked.
type zone struct {
	y, x0, x1 int
	hit       hit
}

// piece is a word of a bar. Pieces of the highest rank go first where room is
// short; rank 0 stays; the flexible one is cut with a mark at last.
type piece struct {
	text, look string
	hit        hit
	rank       int
	flex       bool
	// gap is how many cells stand before it, 2 where not said.
	gap int
}

// bar lays out one line: left pieces from the left edge, right pieces at the
// right edge, in exactly at most w cells. It notes the places that can be
// clicked on line y.
func (m *Model) bar(y int, left, right []piece) string {
	for m.barCells(left, right) > m.w {
		if !dropWorst(&left, &right) {
			break
		}
	}
	m.squeeze(left, right)
	var b strings.Builder
	x := m.putPieces(&b, y, 0, left)
	if len(right) > 0 {
		if pad := m.w - x - m.piecesCells(right); pad > 0 {
			b.WriteString(strings.Repeat(" ", pad))
			x += pad
		}
		m.putPieces(&b, y, x, right)
	}
	return b.String()
}

// putPieces writes pieces from column x on and gives the column behind them.
func (m *Model) putPieces(b *strings.Builder, y, x int, ps []piece) int {
	for _, p := range ps {
		room := m.w - x
		if room <= 0 {
			return x
		}
		gap := min(p.gap, room)
		b.WriteString(strings.Repeat(" ", gap))
		text := clip(p.text, room-gap, m.set.more, m.width)
		b.WriteString(painted(p.look, text))
		x += gap
		n := cells(text, m.width)
		if p.hit != hitNothing {
			m.zones = append(m.zones, zone{y, x, x + n, p.hit})
		}
		x += n
	}
	return x
}

func (m *Model) piecesCells(ps []piece) int {
	n := 0
	for _, p := range ps {
		n += p.gap + cells(p.text, m.width)
	}
	return n
}

func (m *Model) barCells(left, right []piece) int {
	return m.piecesCells(left) + m.piecesCells(right)
}

// dropWorst takes away the piece of the highest rank; false where none may go.
func dropWorst(left, right *[]piece) bool {
	worst, at, from := 0, 0, left
	for _, ps := range []*[]piece{left, right} {
		for i, p := range *ps {
			if p.rank > worst {
				worst, at, from = p.rank, i, ps
			}
		}
	}
	if worst == 0 {
		return false
	}
	*from = append((*from)[:at:at], (*from)[at+1:]...)
	return true
}

// squeeze cuts the flexible piece to what is left for it.
func (m *Model) squeeze(left, right []piece) {
	over := m.barCells(left, right) - m.w
	if over <= 0 {
		return
	}
	for i := range left {
		if left[i].flex {
			room := max(cells(left[i].text, m.width)-over, 1)
			left[i].text = clip(left[i].text, room, m.set.more, m.width)
		}
	}
}
