package registry

import (
	"bytes"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/output"
	"offstage/internal/store"
)

// keyOf names the file at path in the ledger, and says how long it is; false for
// what is no plain file.
func keyOf(path string) (key store.FileKey, size int64, ok bool) {
	f, err := fsys.Open(path)
	if err != nil {
		return store.FileKey{}, 0, false
	}
	defer func() { _ = f.Close() }()
	id, err := fsys.Identify(f)
	if err != nil {
		return store.FileKey{}, 0, false
	}
	st, err := fsys.Fstat(f)
	return store.FileKey(id), st.Size, err == nil
}

// load is the kept count of the file at path, nil where there is none that fits.
func (f *facts) load(path string) *output.Checkpoint {
	if f.store == nil {
		return nil
	}
	key, size, ok := keyOf(path)
	if !ok {
		return nil
	}
	fact, ok, err := f.store.Fact(key)
	if err != nil || !ok {
		return nil
	}
	if size < fact.Offset { // it was cut: that count would keep the new one out
		if !f.readOnly {
			_ = f.store.DropFact(key)
		}
		return nil
	}
	c := new(output.Checkpoint)
	if c.UnmarshalBinary(fact.Data) != nil {
		return nil
	}
	return c
}

// save keeps how far an output was counted, so that a restart goes on from
// there (F2).
func (f *facts) save(l *followed) {
	l.saved = time.Now()
	if f.store == nil || f.readOnly {
		return
	}
	c, ok := l.log.Checkpoint()
	if !ok {
		return
	}
	b, err := c.MarshalBinary()
	if err != nil || bytes.Equal(b, l.kept) {
		return // same news, no write
	}
	known := l.log.Facts()
	at := int64(known.Counted * float64(known.Size))
	if f.store.PutFact(store.FileKey(c.Identity.ID), store.Fact{Offset: at, Data: b}, f.w.Now()) == nil {
		l.kept = b
	}
}
