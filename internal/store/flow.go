package store

import (
	"time"

	"offstage/task"
)

const flowCols = "id,owner,controller,goal,status,step,wait,blocked_task,blocked_by,policy,revision,cancel_requested,created,updated,ended"

const (
	flowsOpen = "WHERE status IN ('queued','running','waiting','blocked') ORDER BY updated LIMIT ?"
	flowsOld  = "WHERE ended>0 AND ended<=? ORDER BY ended LIMIT ?"
	flowsOf   = "WHERE owner=? ORDER BY created, id"
)

// Flow is one flow; ok is false where there is none.
func (r reads) Flow(id string) (f task.Flow, ok bool, err error) {
	list, err := r.flows("WHERE id=?", id)
	if len(list) == 0 {
		return task.Flow{}, false, err
	}
	return list[0], true, err
}

// OpenFlows are at most max flows that have not ended, the longest untouched first.
func (r reads) OpenFlows(max int) ([]task.Flow, error) { return r.flows(flowsOpen, max) }

// OldFlows are at most max flows that ended before a time.
func (r reads) OldFlows(before time.Time, max int) ([]task.Flow, error) {
	return r.flows(flowsOld, milli(before), max)
}

// FlowsOf are the flows of an owner, oldest first.
func (r reads) FlowsOf(owner string) ([]task.Flow, error) { return r.flows(flowsOf, owner) }

// EveryFlow is all of them, for an audit.
func (r reads) EveryFlow() ([]task.Flow, error) { return r.flows("ORDER BY created, id") }

func (r reads) flows(where string, args ...any) ([]task.Flow, error) {
	rows, err := r.q.Query("SELECT "+flowCols+" FROM flow "+where, args...)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("read the flows", err)
	}
	defer func() { _ = rows.Close() }()
	var out []task.Flow
	for rows.Next() {
		var f task.Flow
		var cancel, created, updated, ended int64
		if err := rows.Scan(&f.ID, &f.Owner, &f.Controller, &f.Goal, &f.Status, &f.Step, &f.Wait, &f.BlockedTask, &f.BlockedBy,
			&f.Policy, &f.Revision, &cancel, &created, &updated, &ended); err != nil {
			return out, wrap("read the flows", err)
		}
		f.CancelRequested, f.Created, f.Updated, f.Ended = when(cancel), when(created), when(updated), when(ended)
		out = append(out, f)
	}
	return out, wrap("read the flows", rows.Err())
}

// PutFlow writes a flow in the place of an earlier one.
func (t *Tx) PutFlow(f task.Flow) error {
	_, err := t.q.Exec("INSERT OR REPLACE INTO flow("+flowCols+") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
		f.ID, f.Owner, f.Controller, f.Goal, string(f.Status), f.Step, f.Wait, f.BlockedTask, f.BlockedBy,
		string(f.Policy), f.Revision, milli(f.CancelRequested), milli(f.Created), milli(f.Updated), milli(f.Ended))
	return wrap("write a flow", err)
}

// DropFlow forgets a flow; its tasks stay and belong to none.
func (t *Tx) DropFlow(id string) error {
	_, err := t.q.Exec("DELETE FROM flow WHERE id=?", id)
	if err == nil {
		_, err = t.q.Exec("UPDATE task SET flow='' WHERE flow=? AND flow<>''", id)
	}
	return wrap("remove a flow", err)
}
