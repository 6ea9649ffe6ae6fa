package store

import (
	"time"

	"offstage/task"
)

// Claim takes the latch of a run's end for who (N1). Of all that try, on this
// machine and ever, exactly one gets true; the claim is on the disk then.
func (s *Store) Claim(id string, run int, who task.Claimant) (bool, error) {
	var won bool
	err := s.Update(true, func(t *Tx) error {
		res, err := t.q.Exec(`UPDATE delivery SET notified=1, boot_id=?, pid_ns=?, pid=?, pid_start=?, claimed=?
			WHERE task=? AND notified=0 AND state='pending' AND EXISTS(SELECT 1 FROM task WHERE id=? AND run=? AND status NOT IN ('queued','running'))`,
			who.BootID, who.PIDNS, who.PID, int64(who.Start), milli(who.At), id, id, run)
		if err != nil {
			return wrap("claim a notification", err)
		}
		n, err := res.RowsAffected()
		won = n == 1
		return wrap("claim a notification", err)
	})
	return won && err == nil, err
}

// Lease is taken, or kept, by holder until now+ttl. It is false while another
// holder's lease lasts; one that reaches further than any ttl allows is of a
// clock that was set back and counts for nothing.
func (s *Store) Lease(name, holder string, now time.Time, ttl time.Duration) (bool, error) {
	if s.reader {
		return false, ErrReader
	}
	res, err := s.change(`INSERT INTO lease(name,holder,until) VALUES(?,?,?)
		ON CONFLICT(name) DO UPDATE SET holder=excluded.holder, until=excluded.until
		WHERE lease.holder=excluded.holder OR lease.until<=? OR lease.until>?`,
		name, holder, milli(now.Add(ttl)), milli(now), milli(now.Add(ttl)))
	if err != nil {
		return false, wrap("take the sweeper's lease", err)
	}
	n, err := res.RowsAffected()
	return n == 1, wrap("take the sweeper's lease", err)
}
