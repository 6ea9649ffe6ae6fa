package output

import (
	"context"
	"time"

	"offstage/internal/tail"
)

// Times of the follower: how long a file that cannot be opened is left alone,
// and the shortest time between two looks at the last line.
const (
	reopen   = time.Second
	sayAgain = 300 * time.Millisecond
)

// follower is the goroutine that watches one file and keeps the state of its
// log. It reads only the last bytes; the lane it starts reads all.
type follower struct {
	l    *Log
	wake chan struct{}
	file *tail.File

	meter    meter
	lane     *lane
	stopLane context.CancelFunc
	said     time.Time // last look at the last line
	owed     bool      // a look at the last line is due
	arrived  int64     // new lines were counted up to here, while the lane is behind
}

// open tries to open the file and begins its first generation.
func (f *follower) open() {
	file, err := tail.Open(f.l.w, f.l.path, tail.Options{Within: f.l.o.Within})
	if err != nil {
		f.trouble(err)
		return
	}
	f.file = file
	first := f.l.file() == nil
	f.begin("", first)
}

// trouble notes why the file cannot be read; the same trouble is no news.
func (f *follower) trouble(err error) {
	text := sentence(f.l.path, err)
	n := f.l.news
	n.mu.Lock()
	same := f.l.state.facts.Trouble == text
	n.mu.Unlock()
	if !same {
		n.publish(func() { f.l.state.facts.Trouble = text })
	}
}

// begin starts a generation of the file.
func (f *follower) begin(restarted string, first bool) {
	if f.stopLane != nil {
		f.stopLane()
	}
	ctx, cancel := context.WithCancel(f.l.closed)
	f.stopLane = cancel
	src := newSource(f.file)
	opened := int64(0)
	if first {
		opened = f.file.Size()
	}
	f.lane = newLane(f.l, src, opened)
	f.arrived = opened
	f.l.news.publish(func() {
		st := &f.l.state
		if st.lane != nil {
			st.base += st.lane.known().arrived
		}
		st.file, st.lane, st.restarted = f.file, f.lane, restarted
		st.facts.Gen, st.facts.Trouble, st.facts.Gone = src.gen, "", false
		st.facts.LastLine = ""
	})
	f.look(tail.Event{Size: f.file.Size()})
	f.lastLine()
	f.l.done.Add(1)
	go func(c *lane) {
		defer f.l.done.Done()
		c.run(ctx)
	}(f.lane)
}

// run follows until the log is closed.
func (f *follower) run() {
	timer := time.NewTimer(reopen)
	defer timer.Stop()
	for {
		var clock <-chan struct{}
		wait := time.Hour
		switch {
		case f.file == nil:
			wait = reopen
		case f.owed:
			clock, wait = f.file.Wake(f.pace()), max(sayAgain-time.Since(f.said), time.Millisecond)
		default:
			clock = f.file.Wake(f.pace())
		}
		timer.Reset(wait)
		select {
		case <-f.l.closed.Done():
			if f.stopLane != nil {
				f.stopLane()
			}
			return
		case <-clock:
		case <-f.wake:
		case <-timer.C:
		}
		if f.file == nil {
			f.open()
			continue
		}
		f.poll()
	}
}

// nudge makes the follower look now: somebody reads the log.
func (f *follower) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// pace is how often the file is worth a look.
func (f *follower) pace() tail.Pace {
	switch {
	case f.l.focused():
		return tail.Focused
	case f.l.running.Load():
		return tail.Running
	}
	return tail.Ended
}

// poll looks at the file and passes on what happened.
func (f *follower) poll() {
	e := f.file.Poll()
	switch {
	case e.Truncated:
		f.meter = meter{}
		f.begin("the file was truncated here", false)
		return
	case e.Replaced:
		f.meter = meter{}
		f.begin("the file was replaced here", false)
		return
	}
	f.look(e)
	if e.Grew || e.Touched {
		f.owed = true
		f.lane.more()
	}
	if f.owed && time.Since(f.said) >= sayAgain {
		f.lastLine()
	}
}

// look takes in what one look at the file found, and publishes what differs.
func (f *follower) look(e tail.Event) {
	rate := f.meter.rate(time.Now(), e.Size)
	f.countArrived(e.Size)
	end := endOf(f.file, e.Size)
	text := ""
	if e.Err != nil {
		text = sentence(f.l.path, e.Err)
	}
	mod := f.file.ModTime()
	n := f.l.news
	n.mu.Lock()
	old := f.l.state.facts
	n.mu.Unlock()
	now := old
	now.Size, now.LastWrite, now.Gone, now.Trouble = e.Size, mod, e.Gone, text
	now.EndMark, now.EndMarkAt, now.OpenLine = end.mark, end.at, end.open
	now.Rate = rate
	if now.Size == old.Size && now.LastWrite.Equal(old.LastWrite) && now.Gone == old.Gone && now.Trouble == old.Trouble &&
		(rate != 0) == (old.Rate != 0) && now.EndMark == old.EndMark {
		return
	}
	n.publish(func() {
		now.LastLine = f.l.state.facts.LastLine
		f.l.state.facts = now
	})
	f.lane.setRate(rate)
}

// lastLine looks at the last row that says something.
func (f *follower) lastLine() {
	f.said, f.owed = time.Now(), false
	f.l.learnHead(f.l.closed, f.file)
	rev := f.l.secrets.Rev()
	text, err := f.l.lastText(f.l.closed, f.file)
	if f.l.secrets.Rev() != rev { // it told of a value
		text, err = f.l.lastText(f.l.closed, f.file)
		f.l.Remask()
	}
	if err != nil || text == "" {
		return
	}
	n := f.l.news
	n.mu.Lock()
	same := f.l.state.facts.LastLine == text
	n.mu.Unlock()
	if !same {
		n.publish(func() { f.l.state.facts.LastLine = text })
	}
}

// countArrived counts new lines while the lane, which counts all, is still on
// its way to where the file ended when it was opened.
func (f *follower) countArrived(size int64) {
	if f.arrived >= size || f.lane.passed() {
		return
	}
	from := max(f.arrived, size-8<<20) // in a flood the newest bytes stand for all
	n := int64(0)
	buf := make([]byte, chunk)
	for at := from; at < size; {
		got, _ := f.file.ReadThrough(buf[:min(chunk, size-at)], at)
		if got == 0 {
			break
		}
		n += f.lane.src.enc.count(buf[:got])
		at += int64(got)
	}
	if from > f.arrived {
		n = int64(float64(n) * float64(size-f.arrived) / float64(size-from))
	}
	f.arrived = size
	f.lane.addArrived(n)
}
