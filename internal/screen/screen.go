package screen

import (
	"bytes"

	"offstage/task"
)

const (
	// defaultHeight is the window where nothing is known of the terminal.
	defaultHeight = 64
	// defaultTall is the height taken for a terminal whose width alone is known.
	defaultTall = 40
	// defaultText is the display limit of spec 1 B8, in characters.
	defaultText = 4000
	// lookahead is how many characters a row keeps behind the display limit, so
	// that a secret that crosses the limit is still recognised (C8).
	lookahead = 512
	// farColumn is where moves to the right end where the width is unknown, as of
	// programs that say "column 999" for the right edge.
	farColumn = 300
	// cellBudget is how many cells the window holds before its oldest rows are
	// settled early: about 8 MB.
	cellBudget = 1 << 18
)

// Options say how a log is played. The zero value is a log without a terminal:
// endless rows, a window of 64 of them, nothing masked, rows cut at 4,000.
type Options struct {
	// Width in cells at which rows wrap softly, so that cursor moves count the
	// rows that the program saw; 0 means endless rows. A row that wrapped comes
	// out as one line all the same.
	Width int
	// Height is how many rows from the bottom may still change. 0 means 64, or 40
	// where Width is given: then the log was drawn for a terminal of usual size.
	Height int
	// Mask gives the byte ranges of a row that must not be seen; nil hides none.
	// It is asked about a live row as it stands before a part of it is dropped,
	// and about rows that are cut or carry invisible characters.
	Mask func(row string) [][2]int
	// MaxText is how many characters a row keeps; the rest is counted in Line.Cut.
	// 0 means 4,000.
	MaxText int
}

// Screen plays one log. It is not safe for concurrent use.
type Screen struct {
	o      Options
	limit  int // cells a row keeps
	height int
	window
	parser
	pen
	emitter
	mode modes
}

// modes are the switches that programs set and forget.
type modes struct {
	nowrap   bool
	insert   bool
	alt      bool
	altStyle task.Style
	// held is text of the alternate screen without a move in it, of so many lines.
	held      []byte
	heldLines int
	// origin of bytes: offset of the line being read and its number, 0 if unknown.
	lineStart int64
	line      int64
}

// New gives a screen at offset 0 of a log.
func New(o Options) *Screen {
	s := &Screen{height: o.Height}
	if o.MaxText <= 0 {
		o.MaxText = defaultText
	}
	if s.height <= 0 {
		s.height = defaultHeight
		if o.Width > 0 {
			s.height = defaultTall
		}
	}
	s.o, s.limit = o, o.MaxText+lookahead
	s.Reset()
	return s
}

// Reset forgets everything but the options.
func (s *Screen) Reset() {
	s.window = window{free: s.free[:0]}
	s.parser, s.pen, s.mode = parser{}, pen{}, modes{}
	s.emitter = emitter{}
	s.rows = append(s.rows, s.newRow())
}

// CountFrom says that the line that starts next is line n of the file, 1-based;
// from then on rows carry their Number. Without it Number stays 0.
func (s *Screen) CountFrom(n int64) {
	s.mode.line = n
	if r := s.rows[s.cur]; r.blank() {
		r.number = n
	}
}

// Write plays bytes whose first one stands at offset at of the file. However the
// bytes are cut into calls, the rows are the same. Rows pile up until Settled is
// called: at most one for each byte.
func (s *Screen) Write(p []byte, at int64) {
	i := 0
	s.base = at
	if s.npart > 0 {
		i = s.finishRune(p)
	} else if s.fresh() {
		s.mode.lineStart, s.start = at, at
		s.rows[0].offset = at
	}
	if len(p) > 256 {
		n := bytes.Count(p, []byte{'\n'})
		if s.feeds += n; !s.scarce {
			s.reserve(n + 2)
		}
	}
	for i < len(p) {
		if s.state == ground {
			i = s.text(p, i)
		} else {
			i = s.sequence(p, i)
		}
	}
	s.pos = at + int64(len(p))
}

// fresh says that nothing at all was written yet.
func (s *Screen) fresh() bool { return s.pos == 0 && len(s.rows) == 1 && s.rows[0].blank() }

// Settled gives the rows that can no longer change, in order, since it was last
// called. The caller owns them.
func (s *Screen) Settled() []task.Line {
	out := s.out
	s.scarce = s.feeds > 64 && len(out) < s.feeds/4
	s.out, s.feeds = nil, 0
	return out
}

// Live gives the rows of the window as they stand now, each with Live set; the
// last one may be half a line. Blank rows below the cursor are left out.
func (s *Screen) Live() []task.Line {
	e := emitter{head: s.head.clone(), lastOffset: s.lastOffset, made: s.made}
	e.reserve(len(s.rows))
	s.emit(&e, s.copyForMask(e.head), s.lastShown())
	for i := range e.out {
		e.out[i].Live = true
	}
	return e.out
}

// Flush ends the input: everything that is left comes out settled, together with
// what Settled would have given. The screen then stands on a new row.
func (s *Screen) Flush() []task.Line {
	s.endText()
	for i, r := range s.rows {
		if r.marked {
			s.maskLine(i)
		}
	}
	s.emit(&s.emitter, s.rows, s.lastShown())
	for _, r := range s.rows {
		s.release(r)
	}
	s.mode.lineStart = s.pos
	s.rows = append(s.rows[:0], s.newRow())
	s.cur, s.col, s.hot, s.top, s.bottom = 0, 0, 0, 0, 0
	return s.Settled()
}
