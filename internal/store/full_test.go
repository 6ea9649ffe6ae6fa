package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullDisk: on a disk that is really full a write fails with its sentence,
// reading goes on, and when there is room again so does writing (R11). It needs a
// file system of at most some megabytes.
func TestFullDisk(t *testing.T) {
	small := os.Getenv("OFFSTAGE_SMALL_DISK")
	if small == "" {
		t.Skip("OFFSTAGE_SMALL_DISK names no folder on a small file system")
	}
	dir := filepath.Join(small, "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir); _ = s.Close() }()
	if err := write(s, some("own:first")); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(small, "filler")
	if err := os.WriteFile(filler, make([]byte, 64<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(filler) }()
	var n int
	for n = 0; err == nil && n < 100_000; n++ {
		r := some(fmt.Sprint("own:t-", n))
		r.Result = strings.Repeat("x", 4000)
		err = write(s, r)
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d writes: %v", n, err)
	}
	t.Logf("full after %d writes: %s", n, Sentence(err))
	if _, ok, err := s.Record("own:first"); !ok || err != nil {
		t.Errorf("it cannot be read: %v", err)
	}
	other, err := Open(dir)
	if err != nil {
		t.Errorf("it cannot be opened while the disk is full: %v", err)
	} else if _, ok, err := other.Record("own:first"); !ok || err != nil {
		t.Errorf("another program cannot read it: %v", err)
	}
	if other != nil {
		_ = other.Close()
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := write(s, some("own:after")); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

// TestFullFromTheStart: where there is no room for a ledger at all, opening says so.
func TestFullFromTheStart(t *testing.T) {
	small := os.Getenv("OFFSTAGE_SMALL_DISK")
	if small == "" {
		t.Skip("OFFSTAGE_SMALL_DISK names no folder on a small file system")
	}
	filler := filepath.Join(small, "filler")
	defer func() { _ = os.Remove(filler) }()
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	_ = f.Close()
	dir := filepath.Join(small, "none")
	defer func() { _ = os.RemoveAll(dir) }()
	_, err = Open(dir)
	if !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
}
