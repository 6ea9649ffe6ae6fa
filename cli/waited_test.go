package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/world"
)

// An interrupt ends a filter, whether it waits for its input or has a terabyte
// of it before it (spec 5).
func TestInterruptEndsFilters(t *testing.T) {
	big := filepath.Join(t.TempDir(), "sparse.log")
	if err := os.WriteFile(big, []byte("start\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	home := t.TempDir()
	w, err := world.New(world.Options{Getenv: func(k string) string {
		if k == "HOME" {
			return home
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, argv := range [][]string{{"tests", "-"}, {"render", "-"}, {"redact"}, {"tests", big}, {"render", big}, {"redact", big}} {
		t.Run(strings.Join(argv[:1], " "), func(t *testing.T) {
			in, feed := io.Pipe()
			defer func() { _ = feed.Close() }()
			var errs bytes.Buffer
			a := &app{out: io.Discard, errw: &errs, in: in, getenv: w.Getenv, w: w}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan int, 1)
			go func() { done <- a.run(ctx, argv) }()
			time.Sleep(50 * time.Millisecond)
			cancel()
			select {
			case <-done:
				if strings.Contains(errs.String(), "context canceled") {
					t.Errorf("says %q", errs.String())
				}
			case <-time.After(5 * time.Second):
				t.Fatal("still reading")
			}
		})
	}
}

func TestWaitedReadsAll(t *testing.T) {
	text := strings.Repeat("0123456789", 50_000)
	got, err := io.ReadAll(newWaited(t.Context(), strings.NewReader(text)))
	if err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
