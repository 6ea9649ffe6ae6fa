package ledger

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// filled makes a ledger with n records as a panel finds it, a fifth of them open.
func filled(b *testing.B, n int) (dir string) {
	b.Helper()
	dir = filepath.Join(b.TempDir(), "state")
	s, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	var rs []Report
	for i := range n {
		r := Report{Record: task.Record{ID: fmt.Sprintf("claude:b%06d", i), Kind: task.Shell, Session: fmt.Sprint("claude:s", i%20), Title: "Run the tests of the shop",
			Command: "npm test -- --reporter=dot", Cwd: "/home/dev/work/shop", Status: task.Running, Started: noon.Add(-time.Hour), Output: task.OutputFile{Path: "/tmp/claude/tasks/b.output"}}}
		if i%5 != 0 {
			r.Status, r.Ended, r.ExitCode, r.Summary = task.Succeeded, noon.Add(-time.Minute), &i, "Background command \"Run the tests of the shop\" completed (exit code 0)"
		}
		rs = append(rs, r)
	}
	if _, err := NewBook(s, func() time.Time { return noon }, nil).Observe(rs); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

// BenchmarkOpenList: open the ledger and list 1,000 tasks (goal: 5 ms).
func BenchmarkOpenList(b *testing.B) {
	dir := filled(b, 1000)
	b.ReportAllocs()
	for b.Loop() {
		s, err := store.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		open, err := s.Open()
		if err != nil {
			b.Fatal(err)
		}
		ended, err := s.Ended(noon.Add(-KeepEnded), 10_000)
		if err != nil || len(open)+len(ended) != 1000 {
			b.Fatal(len(open), len(ended), err)
		}
		_ = s.Close()
	}
}

// BenchmarkOpen: what a supervisor pays at its task's end before it writes.
func BenchmarkOpen(b *testing.B) {
	dir := filled(b, 1000)
	for b.Loop() {
		s, err := store.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}

// BenchmarkSameLook: a look at 1,000 tasks that brings nothing new.
func BenchmarkSameLook(b *testing.B) {
	dir := filled(b, 1000)
	s, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	book := NewBook(s, func() time.Time { return noon }, nil)
	var rs []Report
	for i := range 1000 {
		rs = append(rs, Report{Record: task.Record{ID: fmt.Sprintf("claude:b%06d", i)}, Level: true})
	}
	for b.Loop() {
		if changed, err := book.Observe(rs); err != nil || len(changed) != 0 {
			b.Fatal(len(changed), err)
		}
	}
}

// BenchmarkInsert: one insert beside other processes that make records (goal: p99 of
// 5 ms with 8 writers and synchronous NORMAL). Busy ones write 500 records a second
// each: with two cores, what is waited for is a core. Paced ones write 100 each.
func BenchmarkInsert(b *testing.B) {
	for _, c := range []struct {
		name          string
		writers, pace int // milliseconds between two records
	}{{"1", 1, 0}, {"8", 8, 10}, {"8-busy", 8, 2}} {
		b.Run(c.name, func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "state")
			s, err := store.Open(dir)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			for n := range c.writers - 1 {
				p, _ := program(dir, "inserter", n, 0, c.pace)
				if err := p.Start(); err != nil {
					b.Fatal(err)
				}
				defer func() { _ = p.Process.Kill(); _ = p.Wait() }()
			}
			book := NewBook(s, time.Now, nil)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if _, err := book.Report(Report{Record: task.Record{ID: fmt.Sprint("own:b", os.Getpid(), "-", i), Session: "claude:s1", Command: "make", Status: task.Running}}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
				if c.pace == 10 { // as the others
					time.Sleep(10 * time.Millisecond)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(took[len(took)-1].Microseconds()), "worst-µs")
		})
	}
}
