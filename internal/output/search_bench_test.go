package output

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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

func benchSearch(b *testing.B, path string, q task.Query) {
	b.Helper()
	l := open(b, path, Options{})
	size := counted(b, l).Size
	b.SetBytes(size)
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		_ = l.Search(ctx, task.SearchRequest{Query: q}, func(f task.Found) {
			if f.Done {
				cancel()
			}
		})
	}
}

// Target: at least half of ripgrep's speed on a plain word, same file, same run:
// compare the sub-benchmarks. The file is in the cache of the system for both.
func BenchmarkSearch(b *testing.B) {
	path := benchLog(b, 1<<29, false)
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
		b.Run(c.name+"/ours", func(b *testing.B) { benchSearch(b, path, c.q) })
		b.Run(c.name+"/ripgrep", func(b *testing.B) {
			rg, err := exec.LookPath("rg")
			if err != nil {
				b.Skip("ripgrep (rg) is not on this machine")
			}
			b.SetBytes(1 << 29)
			for b.Loop() {
				out, err := exec.Command(rg, append(c.rg, path)...).Output()
				must(b, err)
				if len(out) == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}

// A coloured log: escapes are taken out before a word is looked for.
func BenchmarkSearchColoured(b *testing.B) {
	benchSearch(b, benchLog(b, 1<<28, true), task.Query{Text: "needlework"})
}
