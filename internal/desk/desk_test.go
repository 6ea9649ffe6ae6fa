package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// script puts a program of a name on the search path that keeps its input and
// arguments in a file.
func script(t *testing.T, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in programs of this test are shell scripts")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "got")
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n{ echo \"$@\"; cat; } > "+out+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	return out
}

// TestCopy: inside tmux the text goes into its buffer, by its input and never
// by an argument (B13).
func TestCopy(t *testing.T) {
	out := script(t, "tmux")
	who, err := Copy(context.Background(), "two\nlines", func(k string) string {
		return map[string]string{"TMUX": "/tmp/x,1,0"}[k]
	})
	if err != nil || who != "tmux buffer" {
		t.Fatalf("%q %v", who, err)
	}
	b, _ := os.ReadFile(out)
	if string(b) != "load-buffer -\ntwo\nlines" {
		t.Errorf("tmux got %q", b)
	}
}

// TestNoClipboard: where nobody takes the text, that is an error to branch on.
func TestNoClipboard(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems always have a clipboard program")
	}
	if _, err := Copy(context.Background(), "x", func(string) string { return "" }); !errors.Is(err, ErrNoClipboard) {
		t.Errorf("got %v", err)
	}
}

// TestOpenURL: an address from a task's output can open a browser and nothing
// else.
func TestOpenURL(t *testing.T) {
	for _, bad := range []string{"file:///etc/passwd", "javascript:alert(1)", "ssh://host", "-h", "http://", "https:"} {
		if err := OpenURL(context.Background(), bad); err == nil {
			t.Errorf("%q was opened", bad)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	out := script(t, "xdg-open")
	if err := OpenURL(context.Background(), "http://localhost:5173/?token=a b"); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(out); string(b) != "http://localhost:5173/?token=a b\n" {
		t.Errorf("the browser got %q", b)
	}
}

func TestPager(t *testing.T) {
	if got := Pager(func(string) string { return "bat --plain" }); len(got) != 2 || got[0] != "bat" {
		t.Errorf("got %v", got)
	}
	if got := Pager(func(string) string { return "" }); got[0] != "less" {
		t.Errorf("got %v", got)
	}
}
