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
}

// NewProcs shares the processes of w.
func NewProcs(w *world.World) *Procs { return &Procs{w: w} }

// Table is the shared table, looked up again where the last look is stale.
func (p *Procs) Table() (*proc.Table, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken.IsZero() || time.Since(p.taken) > tableLife {
		p.table, p.err = proc.Scan(p.w)
		p.taken = time.Now()
	}
	return p.table, p.err
}

// Taken is when the table was looked up last.
func (p *Procs) Taken() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// Stale makes the next Table look again, unless the last look is younger than
// young: a flood of news costs a bounded number of looks.
func (p *Procs) Stale(young time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.taken) >= young {
		p.taken = time.Time{}
	}
}
