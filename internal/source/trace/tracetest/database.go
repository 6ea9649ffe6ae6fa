package tracetest

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver named "sqlite"
)

// LayDatabase makes a database with a write-ahead log at path out of the words that
// fill it, and closes it.
func LayDatabase(t testing.TB, path, words string) {
	t.Helper()
	db := OpenDatabase(t, path)
	if _, err := db.Exec("BEGIN; " + words + "; COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// OpenDatabase opens one as its own program does, made where there is none; what is
// written to it stays in its log.
func OpenDatabase(t testing.TB, path string) *sql.DB {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}
