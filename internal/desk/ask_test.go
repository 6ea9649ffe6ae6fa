package desk

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAsk(t *testing.T) {
	out := filepath.Join(t.TempDir(), "got")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := Ask(ctx, []string{"sh", "-c", "cat > " + out}, []byte("entry")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(out); string(b) != "entry" {
		t.Errorf("it was given %q", b)
	}
	if err := Ask(ctx, []string{"sh", "-c", "echo no tests; exit 1"}, nil); err == nil || err.Error() != "no tests" {
		t.Errorf("%v", err)
	}
	if err := Ask(ctx, []string{"sh", "-c", "exit 1"}, nil); err == nil || !strings.Contains(err.Error(), "sh refused it") {
		t.Errorf("%v", err)
	}
	if err := Ask(ctx, []string{"/no/such/program"}, nil); err == nil {
		t.Error("a program that is not there agreed")
	}
	short, stop := context.WithTimeout(ctx, 50*time.Millisecond)
	defer stop()
	if err := Ask(short, []string{"sleep", "20"}, nil); err == nil || !strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("%v", err)
	}
}
