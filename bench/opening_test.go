//go:build linux

package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// BenchmarkOpening is how long a person waits for the end of a large log: this
// program, less +G and lnav, one after another on the same file, from the start of
// the program to the last line on the screen. OFFSTAGE_BENCH_MB sets the size (96
// without it: lnav reads a file whole before it shows its end, about 17 MB a second
// here). A peer that is not installed is left out by name.
func BenchmarkOpening(b *testing.B) {
	home := b.TempDir()
	logs := filepath.Join(home, "logs")
	for _, dir := range []string{logs, filepath.Join(home, "tmp")} {
		must(b, os.MkdirAll(dir, 0o755))
	}
	path := filepath.Join(logs, "big.log")
	last := numbered(b, path)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"offstage", []string{"--files", logs, "--task", "big"}},
		{"less", []string{"+G", path}},
		{"lnav", []string{"-N", path}},
	} {
		b.Run(c.name, func(b *testing.B) {
			name := c.name
			if name == "offstage" {
				name = binary(b)
			} else if _, err := exec.LookPath(name); err != nil {
				b.Skip(name + " is not installed: nothing to compare with")
			}
			var took []time.Duration
			for range b.N {
				p := run(b, home, name, c.args...)
				took = append(took, p.shows(last).Sub(p.began))
				p.end()
			}
			spread(b, took, "open")
			load(b)
		})
	}
}

// numbered writes a log of lines with a number and gives words of the last one.
func numbered(b *testing.B, path string) (last string) {
	size := int64(96 << 20)
	if mb, err := strconv.ParseInt(os.Getenv("OFFSTAGE_BENCH_MB"), 10, 64); err == nil {
		size = mb << 20
	}
	f, err := os.Create(path)
	must(b, err)
	w := bufio.NewWriterSize(f, 1<<20)
	for n, sent := 0, int64(0); sent < size; n++ {
		last = fmt.Sprintf("request %d served", n)
		k, err := fmt.Fprintf(w, "2026-03-14 15:09:26 INFO %s in %d ms from the cache of node %d\n", last, n%97, n%13)
		must(b, err)
		sent += int64(k)
	}
	must(b, w.Flush())
	must(b, f.Close())
	return last
}
