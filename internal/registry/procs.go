package registry

import (
	"sync"
	"time"

	"offstage/internal/proc"
	"offstage/internal/world"
)

// tableLife is how long one look at the processes serves all rows when nothing
// says that it is out of date.
const tableLife = 30 * time.Second

// Procs is the one process table that sources and registry share: a look costs
// 15–25 ms, so it is taken when asked for and kept until news makes it stale.
type Procs struct {
	w *world.World

	mu    sync.Mutex
	table *proc.Table
	err   error
	taken time.Time
	due   time.Time // when the next look is owed; zero: none is
}

// NewProcs shares the processes of w.
func NewProcs(w *world.World) *Procs { return &Procs{w: w} }

// Table is the shared table, looked up again where the last look is stale.
func (p *Procs) Table() (*proc.Table, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	owed := !p.due.IsZero() && !time.Now().Before(p.due)
	if p.taken.IsZero() || owed || time.Since(p.taken) > tableLife {
		p.due, p.taken = time.Time{}, time.Now()
		p.table, p.err = proc.Scan(p.w)
	}
	return p.table, p.err
}

// Taken is when the table was looked up last.
func (p *Procs) Taken() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// Stale makes the next Table look again. Where the last look is younger than
// young, that is owed only when it is as old: a flood of news costs a bounded
// number of looks, and no news is lost. The answer is how long until then.
func (p *Procs) Stale(young time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := time.Since(p.taken)
	if age >= young {
		p.taken = time.Time{}
		return 0
	}
	if at := p.taken.Add(young); p.due.IsZero() || at.Before(p.due) {
		p.due = at
	}
	return young - age
}
