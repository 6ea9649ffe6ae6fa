package output

import (
	"sync"

	"offstage/task"
	"offstage/testparse"
)

// laneChunk is what is read at a time, laneLine what testparse looks at of one
// line.
const (
	laneChunk = 256 << 10
	laneLine  = 64 << 10
)

// lane is the cheap work over every byte of one generation, in order: newlines,
// test lines, addresses. What it says is masked when it leaves.
type lane struct {
	l   *Log
	src source
	cmd string
	new chan struct{}

	mu    sync.Mutex
	idx   index
	pos   int64 // start of the line at hand: all before it is known
	seen  int64 // bytes read
	carry []byte
	long  bool // the line at hand is longer than laneLine
	scan  *testparse.Scanner
	rev   uint64
	urls  addresses
	recod []byte

	tests *task.Tests
	prog  progress
	rate  float64
	// opened is where the file ended at first sight, atOpen how many newlines
	// stand before it; fresh counts new lines until the lane comes there.
	opened, atOpen, fresh int64
	hasOpen               bool
}

func newLane(l *Log, src source, opened int64) *lane {
	c := &lane{l: l, src: src, cmd: l.o.Command, new: make(chan struct{}, 1), opened: opened, pos: src.head, seen: src.head}
	if k := l.o.Facts; k == nil || !c.restore(k) {
		c.scan = testparse.New(testparse.Options{Command: c.cmd})
	}
	if c.seen >= opened {
		c.hasOpen, c.atOpen = true, c.idx.total
	}
	return c
}

// known is what the lane has found so far.
type known struct {
	pos, lines, arrived int64
	// slack is how many bytes at the end may be half a character.
	slack int64
	tests *task.Tests
	urls  []string
	prog  *task.Progress
}

func (c *lane) known() known {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := known{pos: c.seen, slack: c.src.enc.unit() - 1, lines: c.idx.total, tests: c.tests, urls: c.urls.shown, prog: c.prog.now, arrived: c.fresh}
	if c.seen > c.pos {
		k.lines++
	}
	if c.hasOpen {
		k.arrived = c.idx.total - c.atOpen
	}
	return k
}

// more says that the file has grown.
func (c *lane) more() {
	select {
	case c.new <- struct{}{}:
	default:
	}
}

func (c *lane) setRate(r float64) {
	c.mu.Lock()
	c.rate = r
	c.mu.Unlock()
}

func (c *lane) addArrived(n int64) {
	c.mu.Lock()
	c.fresh += n
	c.mu.Unlock()
}

// passed says that the lane has come to where the file ended at first.
func (c *lane) passed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hasOpen
}

// step reads one chunk and gives how far it came, and whether it has news.
func (c *lane) step(buf []byte) (int64, bool) {
	if c.src.fresh() != nil {
		return 0, false
	}
	end, err := c.src.holeAt(c.seen)
	if err != nil {
		return 0, false
	}
	if end > c.seen {
		return c.jump(end), false
	}
	// Only what a look at the file has found: of what lies behind, a cut could not
	// be told any more.
	room := c.src.f.Size() - c.seen
	if room <= 0 {
		return 0, false
	}
	n, _ := c.src.f.ReadThrough(buf[:min(int64(len(buf)), room)], c.seen)
	if c.src.enc != utf8Text {
		n &^= 1
	}
	if n == 0 {
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b := buf[:n]
	if !c.hasOpen && c.seen+int64(n) >= c.opened { // stop at the border once
		b = b[:c.opened-c.seen]
	}
	news := false
	if len(b) > 0 {
		news = c.src.enc == utf8Text && c.prog.take(b)
		c.take(b)
	}
	if !c.hasOpen && c.seen >= c.opened {
		c.hasOpen, c.atOpen = true, c.idx.total
		b = buf[:max(len(b), 1)]
	}
	return int64(len(b)), c.said() || news
}

// jump passes a gap; it ends the line at hand without a newline.
func (c *lane) jump(to int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hasOpen && to >= c.opened {
		c.hasOpen, c.atOpen = true, c.idx.total
	}
	n := to - c.seen
	c.idx.room(to)
	c.seen, c.pos = to, to
	c.carry, c.long = c.carry[:0], false
	return n
}

// take counts b, which follows on what was seen, and reads its lines.
func (c *lane) take(b []byte) {
	e := c.src.enc
	n := c.idx.total // newlines before b
	c.idx.add(e, b, c.seen)
	at := c.seen
	c.seen += int64(len(b))
	if i := e.next(b); c.seenLine(at) && i >= 0 { // the line that began before
		n++
		c.keep(b[:i])
		c.lines(c.carry, c.pos, n)
		c.carry, c.long = c.carry[:0], false
		b, at = b[i:], at+int64(i)
		c.pos = at
	}
	i := e.last(b)
	if i > 0 {
		c.lines(b[:i], at, n+1)
		b = b[i:]
		c.pos = at + int64(i)
	}
	c.keep(b)
}

// seenLine says that a line is at hand whose start was read before off.
func (c *lane) seenLine(off int64) bool { return off > c.pos }

// keep holds the start of an unfinished line.
func (c *lane) keep(b []byte) {
	if room := laneLine - len(c.carry); len(b) > room {
		b, c.long = b[:room], true
	}
	c.carry = append(c.carry, b...)
}

// lines reads whole lines: b starts at off with line number n.
func (c *lane) lines(b []byte, off, n int64) {
	c.urls.find(c.src, b, off)
	if c.src.enc != utf8Text {
		c.recod = c.src.enc.utf8(c.recod[:0], b)
		b = c.recod
	}
	c.scan.Lines(b, n)
}

// said brings what tests and addresses say up to date; true when it changed.
func (c *lane) said() bool {
	if rev := c.scan.Rev(); rev != c.rev {
		c.rev = rev
		c.tests = testsOf(c.scan)
		return true
	}
	return c.urls.takeNews()
}

// testsOf is what a scanner says, masked; nil without a run.
func testsOf(s *testparse.Scanner) *task.Tests {
	t, ok := s.Total()
	if !ok {
		return nil
	}
	return &task.Tests{Totals: t, Runs: maskTests(s.Runs())}
}
