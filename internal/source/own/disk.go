package own

import (
	"time"

	"offstage/internal/taskdir"
	"offstage/task"
)

// When there is something to say of the disk before anything was done about it:
// an output that, at the pace of the last look, is at its limit or has used up
// what is free within fillsSoon. Slower than slowGrowth it is no matter of minutes.
const (
	fillsSoon  = 2 * time.Minute
	slowGrowth = 1 << 20
	// paceOver is the least time between two looks that tells a pace.
	paceOver = 100 * time.Millisecond
)

// pace is how fast an output grows.
type pace struct {
	at     time.Time
	onDisk int64
	// speed in bytes a second.
	speed float64
}

// look takes up that onDisk bytes stand on the disk at now; the task started at
// start, with none.
func (p *pace) look(onDisk int64, start, now time.Time) {
	if p.at.IsZero() {
		p.at = start
	}
	if d := now.Sub(p.at); d >= paceOver {
		p.speed, p.at, p.onDisk = max(0, float64(onDisk-p.onDisk)/d.Seconds()), now, onDisk
	}
}

// in says whether the output grows by n bytes within fillsSoon.
func (p *pace) in(n int64) bool {
	return p.speed > slowGrowth && p.speed*fillsSoon.Seconds() >= float64(n)
}

// disk is what there is to say of the disk for a running task (spec 2 O6), nil
// for nothing. supervised: its guard lives, and does what it is asked.
func (k *known) disk(supervised bool, start, now time.Time) *task.DiskNote {
	f := k.folder
	onDisk := f.OnDisk()
	k.pace.look(onDisk, start, now)
	n := task.DiskNote{Bytes: onDisk, CanFreeze: supervised, CanTrim: supervised}
	if supervised {
		n.Limit, n.Action = f.Record.Size.Limit, f.Record.Size.Do
	}
	say := onDisk >= task.LargeOutput || n.Limit > 0 && k.pace.in(n.Limit-onDisk)
	if g := f.Guard; g != nil {
		n.Frozen, n.Trimmed, n.Low = !g.FrozenAt.IsZero(), !g.TrimmedAt.IsZero(), g.DiskLow
		say = say || n.Frozen || n.Trimmed || n.Low || !g.WarnedAt.IsZero()
	}
	if !say && k.pace.speed <= slowGrowth {
		return nil
	}
	n.Free = taskdir.Free(f.Dir)
	if !say && (n.Free <= 0 || !k.pace.in(n.Free)) {
		return nil
	}
	return &n
}
