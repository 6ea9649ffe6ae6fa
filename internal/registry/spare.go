package registry

import (
	"errors"
	"fmt"
	"time"

	"offstage/internal/ledger"
)

// Spare keeps the record of a task, and the folder of one of our own, beyond their
// retention, or no longer (R6). Without a ledger that can be written there is
// nothing that could be kept.
func (r *Registry) Spare(id string, on bool) error {
	d := r.ledger.diary
	if d == nil {
		return errors.New("there is no ledger to write that into")
	}
	d.flush(closePatience) // it may have ended this moment
	switch err := d.book.Keep(id, on); {
	case errors.Is(err, ledger.ErrUnknown):
		return errors.New("the ledger does not know this task: only tasks that ended within the last seven days are in it")
	case err != nil:
		return fmt.Errorf("write it into the ledger: %w", err)
	}
	r.mu.Lock()
	r.ledger.asked, r.ledger.read = time.Time{}, false // what this program wrote makes no other version
	r.mu.Unlock()
	r.Wake()
	return nil
}
