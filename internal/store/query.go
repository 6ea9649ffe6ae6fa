package store

import (
	"encoding/json"
	"time"

	"offstage/task"
)

// The daily questions (R9). Each is answered by an index; a test asks SQLite.
// Those that begin with their own FROM go from the few deliveries to the tasks.
const (
	whereIDs     = "WHERE t.id IN (SELECT value FROM json_each(?))"
	whereOpen    = "WHERE t.status IN ('queued','running') ORDER BY t.created, t.id"
	whereEnded   = "WHERE t.ended>0 AND t.ended>=? ORDER BY t.ended DESC LIMIT ?"
	whereRunID   = "WHERE t.run_id=? AND t.run_id<>'' ORDER BY t.created, t.id"
	whereOwner   = "WHERE t.owner=? ORDER BY t.created, t.id"
	whereSession = "WHERE t.session=? ORDER BY t.created, t.id"
	whereFlow    = "WHERE t.flow=? AND t.flow<>'' ORDER BY t.created, t.id"
	whereParent  = "WHERE t.parent=? AND t.parent<>'' ORDER BY t.created, t.id"
	wherePending = fromDelivery + "WHERE d.state='pending' AND d.notified=0 AND t.ended>0 ORDER BY t.ended LIMIT ?"
	whereOwed    = "WHERE t.owner IN (SELECT value FROM json_each(?)) AND d.state='pending' AND d.notified=0 AND t.ended>0 ORDER BY t.ended LIMIT ?"
	whereStale   = fromDelivery + "WHERE d.state='pending' AND d.notified=0 AND t.ended>0 AND t.ended<=?1 AND substr(t.id,1,length(?2))<>?2 LIMIT ?3"
	whereClaimed = fromDelivery + "WHERE d.state='pending' AND d.notified=1 LIMIT ?"
	whereFailed  = fromDelivery + "WHERE d.state='failed' LIMIT ?"
	whereDue     = "WHERE t.cleanup_after>0 AND t.cleanup_after<=? AND t.keep=0 AND t.status NOT IN ('queued','running') ORDER BY t.cleanup_after LIMIT ?"
	whereNoClean = "WHERE t.cleanup_after=0 AND t.status NOT IN ('queued','running') LIMIT ?"
)

// Records are those of the ids that are there, in no order.
func (r reads) Records(ids []string) ([]task.Record, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(ids)
	if err != nil {
		return nil, wrap("read the tasks of the ledger", err)
	}
	return r.list(whereIDs, string(b))
}

// Open are the records whose run has not ended, oldest first.
func (r reads) Open() ([]task.Record, error) { return r.list(whereOpen) }

// Ended are at most max records whose run ended at or after since, newest first.
func (r reads) Ended(since time.Time, max int) ([]task.Record, error) {
	return r.list(whereEnded, milli(since), max)
}

// ByRunID are the records of a runtime's run, oldest first.
func (r reads) ByRunID(id string) ([]task.Record, error) { return r.list(whereRunID, id) }

// ByOwner are the records of an owner, oldest first.
func (r reads) ByOwner(owner string) ([]task.Record, error) { return r.list(whereOwner, owner) }

// BySession are the records that a session asked for, oldest first.
func (r reads) BySession(id string) ([]task.Record, error) { return r.list(whereSession, id) }

// ByFlow are the records of a flow, oldest first.
func (r reads) ByFlow(id string) ([]task.Record, error) { return r.list(whereFlow, id) }

// ByParent are the records below a task, oldest first.
func (r reads) ByParent(id string) ([]task.Record, error) { return r.list(whereParent, id) }

// Pending are at most max ended records that nobody has taken upon himself to
// tell, in the order of their ends.
func (r reads) Pending(max int) ([]task.Record, error) { return r.list(wherePending, max) }

// Owed is Pending for some owners alone, whatever waits for others.
func (r reads) Owed(owners []string, max int) ([]task.Record, error) {
	b, err := json.Marshal(owners)
	if err != nil {
		return nil, wrap("read what owners are to be told", err)
	}
	return r.list(whereOwed, string(b), max)
}

// StaleNews are at most max records whose end, at a time or before, nobody took
// upon himself to tell, without those whose ids have a prefix.
func (r reads) StaleNews(before time.Time, without string, max int) ([]task.Record, error) {
	return r.list(whereStale, milli(before), without, max)
}

// Claimed are at most max records whose news somebody took and has not delivered.
func (r reads) Claimed(max int) ([]task.Record, error) { return r.list(whereClaimed, max) }

// FailedDeliveries are at most max records whose news found nobody by a fault.
func (r reads) FailedDeliveries(max int) ([]task.Record, error) { return r.list(whereFailed, max) }

// Due are at most max ended records that may be forgotten at now.
func (r reads) Due(now time.Time, max int) ([]task.Record, error) {
	return r.list(whereDue, milli(now), max)
}

// Unstamped are at most max ended records without a time of their clean-up.
func (r reads) Unstamped(max int) ([]task.Record, error) { return r.list(whereNoClean, max) }

// Every is the whole ledger, for an audit.
func (r reads) Every() ([]task.Record, error) { return r.list("ORDER BY t.created, t.id") }
