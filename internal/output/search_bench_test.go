package output

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"offstage/task"
)

// benchLog is a file of size bytes of a usual log, with one line in it that no
// other is like, coloured or not.
func benchLog(b *testing.B, size int, coloured bool) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "log")
	f, err := os.Create(path)
	must(b, err)
	for n, i := 0, 0; n < size; i++ {
		form := "2031-05-04T12:00:%02d.123Z INFO  request %d GET /api/items/%d 200 in %d ms from worker %d\n"
		if coloured {
			form = "\x1b[2m2031-05-04T12:00:%02d.123Z\x1b[0m \x1b[32mINFO\x1b[0m  request %d \x1b[1mGET\x1b[0m /api/items/%d 200 in %d ms from worker %d\n"
		}
		block := make([]byte, 0, 1<<20)
		for len(block) < 1<<20-200 {
			block = fmt.Appendf(block, form, i%60, i, i*7, i%90, i%8)
			i++
		}
		if n <= size/2 && size/2 < n+len(block) {
			block = append(block, "the Haystack has one needlework in it\n"...)
		}
		k, err := f.Write(block)
		must(b, err)
		n += k
	}
	must(b, f.Close())
	return path
}

// lookThrough is one search through all of a log.
func lookThrough(l *Log, q task.Query) time.Duration {
	began := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = l.Search(ctx, task.SearchRequest{Query: q}, func(f task.Found) {
		if f.Done {
			cancel()
		}
	})
	return time.Since(began)
}

// Target: at least half of ripgrep's speed on a plain word, same file, same run
// (B12). The two take turns, so that what else the machine does falls on both;
// of-ripgrep is the median of the shares of the turns. The file is in the cache
// of the system for both.
func BenchmarkSearch(b *testing.B) {
	path := benchLog(b, 1<<29, false)
	rg, err := exec.LookPath("rg")
	for _, c := range []struct {
		name string
		q    task.Query
		rg   []string
	}{
		{"word", task.Query{Text: "needlework"}, []string{"-S", "-F", "needlework"}},
		{"wordCase", task.Query{Text: "Haystack"}, []string{"-S", "-F", "Haystack"}},
		{"regexp", task.Query{Text: `needle\w+ in`, Regexp: true}, []string{"-S", `needle\w+ in`}},
		{"common", task.Query{Text: "worker 5"}, []string{"-S", "-F", "-c", "worker 5"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			if err != nil {
				b.Skip("ripgrep (rg) is not on this machine")
			}
			l := open(b, path, Options{})
			counted(b, l)
			var ours, theirs, share []float64
			for b.Loop() {
				took := lookThrough(l, c.q)
				began := time.Now()
				out, err := exec.Command(rg, append(c.rg, path)...).Output()
				must(b, err)
				if len(out) == 0 {
					b.Fatal("nothing found")
				}
				t := time.Since(began).Seconds()
				ours, theirs, share = append(ours, took.Seconds()), append(theirs, t), append(share, t/took.Seconds())
			}
			b.ReportMetric(float64(1<<29)/1e6/median(ours), "MB/s")
			b.ReportMetric(float64(1<<29)/1e6/median(theirs), "MB/s-ripgrep")
			b.ReportMetric(100*median(share), "%of-ripgrep")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// A coloured log: escapes are taken out before a word is looked for.
func BenchmarkSearchColoured(b *testing.B) {
	l := open(b, benchLog(b, 1<<28, true), Options{})
	b.SetBytes(counted(b, l).Size)
	for b.Loop() {
		lookThrough(l, task.Query{Text: "needlework"})
	}
}
