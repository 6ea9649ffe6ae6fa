package output

// countedTo is how far the lane of generation gen has counted.
func (l *Log) countedTo(gen int) int64 {
	l.news.mu.Lock()
	c := l.state.lane
	l.news.mu.Unlock()
	if c == nil || c.src.gen != gen {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// lineAt is the 1-based number of the line that starts at off, 0 while it has
// not been counted. It reads at most one stride of the index.
func (l *Log) lineAt(s source, off int64) int64 {
	if off <= s.head {
		return 1
	}
	l.news.mu.Lock()
	c := l.state.lane
	l.news.mu.Unlock()
	if c == nil || c.src.gen != s.gen {
		return 0
	}
	c.mu.Lock()
	seen := c.seen
	at, n := c.idx.before(off)
	c.mu.Unlock()
	if seen < off {
		return 0
	}
	buf := make([]byte, min(off-at, laneChunk))
	for at < off {
		if data := s.dataAt(at); data > at {
			at = min(data, off)
			continue
		}
		got, _ := s.f.ReadThrough(buf[:min(off-at, int64(len(buf)))], at)
		if got == 0 { // the file was cut: the next look tells
			return 0
		}
		n += s.enc.count(buf[:got])
		at += int64(got)
	}
	return n + 1
}

// offsetOf is where line n starts, -1 while that has not been counted or where
// the file has no such line.
func (b *book) offsetOf(n int64) (int64, error) {
	if n <= 1 {
		return b.head, nil
	}
	at, have, ok := b.find(n - 1)
	if !ok {
		return -1, nil
	}
	buf := make([]byte, laneChunk)
	for {
		if err := b.ctx.Err(); err != nil {
			return 0, err
		}
		at = b.dataAt(at)
		got, err := b.f.ReadThrough(buf, at)
		if got == 0 {
			if at >= b.size {
				return -1, nil
			}
			return -1, err
		}
		c := b.enc.count(buf[:got])
		if have+c < n-1 {
			have, at = have+c, at+int64(got)
			continue
		}
		for p := buf[:got]; ; {
			i := b.enc.next(p)
			have++
			at += int64(i)
			if p = p[i:]; have == n-1 {
				return at, nil
			}
		}
	}
}

// find asks the lane's index for a place shortly before the n-th newline.
func (l *Log) find(gen int, n int64) (at, have int64, ok bool) {
	l.news.mu.Lock()
	c := l.state.lane
	l.news.mu.Unlock()
	if c == nil || c.src.gen != gen {
		return 0, 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.idx.find(n)
}
