package proc

import (
	"os"
	"testing"
	"time"
)

// TestUsageOfOurselves: time on processors rises with work, memory is there, and a pid
// of an earlier process is nobody's.
func TestUsageOfOurselves(t *testing.T) {
	id, err := Identify(os.Getpid())
	if err != nil {
		t.Skip("processes cannot be seen here: ", err)
	}
	before, ok := Usage([]ID{id})[id]
	if !ok || before.Memory < 1<<20 || before.Memory > 1<<36 {
		t.Fatalf("we use %+v", before)
	}
	for end, x := time.Now().Add(10*time.Second), 0; ; x++ {
		if x%1_000_000 == 0 {
			if u := Usage([]ID{id})[id]; u.CPU >= before.CPU+30*time.Millisecond {
				break
			} else if time.Now().After(end) {
				t.Fatalf("after ten seconds of work %v became %v", before.CPU, u.CPU)
			}
		}
	}
	other := ID{PID: id.PID, Start: id.Start + 1}
	if got := Usage([]ID{other}); len(got) != 0 {
		t.Errorf("another process under our pid uses %v", got)
	}
}

// TestParsePS: times and sizes as ps of macOS writes them.
func TestParsePS(t *testing.T) {
	got := parsePS("  501  10240   0:01.50\n  502   2048  1:02:03.00\n  503 1 2-00:00:01\nnonsense\n 504 x 0:01\n 505 7 1:2:3:4\n")
	want := map[string]Use{"501": {1500 * time.Millisecond, 10 << 20}, "502": {time.Hour + 2*time.Minute + 3*time.Second, 2 << 20}, "503": {48*time.Hour + time.Second, 1 << 10}}
	if len(got) != len(want) {
		t.Errorf("read %v", got)
	}
	for pid, u := range want {
		if got[pid] != u {
			t.Errorf("%s: %v, want %v", pid, got[pid], u)
		}
	}
}
