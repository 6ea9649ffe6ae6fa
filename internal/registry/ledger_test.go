package registry

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/internal/world"
)

// spoil runs statements in the ledger of dir, as another program would.
func spoil(t *testing.T, dir string, steps ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range steps {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
}

// TestLedgerComesBack: what is said of a ledger that cannot be read is said no
// longer than that, and a stop that could not be written outlives the news of
// other programs (K7, R11).
func TestLedgerComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	var l ledgerMemory
	l.open(dir, false, here(t))
	defer func() { _ = l.close() }()
	refresh := func() {
		l.asked = time.Time{}
		l.refresh(time.Now(), Keep{})
	}
	refresh()
	spoil(t, dir, "CREATE TRIGGER full BEFORE INSERT ON stop_intent BEGIN SELECT RAISE(ABORT, 'disk full'); END")
	key := store.RunKey{Task: "x:a", Run: 1}
	if err := l.intend(store.StopIntent{Task: "x:a", Run: 1, At: time.Now()}); err == nil {
		t.Fatal("the intent was written")
	}
	if refresh(); l.stops[key].Task == "" {
		t.Error("a stop that could not be written is forgotten")
	}
	spoil(t, dir, "ALTER TABLE seen RENAME TO gone")
	if refresh(); l.trouble() == "" {
		t.Error("a ledger that cannot be read is no trouble")
	}
	spoil(t, dir, "ALTER TABLE gone RENAME TO seen")
	if refresh(); l.reading != "" {
		t.Errorf("it can be read again, and still it says: %s", l.reading)
	}
	if l.trouble() == "" {
		t.Error("nothing says that the stop could not be written")
	}
	l.takeBack(key)
	if l.trouble() != "" {
		t.Errorf("all is well, and still it says: %s", l.trouble())
	}
	spoil(t, dir, "DELETE FROM seen")
	if refresh(); l.stops[key].Task != "" {
		t.Error("a stop that was taken back comes again")
	}
}

// TestLedgerForgets: what is older than a week goes when a panel begins (R6).
func TestLedgerForgets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	old, young := store.FileKey{Dev: 1, Ino: 1}, store.FileKey{Dev: 1, Ino: 2}
	for k, at := range map[store.FileKey]time.Time{old: time.Now().Add(-8 * 24 * time.Hour), young: time.Now()} {
		if err := s.PutFact(k, store.Fact{Offset: 1, Data: []byte("x")}, at); err != nil {
			t.Fatal(err)
		}
	}
	_ = s.Close()
	r := New(Options{World: newWorld(t), State: dir})
	defer func() { _ = r.Close() }()
	if _, err := r.Next(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	kept := func(k store.FileKey) bool {
		_, ok, err := r.ledger.store.Fact(k)
		return ok && err == nil
	}
	for end := time.Now().Add(5 * time.Second); kept(old) && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
	}
	if kept(old) || !kept(young) {
		t.Errorf("old %v, young %v", kept(old), kept(young))
	}
}

// here is this machine.
func here(t *testing.T) *world.World {
	t.Helper()
	w, err := world.New(world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
