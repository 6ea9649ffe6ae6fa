package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// some is a record with every field set.
func some(id string) task.Record {
	at, code := time.UnixMilli(1_773_489_600_123).UTC(), 3
	return task.Record{
		ID: id, Run: 2, Runtime: "shell", Kind: task.Shell, RunID: "r", Owner: "o", Session: "s", Flow: "", Parent: "p", Scope: task.SessionScope,
		Title: "t", Command: "c", Cwd: "/w", ToolCall: "tc", Status: task.Failed, StatusSource: "exit record", ExitCode: &code, Signal: "TERM",
		Error: "e", Progress: "pr", Summary: "su", Result: "re", Created: at, Started: at.Add(1), RunStarted: at, LastEvent: at, Ended: at, CleanupAfter: at,
		Process: task.Identity{BootID: "b", PIDNS: "n", PID: 4, Start: 1<<63 + 5}, Output: task.OutputFile{Path: "/o", Dev: 1<<63 + 1, Ino: 1<<63 + 2, Birth: 3, Bytes: 4},
		Folder: "/f", StopRequested: at, StopBy: 9, GoneSince: at, Keep: true, Hidden: true, Late: 3, Rev: 4,
		Delivery: task.Delivery{State: task.Delivered, Policy: task.NotifyChanges, Notified: true, Route: "ro", At: at, Error: "de", ToldOf: at,
			Claimant: task.Claimant{Identity: task.Identity{BootID: "b", PIDNS: "n", PID: 5, Start: 1<<63 + 7}, At: at}},
	}
}

