package registry

import (
	"context"
	"fmt"
	"time"

	"offstage/internal/ledger"
	"offstage/task"
)

// sweeper keeps the ledger in order while this program lives (R5): one program at
// a time does, by a lease.
func (r *Registry) sweeper() *ledger.Sweeper {
	d := r.ledger.diary
	self := d.self()
	rts := ledger.NewRuntimes(d.book)
	for _, f := range r.feeds {
		rts.Register(ledger.Runtime{Name: f.src.Name, Knows: r.knows(f)})
	}
	own := folders{r.o.State}
	for _, name := range []string{ledger.RuntimeShell, ledger.RuntimeAgent, ledger.RuntimeCron} {
		rts.Register(ledger.Runtime{Name: name, Recover: own.recoverEnd, Cancel: r.cancelOwn})
	}
	return &ledger.Sweeper{
		Book: d.book, Holder: fmt.Sprintf("%d-%d-%s", self.PID, self.Start, self.BootID), Probe: d.probe, Runtimes: rts,
		Busy: r.busy, RemoveFolder: own.removeFolder, Folders: own, Yield: func() { time.Sleep(time.Millisecond) },
	}
}

// knows is what the source of a feed can say of a record without a process: it
// would list the task if it were there, once it has read all.
func (r *Registry) knows(f *feed) func(task.Record) ledger.Knowledge {
	return func(rec task.Record) ledger.Knowledge {
		if !f.settled() {
			return ledger.CannotSay
		}
		t, ok := byID(f.told().Tasks, rec.ID)
		if ok && !t.Status.Ended() {
			return ledger.StillThere
		}
		return ledger.Gone
	}
}

// sweep runs the sweeper until the registry closes. What it changed is news.
func (r *Registry) sweep(ctx context.Context) {
	if r.ledger.diary == nil {
		return
	}
	r.sweeper().Run(ctx, func(s ledger.Swept, err error) {
		r.mu.Lock()
		r.ledger.sweeping = ""
		if err != nil {
			r.ledger.sweeping = "The ledger could not be tidied: " + err.Error() + ". It is tried again every minute."
		}
		r.mu.Unlock()
		if len(s.Lost)+len(s.Recovered)+len(s.Back)+s.Pruned > 0 {
			r.Wake()
		}
	})
}
