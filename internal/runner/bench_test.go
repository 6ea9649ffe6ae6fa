//go:build unix

package runner

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/internal/taskdir"
)

// program builds the whole program, for the supervisor is as big as that is; the
// test's own binary is a third of it.
func program(b *testing.B) string {
	b.Helper()
	if path := os.Getenv("OFFSTAGE_BENCH_BINARY"); path != "" {
		return path
	}
	path := filepath.Join(b.TempDir(), "offstage")
	cmd := exec.Command("go", "build", "-o", path, "offstage")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("the program does not build: %v\n%s", err, out)
	}
	return path
}

// From Start to the running command (budget: 10 ms).
func BenchmarkStart(b *testing.B) {
	p := program(b)
	w, state := stage(b)
	best := time.Hour
	for b.Loop() {
		began := time.Now()
		st, err := Start(context.Background(), w, Spec{State: state, Argv: []string{"true"}, Program: p})
		best = min(best, time.Since(began))
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		ended(b, st.Dir, 10*time.Second)
		sweep(b, w, st.Dir) // its supervisor still tells the ledger
		b.StartTimer()
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}

// From the command's end to its record (budget: 5 ms). The command prints when it
// ends, as a wall clock time.
func BenchmarkExitToRecord(b *testing.B) {
	p := program(b)
	w, state := stage(b)
	var sum, best time.Duration = 0, time.Hour
	n := 0
	for b.Loop() {
		st, err := Start(context.Background(), w, Spec{State: state, Shell: "sleep 0.05; date +%s%N", Program: p})
		if err != nil {
			b.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); !st.Dir.HasExit() && time.Now().Before(end); {
			time.Sleep(50 * time.Microsecond)
		}
		there := time.Now() // a file's own time is as coarse as the system's tick
		sweep(b, w, st.Dir)
		ns, err := strconv.ParseInt(strings.TrimSpace(output(b, st.Dir)), 10, 64)
		if err != nil {
			b.Skip("date tells no nanoseconds here")
		}
		took := there.Sub(time.Unix(0, ns))
		sum, n, best = sum+took, n+1, min(best, took)
	}
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(n), "avg-ms")
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}

// Memory of a supervisor of the real program at rest (budget: 3 MB private, 15 MB
// in all).
func BenchmarkSupervisorMemory(b *testing.B) {
	p := program(b)
	w, state := stage(b)
	st, err := Start(context.Background(), w, Spec{State: state, Argv: []string{"sleep", "300"}, Program: p})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { sweep(b, w, st.Dir) })
	time.Sleep(1500 * time.Millisecond)
	s, err := taskdir.ReadStarted(st.Dir)
	if err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(s.Supervisor.PID) + "/smaps_rollup")
	if err != nil {
		b.Skip("this system does not tell")
	}
	kb := map[string]float64{}
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) == 3 {
			kb[f[0]], _ = strconv.ParseFloat(f[1], 64)
		}
	}
	for b.Loop() {
	}
	b.ReportMetric(kb["Rss:"]/1024, "rss-MB")
	// Pages of the program's file are "private" while one process alone maps it, and
	// "dirty" while a fresh file is not on the disk: what is this process's own is
	// what is not the file's.
	b.ReportMetric(kb["Anonymous:"]/1024, "private-MB")
}

// From the request to the proof for a command that ends at the first signal
// (budget: 50 ms).
func BenchmarkStopWellBehaved(b *testing.B) {
	p := program(b)
	w, state := stage(b)
	best := time.Hour
	for b.Loop() {
		b.StopTimer()
		st, err := Start(context.Background(), w, Spec{State: state, Argv: []string{"sleep", "300"}, Program: p})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		began := time.Now()
		if got, err := Stop(context.Background(), w, st.Dir, StopOptions{}); err != nil || len(got.Ended) != 1 {
			b.Fatalf("%+v, %v", got, err)
		}
		best = min(best, time.Since(began))
	}
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}
