package ledger

import (
	"context"

	"offstage/internal/store"
	"offstage/task"
)

// Folders read the task folders, of which the ledger is a cache: what each says
// of its task, an exit record as Witnessed. What cannot be read is left out.
type Folders interface {
	Records(ctx context.Context) ([]Report, error)
}

// Rebuild fills the ledger from the folders. Nobody is told of the ends that are
// found: whether it was done before the ledger was lost is not known. It gives
// how many records were made or changed.
func (b *Book) Rebuild(ctx context.Context, f Folders) (int, error) {
	rs, err := f.Records(ctx)
	if err != nil {
		return 0, err
	}
	for i := range rs {
		rs[i].Level, rs[i].Rebuilt = true, true
	}
	if err := b.orderFolders(rs); err != nil {
		return 0, err
	}
	changed, err := b.Observe(rs)
	return len(changed), err
}

// FoldIn takes up what the folders say beside a ledger that is whole: the end of
// a task whose supervisor could not write the ledger is news like any other.
func (b *Book) FoldIn(ctx context.Context, f Folders) ([]Result, error) {
	rs, err := f.Records(ctx)
	if err != nil {
		return nil, err
	}
	for i := range rs {
		rs[i].Level = true
	}
	return b.Observe(rs)
}

// orderFolders orders the removal of folders whose records are too old to come
// back: else they would stay for ever.
func (b *Book) orderFolders(rs []Report) error {
	return b.s.Update(false, func(tx *store.Tx) error {
		for _, r := range rs {
			rec := r.Record
			if rec.Status.Ended() {
				rec.Ended = firstTime(rec.Ended, r.At)
				if err := orderFolder(tx, rec); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Unfinished is a record that had not ended when a program began (R7), and what
// is seen of it now.
type Unfinished struct {
	task.Record
	Sight
}

// Unfinished says what was not finished: live work is found again, the rest is
// recovered or lost by the sweeper.
func (s *Sweeper) Unfinished() ([]Unfinished, error) {
	recs, err := s.Book.s.Open()
	var out []Unfinished
	for _, r := range recs {
		out = append(out, Unfinished{Record: r, Sight: s.sight(r)})
	}
	return out, err
}
