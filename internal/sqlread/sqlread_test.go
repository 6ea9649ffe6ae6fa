package sqlread

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/fsys"
)

// make makes a database with a log, whose owner keeps it open until closed.
func makeDB(t *testing.T, path, mode string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode("+mode+")&_pragma=wal_autocheckpoint(0)")
	must(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.Exec("CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1)")
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sum asks for all rows.
func sum(path string) (int, error) {
	d, err := Open(context.Background(), path)
	if err != nil {
		return 0, err
	}
	defer d.Close()
	n := 0
	err = d.Each(func(scan func(...any) error) error {
		var v int
		err := scan(&v)
		n += v
		return err
	}, "SELECT n FROM t")
	return n, err
}

// state is all that lies in a folder, to the byte.
func state(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	must(t, err)
	var b bytes.Buffer
	for _, e := range list {
		content, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		st, err := e.Info()
		must(t, err)
		if !strings.HasSuffix(e.Name(), "-shm") { // its owner's locks stand in it
			b.WriteString(e.Name() + st.ModTime().String() + string(content) + "\n")
		} else {
			b.WriteString(e.Name() + "\n")
		}
	}
	return b.String()
}

// TestNoTrace: what stands in the log alone is read, while its owner has it open,
// after a crash, and after a clean end; and not a byte is changed.
func TestNoTrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	owner := makeDB(t, path, "WAL")
	check := func(where string, dir string, want int) {
		t.Helper()
		before := state(t, dir)
		n, err := sum(filepath.Join(dir, "x.db"))
		if err != nil || n != want {
			t.Errorf("%s: %d, %v, want %d", where, n, err, want)
		}
		if after := state(t, dir); after != before {
			t.Errorf("%s: the folder changed:\n%q\nto\n%q", where, before, after)
		}
	}
	check("open", dir, 1)
	_, err := owner.Exec("INSERT INTO t VALUES (20)")
	must(t, err)
	check("written to", dir, 21)

	crashed := t.TempDir()
	for _, name := range []string{"x.db", "x.db-wal", "x.db-shm"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(crashed, name), b, 0o600))
	}
	check("crashed", crashed, 21)
	must(t, os.Remove(filepath.Join(crashed, "x.db-shm")))
	if _, err := sum(filepath.Join(crashed, "x.db")); !errors.Is(err, ErrNoIndex) {
		t.Errorf("a log without its index: %v", err)
	}

	must(t, owner.Close())
	check("closed", dir, 21)
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files after a clean end", len(list))
	}
}

// TestOwnerGoesOn: a reader never keeps its owner from writing, and its owner's
// open transaction never keeps the reader from what was there before.
func TestOwnerGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	owner := makeDB(t, path, "WAL")
	tx, err := owner.Begin()
	must(t, err)
	_, err = tx.Exec("INSERT INTO t VALUES (20)")
	must(t, err)
	if n, err := sum(path); n != 1 || err != nil {
		t.Errorf("inside a transaction: %d, %v", n, err)
	}
	d, err := Open(context.Background(), path)
	must(t, err)
	defer d.Close()
	must(t, d.Each(func(scan func(...any) error) error {
		if tx != nil {
			must(t, tx.Commit())
			tx = nil
		}
		var n int
		return scan(&n)
	}, "SELECT n FROM t"))
	if n, err := sum(path); n != 21 || err != nil {
		t.Errorf("afterwards: %d, %v", n, err)
	}
}

// TestReasons: what stands in a database's place is one clear error.
func TestReasons(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("text"), []byte(strings.Repeat("no database at all ", 300)), 0o600))
	must(t, os.Symlink(at("text"), at("link")))
	makeDB(t, at("plain"), "DELETE")
	locked := makeDB(t, at("locked"), "DELETE")
	_, err := locked.Exec("BEGIN EXCLUSIVE")
	must(t, err)
	half := makeDB(t, at("half"), "DELETE")
	_, err = half.Exec("WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 5000) INSERT INTO t SELECT n FROM c")
	must(t, err)
	must(t, half.Close())
	must(t, os.Truncate(at("half"), 6000))
	for name, want := range map[string]error{"none": fs.ErrNotExist, "text": ErrDamaged, "link": fsys.ErrNotRegular, "locked": ErrBusy, "half": ErrDamaged, "plain": nil} {
		if _, err := sum(at(name)); !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if exec.Command("mkfifo", at("plain-shm")).Run() == nil {
		if _, err := sum(at("plain")); !errors.Is(err, fsys.ErrNotRegular) {
			t.Errorf("a pipe in the place of its index: %v", err)
		}
	}
	d, err := Open(context.Background(), at("locked"))
	must(t, err)
	defer d.Close()
	_ = locked.Close()
	if err := d.Each(func(scan func(...any) error) error { return nil }, "SELECT elsewhere FROM t"); !errors.Is(err, ErrOther) {
		t.Errorf("an unknown column: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	endless, err := Open(ctx, at("half"))
	must(t, err)
	defer endless.Close()
	if err := endless.Each(func(scan func(...any) error) error { return nil }, "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT n FROM c"); !errors.Is(err, ErrSlow) && !errors.Is(err, ErrDamaged) {
		t.Errorf("an endless question: %v", err)
	}
}