func write(s *Store, recs ...task.Record) error {
	return s.Update(false, func(tx *Tx) error {
		for _, r := range recs {
			if err := tx.PutRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestRecordWhole: a record comes back as it was written, every field of it, and
// a change of it takes nothing that hangs on it.
func TestRecordWhole(t *testing.T) {
	s, _ := newStore(t)
	r := some("own:t-1")
	if err := write(s, r); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(true, func(tx *Tx) error { return tx.PutPast(task.PastRun{Task: r.ID, Run: 1, Status: task.Lost}, 20) }); err != nil {
		t.Fatal(err)
	}
	if err := write(s, r); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.Record(r.ID)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	r.Started = r.Created // milliseconds are kept
	if *got.ExitCode != *r.ExitCode {
		t.Error("exit code")
	}
	got.ExitCode = r.ExitCode
	if got != r {
		t.Errorf("\ngot  %+v\nwant %+v", got, r)
	}
	if past, err := s.Past(r.ID); err != nil || len(past) != 1 {
		t.Errorf("the history after a change: %v %v", past, err)
	}
	if err := s.Update(false, func(tx *Tx) error { return tx.DropRecord(r.ID) }); err != nil {
		t.Fatal(err)
	}
	if past, _ := s.Past(r.ID); len(past) != 0 {
		t.Error("the history of a task that is forgotten stays")
	}
}

// TestRefusals: what is wrong with a ledger, each with its sentinel and its
// sentence for a person, and none with a word of SQLite's in it (R11).
func TestRefusals(t *testing.T) {
	short := usual()
	short.patience = 50 * time.Millisecond
	for _, c := range []struct {
		name string
		want error
		says string
		make func(t *testing.T, dir string) error
	}{
		{"disk full", ErrFull, "disk of the ledger is full", func(t *testing.T, dir string) error {
			s := opened(t, dir, short)
			if _, err := s.Exec("PRAGMA max_page_count=40"); err != nil {
				t.Fatal(err)
			}
			for i := 0; ; i++ {
				r := some(fmt.Sprint("own:t-", i))
				r.Result = strings.Repeat("x", 4000)
				if err := write(s, r); err != nil || i > 1000 {
					return err
				}
			}
		}},
		{"locked", ErrLocked, "locked by another program", func(t *testing.T, dir string) error {
			a, b := opened(t, dir, short), opened(t, dir, short)
			var err error
			if uerr := a.Update(false, func(*Tx) error { err = write(b, some("own:t-1")); return nil }); uerr != nil {
				t.Fatal(uerr)
			}
			return err
		}},
		{"locked by a claim", ErrLocked, "locked by another program", func(t *testing.T, dir string) error {
			a, b := opened(t, dir, short), opened(t, dir, short)
			var err error
			_ = a.Update(false, func(*Tx) error { _, err = b.Claim("own:t-1", 1, task.Claimant{}); return nil })
			return err
		}},
		{"of a newer version", ErrNewer, "newer offstage and is only read", func(t *testing.T, dir string) error {
			s := opened(t, dir, short)
			if _, err := s.Exec(fmt.Sprintf("PRAGMA user_version=%d", len(steps)+1)); err != nil {
				t.Fatal(err)
			}
			_ = s.Close()
			_, err := openIn(dir, short)
			return err
		}},
		{"a file in the folder's place", ErrUnwritable, "state folder cannot be written", func(t *testing.T, dir string) error {
			if err := os.WriteFile(dir, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := openIn(dir, short)
			return err
		}},
		{"a folder that may not be written", ErrUnwritable, "state folder cannot be written", func(t *testing.T, dir string) error {
			if os.Geteuid() == 0 {
				t.Skip("root may write every folder")
			}
			if err := os.Mkdir(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			_, err := openIn(dir, short)
			return err
		}},
		{"only for reading", ErrReader, "for reading only", func(t *testing.T, dir string) error {
			_ = opened(t, dir, short).Close()
			s, err := readerIn(dir, short)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			return write(s, some("own:t-1"))
		}},
		{"damaged", ErrDamaged, "ledger is damaged", func(t *testing.T, dir string) error {
			_ = opened(t, dir, short).Close()
			if err := os.WriteFile(filepath.Join(dir, fileName), []byte(strings.Repeat("no database ", 999)), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := readerIn(dir, short)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.make(t, filepath.Join(t.TempDir(), "state"))
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			say := Sentence(err)
			if !strings.Contains(say, c.says) || strings.Contains(strings.ToUpper(say), "SQL") || !strings.HasSuffix(say, ".") {
				t.Errorf("it says: %s", say)
			}
		})
	}
}

func opened(t *testing.T, dir string, h how) *Store {
	t.Helper()
	s, err := openIn(dir, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestNetworkHome: on a network file system each host has a ledger of its own,
// without a write-ahead log and synced at each write; a person is told (R8).
func TestNetworkHome(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	on := func(host string) how {
		h := usual()
		h.fileSystem = func(string) (string, bool, error) { return "nfs", true, nil }
		h.hostname = func() (string, error) { return host, nil }
		return h
	}
	a, b := opened(t, dir, on("alpha.example")), opened(t, dir, on("../beta"))
	if err := write(a, some("own:t-1")); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := b.Record("own:t-1"); ok || err != nil {
		t.Errorf("two hosts share a ledger: %v %v", ok, err)
	}
	for s, want := range map[*Store]string{a: "alpha-example", b: "---beta"} {
		var mode string
		var full int
		if err := s.QueryRow("SELECT journal_mode, synchronous FROM pragma_journal_mode, pragma_synchronous").Scan(&mode, &full); err != nil || mode != "truncate" || full != 2 {
			t.Errorf("journal %s, synchronous %d, %v", mode, full, err)
		}
		if filepath.Dir(s.path) != filepath.Join(dir, "hosts", want) || !strings.Contains(s.Note(), "network file system (nfs)") {
			t.Errorf("path %s, note %q", s.path, s.Note())
		}
	}
	if err := a.Update(true, func(tx *Tx) error { return tx.PutRecord(some("own:t-2")) }); err != nil {
		t.Error(err)
	}
	r, err := readerIn(dir, on("alpha.example"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if _, ok, err := r.Record("own:t-2"); !ok || err != nil {
		t.Errorf("the reader does not find it: %v %v", ok, err)
	}
}

// TestReader: a reader makes nothing, finds nothing in the tables that an older
// ledger has not, and reads what it can of a newer one.
func TestReader(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if _, err := OpenReader(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Fatal("a reader has made the folder")
	}
	oldLedger(t, dir, 3)
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	recs, err := r.Open()
	news, nerr := r.News(0, 10)
	flows, ferr := r.EveryFlow()
	if err != nil || nerr != nil || ferr != nil || len(recs)+len(news)+len(flows) != 0 {
		t.Errorf("an older ledger: %v %v %v", err, nerr, ferr)
	}
	if seen, err := r.Seen(time.Unix(0, 0)); err != nil || len(seen) != 3 {
		t.Errorf("what it has: %v %v", seen, err)
	}
	_ = r.Close()
	s := opened(t, dir, usual())
	if err := write(s, some("own:t-1")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(fmt.Sprintf("ALTER TABLE task ADD COLUMN later TEXT; PRAGMA user_version=%d", len(steps)+3)); err != nil {
		t.Fatal(err)
	}
	n, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.Close() }()
	if _, ok, err := n.Record("own:t-1"); !ok || err != nil || n.Note() != Sentence(ErrNewer) {
		t.Errorf("a newer ledger: %v %v, note %q", ok, err, n.Note())
	}
}

// oldLedger makes a ledger of the first version with n marks.
func oldLedger(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := dial(filepath.Join(dir, fileName), []string{"journal_mode(WAL)"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(steps[0]+"; PRAGMA user_version=1;"+
		"WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c WHERE i<?) INSERT INTO seen SELECT 'task-'||i, 1, i FROM c", n); err != nil {
		t.Fatal(err)
	}
}

// TestMigrate: a ledger of version N with 100,000 rows becomes N+1 with all of
// them, after a copy that only its owner can read; several that open it at once
// change it once.
func TestMigrate(t *testing.T) {
	const rows = 100_000
	dir := filepath.Join(t.TempDir(), "state")
	oldLedger(t, dir, rows)
	patient := usual()
	patient.patience = 2 * time.Minute // it is slow under the race detector
	began := time.Now()
	var stores [3]*Store
	errs := make(chan error, len(stores))
	for i := range stores {
		go func() {
			s, err := openIn(dir, patient)
			stores[i] = s
			errs <- err
		}()
	}
	for range stores {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("version 1 → %d with %d rows: %v", len(steps), rows, time.Since(began))
	for _, s := range stores {
		var n, version int
		if err := s.QueryRow("SELECT count(*), user_version FROM seen, pragma_user_version").Scan(&n, &version); err != nil || n != rows || version != len(steps) {
			t.Errorf("%d rows, version %d, %v", n, version, err)
		}
		_ = s.Close()
	}
	copied := filepath.Join(dir, fileName+".v1")
	st, err := os.Stat(copied)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("the copy: %v %v", st, err)
	}
	db, err := dial(copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var n, version int
	if err := db.QueryRow("SELECT count(*), user_version FROM seen, pragma_user_version").Scan(&n, &version); err != nil || n != rows || version != 1 {
		t.Errorf("the copy has %d rows, version %d, %v", n, version, err)
	}
}

// TestMigrationFails: a step that cannot be done leaves the ledger as it was.
func TestMigrationFails(t *testing.T) {
	s, dir := newStore(t)
	if err := write(s, some("own:t-1")); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	was := steps
	steps = append(append([]string{}, steps...), "CREATE TABLE extra(a INTEGER) STRICT; INSERT INTO nowhere VALUES(1)")
	_, err := Open(dir)
	steps = was
	if err == nil {
		t.Fatal("it opened")
	}
	again := opened(t, dir, usual())
	if _, ok, err := again.Record("own:t-1"); !ok || err != nil {
		t.Errorf("the record: %v %v", ok, err)
	}
	var n int
	if err := again.QueryRow("SELECT count(*) FROM sqlite_master WHERE name='extra'").Scan(&n); err != nil || n != 0 {
		t.Errorf("half of the step was done: %d %v", n, err)
	}
}

// TestPutAsideByAnother: a program goes on with the new ledger when another one
// has put the damaged file aside under it.
func TestPutAsideByAnother(t *testing.T) {
	a, dir := newStore(t)
	b := opened(t, dir, usual())
	before, err := a.Version()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.StartOver(); err != nil {
		t.Fatal(err)
	}
	if !b.TakeNew() || b.TakeNew() {
		t.Error("who made it new is to be told once")
	}
	if err := write(b, some("own:t-1")); err != nil {
		t.Fatal(err)
	}
	after, err := a.Version()
	if err != nil || after == before {
		t.Errorf("no news of it: %d %v", after, err)
	}
	if _, ok, err := a.Record("own:t-1"); !ok || err != nil {
		t.Errorf("it reads the old file: %v %v", ok, err)
	}
	if err := a.StartOver(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := a.StartOver(); err != nil {
			t.Fatal(err)
		}
	}
	if aside, _ := filepath.Glob(filepath.Join(dir, fileName+".broken-*")); len(aside) > keepBroken+1 {
		t.Errorf("%d damaged ledgers lie aside", len(aside))
	}
}

// TestCheckDaily: a ledger is read through only after an unclean end, and once a
// day; damage inside it is found.
func TestCheckDaily(t *testing.T) {
	s, dir := newStore(t)
	now := time.UnixMilli(1_773_489_600_000)
	checked := func() (at int64) {
		_ = s.QueryRow("SELECT coalesce(max(value),0) FROM meta WHERE key='checked'").Scan(&at)
		return at
	}
	if err := s.Check(now); err != nil || checked() != 0 {
		t.Errorf("a clean one is read: %v", err)
	}
	s2 := opened(t, dir, usual()) // the log of the first one lies beside it
	if err := s2.Check(now); err != nil || checked() != now.UnixMilli() {
		t.Errorf("it was not read: %v", err)
	}
	s3 := opened(t, dir, usual())
	if err := s3.Check(now.Add(23 * time.Hour)); err != nil || checked() != now.UnixMilli() {
		t.Errorf("read twice within a day: %v", err)
	}
	if err := s3.Check(now.Add(25 * time.Hour)); err != nil || checked() == now.UnixMilli() {
		t.Errorf("not read after a day: %v", err)
	}
}

// TestNewsIsBounded: watchers may be away for long, the ledger does not grow by it.
func TestNewsIsBounded(t *testing.T) {
	s, _ := newStore(t)
	if err := s.Update(false, func(tx *Tx) error {
		for i := range newsKept + 500 {
			if err := tx.AddNews(task.News{Kind: task.TaskStarted, Task: fmt.Sprint(i), At: time.Unix(int64(i), 0)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	list, err := s.News(0, 1_000_000)
	last, _ := s.LastNews()
	if err != nil || len(list) < newsKept || len(list) > newsKept+newsSlack || last != newsKept+500 || list[len(list)-1].Seq != last {
		t.Errorf("%d events, last %d, %v", len(list), last, err)
	}
}

// TestClosed: a question after the end is an error, no fault of the program.
func TestClosed(t *testing.T) {
	s, _ := newStore(t)
	_ = s.Close()
	if _, err := s.Open(); err == nil {
		t.Error("a closed ledger answers")
	}
	if err := write(s, some("own:t-1")); err == nil {
		t.Error("a closed ledger is written")
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// TestManyAtOnce: one store in one program, asked and written by many at once,
// never waits for itself (R8).
func TestManyAtOnce(t *testing.T) {
	s, _ := newStore(t)
	errs := make(chan error, 8)
	for n := range 8 {
		go func() {
			for i := range 30 {
				if err := write(s, some(fmt.Sprint("own:t-", n, "-", i))); err != nil {
					errs <- err
					return
				}
				if _, err := s.Open(); err != nil {
					errs <- err
					return
				}
				if err := s.Update(true, func(tx *Tx) error { _, _, err := tx.Record("own:t-0-0"); return err }); err != nil {
					errs <- err
					return
				}
			}
			errs <- nil
		}()
	}
	for range 8 {
		select {
		case err := <-errs:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("it waits for itself")
		}
	}
	if all, err := s.Every(); err != nil || len(all) != 240 {
		t.Errorf("%d records, %v", len(all), err)
	}
}
