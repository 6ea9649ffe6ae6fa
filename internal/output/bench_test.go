package output

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"offstage/internal/tail"
	"offstage/task"
)

// logBlock is 1 MiB of a usual log.
func logBlock() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "2031-05-04T12:00:%02d.123Z INFO  request %d GET /api/items/%d 200 in %d ms from worker %d\n", i%60, i, i*7, i%90, i%8)
	}
	return b.Bytes()[:1<<20]
}

// sparse is a file of the given size whose last part is real.
func sparse(b *testing.B, size int64, real int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "big.log")
	f, err := os.Create(path)
	must(b, err)
	block := logBlock()
	at := size - int64(real)
	for ; at < size; at += int64(len(block)) {
		_, err := f.WriteAt(block[:min(int64(len(block)), size-at)], at)
		must(b, err)
	}
	must(b, f.Close())
	return path
}

func firstPaint(b *testing.B, path string) {
	w := here(b)
	for b.Loop() {
		l, err := Open(w, task.OutputRef{Path: path}, Options{Running: true})
		must(b, err)
		p, err := l.Page(context.Background(), task.PageRequest{Tail: true, Before: 2000})
		must(b, err)
		if len(p.Lines) < 2000 {
			b.Fatalf("%d rows", len(p.Lines))
		}
		b.StopTimer()
		must(b, l.Close())
		b.StartTimer()
	}
}

// Budget: ≤ 50 ms.
func BenchmarkFirstPaint1400GB(b *testing.B) { firstPaint(b, sparse(b, 1_400_000_000_000, 4<<20)) }

// Budget: ≤ 50 ms.
func BenchmarkFirstPaint10GB(b *testing.B) { firstPaint(b, sparse(b, 10_000_000_000, 256<<20)) }

// Budget: ≤ 10 ms of work from a key to a page.
func BenchmarkPageAtOffset(b *testing.B) {
	path := sparse(b, 64<<20, 64<<20)
	l := open(b, path, Options{})
	ctx := context.Background()
	for i := int64(0); b.Loop(); i++ {
		_, err := l.Page(ctx, task.PageRequest{At: i * 7_919_333 % (64 << 20), Before: 200, After: 400})
		must(b, err)
	}
}

// Budget: ≥ 5 GB/s.
func BenchmarkNewlineIndex(b *testing.B) {
	block := logBlock()
	b.SetBytes(int64(len(block)))
	var x index
	at := int64(0)
	for b.Loop() {
		x.add(utf8Text, block, at)
		at += int64(len(block))
	}
}

// The lane over a log without tests. Budget: ≥ 1 GB/s.
func BenchmarkLane(b *testing.B) {
	path := sparse(b, 64<<20, 64<<20)
	l := open(b, path, Options{})
	f, err := tail.Open(here(b), path, tail.Options{})
	must(b, err)
	buf := make([]byte, laneChunk)
	b.SetBytes(64 << 20)
	for b.Loop() {
		c := newLane(l, newSource(f), 0)
		for {
			if n, _ := c.step(buf); n == 0 {
				break
			}
		}
	}
	must(b, f.Close())
}

// A writer of 200 MB/s that is followed by a process with a reader of the newest
// rows. Budget: ≤ 15 % of a core, no growing lag.
func BenchmarkFollow200MB(b *testing.B) {
	for b.Loop() {
		path := filepath.Join(b.TempDir(), fmt.Sprint("f", time.Now().UnixNano()))
		add(b, path, "start\n")
		c := startChild(b, "follow", path)
		start := time.Now()
		must(b, writeFast(path))
		took := time.Since(start).Seconds()
		used, said := c.end(b)
		b.ReportMetric(100*used.Seconds()/took, "%core")
		b.ReportMetric(600/took, "MB/s-written")
		for i, unit := range []string{"pages", "MB-worst-lag"} {
			v, err := strconv.ParseFloat(strings.Fields(said)[i], 64)
			must(b, err)
			b.ReportMetric(v, unit)
		}
		must(b, os.Remove(path))
	}
}

// Twenty quiet running logs. Budget: ≤ 0.3 % of a core.
func BenchmarkIdle20(b *testing.B) {
	for b.Loop() {
		var used [2]time.Duration
		for i, d := range []time.Duration{3 * time.Second, 8 * time.Second} {
			c := startChild(b, "idle", file(b, "quiet\n"))
			time.Sleep(d)
			used[i], _ = c.end(b)
		}
		b.ReportMetric(100*(used[1]-used[0]).Seconds()/5, "%core")
	}
}

// Twenty logs that are counted from their first byte, one of them open. Budget:
// ≤ 60 MB held from the system.
func BenchmarkMemory20(b *testing.B) {
	path := sparse(b, 256<<20, 256<<20)
	for b.Loop() {
		var ls []*Log
		for range 20 {
			ls = append(ls, open(b, path, Options{Running: true}))
		}
		_, err := ls[0].Page(context.Background(), task.PageRequest{Tail: true, Before: 2000})
		must(b, err)
		for _, l := range ls {
			for f := l.Facts(); !f.LinesKnown; f = l.Facts() {
				must(b, l.Changed(context.Background(), f.Rev))
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys-m.HeapReleased)/1e6, "MB-held")
		for _, l := range ls {
			must(b, l.Close())
		}
	}
}

// writeFast writes 600 MB in three seconds.
func writeFast(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	block, start := logBlock(), time.Now()
	const blocks = 572
	for n := range blocks {
		for i := 0; i < len(block); i += 64 << 10 {
			if _, err := f.Write(block[i : i+64<<10]); err != nil {
				return err
			}
		}
		time.Sleep(time.Until(start.Add(time.Duration(n) * 3 * time.Second / blocks)))
	}
	return f.Close()
}
