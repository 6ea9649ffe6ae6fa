package ledger

import (
	"offstage/internal/store"
	"offstage/task"
)

// Adopt gives a session what another one is owed and whatever it still waits for:
// the window of an agent goes on under another id (/clear, resume). What was told
// already stays told.
func (b *Book) Adopt(from, to string) error {
	if from == "" || to == "" || from == to {
		return nil
	}
	return b.s.Update(false, func(tx *store.Tx) error {
		list, err := tx.ByOwner(from)
		if err != nil {
			return err
		}
		for _, r := range list {
			if r.Scope != task.SessionScope || !r.Open() && !TellsEnd(r) {
				continue
			}
			r.Owner = to
			r.Rev++
			if err := tx.PutRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
}
