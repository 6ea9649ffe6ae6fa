//go:build unix

package runner

import (
	"fmt"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/taskdir"
)

// Figures of the size guard (O6).
const (
	// warnPart: a guard that does more than warn warns at this part of its limit.
	warnPart = 5
	// keepHead and keepTail stay when the middle is cut out, less where the limit is
	// small.
	keepHead, keepTail = 8 << 20, 64 << 20
	// fastGrowth is from how many bytes a second it is looked at every fastLook.
	fastGrowth = 10 << 20
	slowLook   = time.Second
	fastLook   = 100 * time.Millisecond
	minLook    = 20 * time.Millisecond
	// topSpeed is how many bytes a second a program may write; margin is how much
	// more than the limit may be on the disk before it is looked at again.
	topSpeed = 2 << 30
	margin   = 96 << 20
	// lowPart (of 100) and lowBytes: less free than one of them, and the disk counts
	// as nearly full. Outputs smaller than lowMatters are not what fills it.
	lowPart, lowBytes, lowMatters = 5, 2 << 30, 96 << 20
	block                         = 4096
)

// sizeWatch guards the output of one task.
type sizeWatch struct {
	size  taskdir.Size
	state taskdir.Guard
	tick  *time.Ticker
	every time.Duration
	// last look.
	at     time.Time
	onDisk int64
	// cutTo is the end of the hole, in bytes of the file.
	cutTo int64
	// space is fsys.Space.
	space func(path string) (free, total uint64, err error)
}

func (g *sizeWatch) begin(size taskdir.Size) {
	g.size, g.every, g.space = size, slowLook, fsys.Space
	g.every = g.next(0, 0)
	g.tick = time.NewTicker(g.every)
}

// next is when to look again: soon while it grows fast, and before a program at
// top speed could be past limit and margin.
func (g *sizeWatch) next(onDisk int64, speed float64) time.Duration {
	d := slowLook
	if speed > fastGrowth {
		d = fastLook
	}
	if g.size.Limit > 0 && g.size.Do != taskdir.Warn {
		room := time.Duration(float64(max(0, g.size.Limit-onDisk)+margin) / topSpeed * float64(time.Second))
		d = max(min(d, room), minLook)
	}
	return d
}

// used is how many bytes of the output are on the disk.
func used(st fsys.Stat) int64 {
	if st.Blocks >= 0 {
		return st.Blocks
	}
	return st.Size
}

// guard looks at the output and does what was asked for about its size.
func (s *supervisor) guard() {
	g := &s.watch
	st, err := fsys.Lstat(s.dir.Output())
	if err != nil {
		return
	}
	now := s.w.Now()
	disk, grown := used(st), used(st)-g.onDisk
	speed := 0.0
	if d := now.Sub(g.at).Seconds(); !g.at.IsZero() && d > 0 {
		speed = float64(grown) / d
	}
	g.at, g.onDisk = now, disk
	before := g.state
	low := grown > 0 && disk > lowMatters && g.low(s.dir.Output())
	switch {
	case g.size.Limit > 0 && disk > g.size.Limit || low:
		g.state.DiskLow = low
		s.act(now)
	case g.size.Limit > 0 && disk > g.size.Limit/warnPart && g.state.WarnedAt.IsZero() && g.size.Do != taskdir.Warn:
		g.state.WarnedAt = now.UTC()
	}
	if g.state != before {
		_ = s.dir.WriteGuard(g.state) // what was done is done, whether it can be said or not
	}
	if every := g.next(g.onDisk, speed); every != g.every {
		g.every = every
		g.tick.Reset(every)
	}
}

// low says whether the disk is nearly full.
func (g *sizeWatch) low(path string) bool {
	free, total, err := g.space(path)
	return err == nil && (free < lowBytes || free*100 < total*lowPart)
}

// act does what was asked for, once the limit is passed.
func (s *supervisor) act(now time.Time) {
	g := &s.watch
	switch g.size.Do {
	case taskdir.Warn:
		if g.state.WarnedAt.IsZero() {
			g.state.WarnedAt = now.UTC()
		}
	case taskdir.Freeze:
		s.freeze()
	case taskdir.Stop:
		if s.stop == nil && s.exit == nil {
			s.beginStop(taskdir.SizeLimit, ask{Now: true})
		}
	default:
		if _, err := g.cut(s.dir.Output(), now); err != nil {
			g.state.Trouble = "The output could not be cut (" + cause(err) + "): stop the task or free some space."
		}
	}
}

// freeze makes the task stand still, if it does not yet.
func (s *supervisor) freeze() {
	if !s.watch.state.FrozenAt.IsZero() || s.stop != nil {
		return
	}
	seen := s.w.Now()
	if n, err := proc.Freeze(s.w, s.own()); err != nil || n == 0 {
		return
	}
	now := s.w.Now()
	s.watch.state.FrozenAt, s.watch.state.TookMS = now.UTC(), now.Sub(seen).Milliseconds()
}

// thaw lets it go on; the guard's limit begins anew from where it stands.
func (s *supervisor) thaw() error {
	if err := proc.Thaw(s.w, s.own()); err != nil {
		return err
	}
	g := &s.watch
	g.state.FrozenAt = time.Time{}
	if g.size.Do == taskdir.Freeze && g.onDisk > g.size.Limit {
		g.size.Limit += g.onDisk
	}
	return s.dir.WriteGuard(g.state)
}

// cut gives the middle of the output back to the disk and writes into the gap
// that it is one. Offsets stay as they are, so every reader and writer goes on.
func (g *sizeWatch) cut(path string, now time.Time) (freed int64, err error) {
	f, err := fsys.OpenChange(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	st, err := fsys.Fstat(f)
	if err != nil {
		return 0, err
	}
	head, tail := g.keeps()
	from, to := max(head, g.cutTo), (st.Size-tail)/block*block
	if to <= from {
		return 0, nil
	}
	if err := fsys.PunchHole(f, from, to-from); err != nil {
		return 0, err
	}
	g.cutTo, g.state.GapFrom, g.state.GapTo, g.state.TrimmedAt = to, head, to, now.UTC()
	if _, err := f.WriteAt([]byte(gapMark(head, to)), head); err != nil {
		return 0, fmt.Errorf("mark the gap in %s: %w", path, err)
	}
	after, err := fsys.Fstat(f)
	if err != nil {
		return 0, err
	}
	g.onDisk = used(after)
	return used(st) - used(after), nil
}

// keeps are the bytes that stay at both ends.
func (g *sizeWatch) keeps() (head, tail int64) {
	head, tail = keepHead, keepTail
	if g.size.Limit > 0 {
		head, tail = min(head, g.size.Limit/8), min(tail, g.size.Limit/2)
	}
	return head / block * block, tail / block * block
}

// gapMark is the line that stands at the start of the gap, for whoever reads the
// file, by whatever means.
func gapMark(from, to int64) string {
	return fmt.Sprintf("\n[Offstage: %s of this output were cut out here to spare the disk; the first %s and what came last are kept]\n", bytesText(to-from), bytesText(from))
}

// bytesText is a size as people write it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// trim cuts now, whatever the limit.
func (s *supervisor) trim() error {
	_, err := s.watch.cut(s.dir.Output(), s.w.Now())
	if err == nil {
		err = s.dir.WriteGuard(s.watch.state)
	}
	return err
}

// sizes are those of the output now.
func (s *supervisor) sizes() (size, disk int64) {
	st, err := fsys.Lstat(s.dir.Output())
	if err != nil {
		return 0, 0
	}
	return st.Size, used(st)
}
