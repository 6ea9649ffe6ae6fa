package screen

// State is a screen in the middle of a log: rows, cursor, style and what the
// parser had begun. It is a copy that nothing changes, for use within one run of
// the program. A state of plain text is some kB.
type State struct {
	window window
	parser parser
	pen    pen
	mode   modes
	head   *builder
	last   int64
	made   int64
}

// Safe says that here is a good place to start reading later: at the start of a
// line, outside of every sequence and of the alternate screen, with no block in
// the window that is being redrawn.
func (s *Screen) Safe() bool {
	return s.state == ground && s.npart == 0 && s.nuls == 0 && !s.mode.alt && s.hot == 0 && s.head == nil &&
		s.cur == len(s.rows)-1 && s.col == 0 && s.rows[s.cur].blank()
}

// Offset is the file offset behind the last byte that was written.
func (s *Screen) Offset() int64 { return s.pos }

// Save gives the present state. Rows that have settled are not part of it, those
// of the live window are: after Restore they come out again.
func (s *Screen) Save() State {
	return State{
		window: s.window.clone(), parser: s.parser, pen: s.pen, mode: s.mode.clone(),
		head: s.head.clone(), last: s.lastOffset, made: s.made,
	}
}

// Restore goes back to a state that a screen with the same options has saved;
// rows that were settled but not taken are dropped. What is written next must be
// the bytes from the state's Offset on.
func (s *Screen) Restore(st State) {
	s.window = st.window.clone()
	s.parser, s.pen, s.mode = st.parser, st.pen, st.mode.clone()
	s.emitter = emitter{head: st.head.clone(), lastOffset: st.last, made: st.made}
	if len(s.rows) == 0 {
		s.rows = append(s.rows, s.newRow())
	}
}

func (m modes) clone() modes {
	m.held = append([]byte(nil), m.held...)
	return m
}

func (w window) clone() window {
	rows := w.rows
	w.rows, w.free = make([]*row, len(rows)), nil
	for i, r := range rows {
		w.rows[i] = r.clone()
	}
	return w
}
