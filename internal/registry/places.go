package registry

import (
	"context"

	"offstage/internal/store"
)

// LoadPlace gives where a person stood in the output of a run, as SavePlace kept
// it; nil where nothing is kept (B14).
func (r *Registry) LoadPlace(_ context.Context, id string, run int) ([]byte, error) {
	if r.ledger.store == nil {
		return nil, nil
	}
	return r.ledger.store.Place(store.RunKey{Task: id, Run: run})
}

// SavePlace keeps it over a restart of the program: at most store.MaxPlace bytes;
// none forgets it. Under a root, and without a ledger, nothing is kept.
func (r *Registry) SavePlace(_ context.Context, id string, run int, place []byte) error {
	if r.ledger.store == nil || r.w.Recorded() {
		return nil
	}
	return r.ledger.store.PutPlace(store.RunKey{Task: id, Run: run}, place, r.w.Now())
}
