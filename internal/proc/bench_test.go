//go:build unix

package proc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Budget (design.md 6): stop of a well-behaved task ≤ 50 ms.
func BenchmarkStopWellBehaved(b *testing.B) {
	w := thisWorld(b)
	for b.Loop() {
		b.StopTimer()
		a := newAgent(b, "sleep 300")
		plan := a.settled(2).Plan(a.target())
		b.StartTimer()
		r, err := Stop(context.Background(), w, a.target(), plan, StopOptions{})
		if err != nil || len(r.Left) > 0 {
			b.Fatal(err, r.Left)
		}
	}
}

// Budget: writer scan ≤ 50 ms at 500 processes and ≤ 300 ms at 5,000, here over
// real ones (the scan of the table is part of it).
func BenchmarkWritersLive(b *testing.B) {
	for _, n := range []int{500, 5000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "output")
			out, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = out.Close() }()
			extra := make([]*os.File, 12) // with 0–2 and the runtime's own some 17 each
			for i := range extra {
				if extra[i], err = os.Create(filepath.Join(b.TempDir(), strconv.Itoa(i))); err != nil {
					b.Fatal(err)
				}
				defer func() { _ = extra[i].Close() }()
			}
			for range n {
				cmd := exec.Command("sleep", "600")
				cmd.Stdout, cmd.ExtraFiles = out, extra
				start(b, cmd)
			}
			w := thisWorld(b)
			look := map[string]func(*Table, []string) (map[string][]Writer, error){
				"writers": (*Table).Writers, "holders": (*Table).Holders}
			for _, how := range []string{"writers", "holders"} {
				b.Run(how, func(b *testing.B) {
					defer cpu(b)()
					for b.Loop() {
						table, err := Scan(w)
						if err != nil {
							b.Fatal(err)
						}
						found, err := look[how](table, []string{path, "/etc/hosts"})
						if err != nil || len(found[path]) < n {
							b.Fatal(err, len(found[path]))
						}
					}
				})
			}
		})
	}
}

// cpu reports the processor time per round beside that on the clock: on a busy
// machine it is the figure that means something.
func cpu(b *testing.B) func() {
	used := func() float64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
	}
	before := used()
	return func() { b.ReportMetric((used()-before)/float64(b.N), "cpu-ms/op") }
}

// The same over a recorded tree, as --root reads it.
func BenchmarkWritersRecorded(b *testing.B) {
	for _, n := range []int{500, 5000} {
		root := b.TempDir()
		for i := range n {
			fds := map[string]string{"1": "/tmp/tasks/b1.output flags=0502001"}
			for fd := 3; fd < 7; fd++ {
				fds[strconv.Itoa(fd)] = fmt.Sprintf("/srv/app/file%d flags=0100000", fd)
			}
			layOut(b, root, recorded{PID: 10 + i, PPID: 1, Comm: "node", State: "S", FDs: fds})
		}
		w := rooted(b, root)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				table, err := Scan(w)
				if err != nil {
					b.Fatal(err)
				}
				found, err := table.Writers([]string{"/tmp/tasks/b1.output", "/etc/hosts"})
				if err != nil || len(found["/tmp/tasks/b1.output"]) != n {
					b.Fatal(err, len(found))
				}
			}
		})
	}
}
