//go:build unix

package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/taskdir"
	"offstage/task"
)

// A stop works, and the end is written, on a disk that is full; a start says so.
// It wants a small file system of its own, named in OFFSTAGE_SMALL_DISK.
func TestFullDisk(t *testing.T) {
	small := os.Getenv("OFFSTAGE_SMALL_DISK")
	if small == "" {
		t.Skip("OFFSTAGE_SMALL_DISK names no small file system to fill")
	}
	w, _ := stage(t)
	state := filepath.Join(small, "s")
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	time.Sleep(100 * time.Millisecond)
	fill, err := os.Create(filepath.Join(small, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fill.Close(); _ = os.Remove(fill.Name()) })
	for size := 1 << 20; size > 0; {
		if _, err := fill.Write(make([]byte, size)); fsys.NoSpace(err) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Start(context.Background(), w, Spec{State: state, Shell: "true"}); !errors.Is(err, ErrDiskFull) {
		t.Errorf("a start on a full disk: %v", err)
	}
	got, err := Stop(context.Background(), w, st.Dir, StopOptions{})
	if err != nil || got.Status != task.Cancelled || len(got.Ended) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if e, err := taskdir.ReadExit(st.Dir); err != nil || e == nil || e.Status() != task.Cancelled {
		t.Errorf("end %+v, %v", e, err)
	}
}
