package ledger

import (
	"fmt"
	"strings"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// ClaimStall takes it upon the caller to tell that an open run has stood still at
// a question since a time (S1): of all callers one gets true, once a stall.
func (b *Book) ClaimStall(id string, run int, since time.Time) (bool, error) {
	since = since.UTC().Truncate(time.Millisecond)
	won := false
	err := b.s.Update(false, func(tx *store.Tx) error {
		rec, found, err := tx.Record(id)
		if err != nil || !found || rec.Run != run || !TellsStall(rec, since) {
			return err
		}
		rec.Delivery.ToldOf, won = since, true
		return tx.PutRecord(rec)
	})
	return won && err == nil, err
}

// TellsStall says whether a stall that began at a time is still to be told.
func TellsStall(r task.Record, since time.Time) bool {
	return r.Open() && r.Delivery.Policy != task.NotifySilent && since.UTC().Truncate(time.Millisecond).After(r.Delivery.ToldOf)
}

// StallNotice is what an agent is told of a task that waits for input: the block
// without a status, the last rows, and what can be done (S1). The rows are escaped
// like the block: none can close it or open another.
func StallNotice(r task.Record, rows []string) string {
	n := EndNotice(r)
	n.Status, n.Summary = "", fmt.Sprintf("%q seems to wait for input", first(r.Title, fit(oneLine(r.Command), 80), "Background task"))
	return n.XML() + "\nIts last lines:\n" + escape(strings.Join(rows, "\n")) +
		"\nIt has not ended and will not go on by itself: answer it (answer_task, where it was started with tty), or stop it and start it so that it does not ask."
}
