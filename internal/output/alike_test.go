package output

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"offstage/task"
)

// runLogs hold one line again and again: among others, with a redraw behind it,
// behind a key block, with a secret in it, as empty lines, too long to be looked for.
func runLogs() map[string]string {
	again := func(line string, n int) string { return strings.Repeat(line, n) }
	key := strings.ReplaceAll("sk-ant-⟂api03-"+again("x7Q", 31)+"AA", "⟂", "")
	return map[string]string{
		"y":         again("y\n", 130_000),
		"amid":      madeLog(1, 90_000) + again("same line\n", 25_000) + madeLog(2, 90_000) + again("other\n", 40_000) + madeLog(3, 5_000),
		"redraw":    again("waiting for it\n", 16_000) + "\x1b[60Aover\x1b[61Bend\n" + again("waiting for it\n", 9_000) + "\x1b[3Aonce more\n",
		"key block": "-----BEGIN RSA PRIVATE KEY-----\n" + again("MIIEowIBAAKCAQEAs8sxZ1w9k3\n", 9_000) + "after\n",
		"secret":    again("token "+key+"\n", 4_000) + "x\n",
		"empty":     again("\n", 220_000) + "x",
		"long":      again(strings.Repeat("z", 127)+"\n", 4_000) + again(strings.Repeat("z", 128)+"\n", 4_000),
		"colour":    again("\x1b[32mgreen\x1b[0m\n", 15_000),
		"password":  again("password:\n", 22_000) + "hunter2\n",
		"end mark":  again("y\n", 120_000) + "\n[exited with code 0]\n",
	}
}

// A run of equal lines is one row with its count, and the same rows as ever where
// each is wanted, whichever way a reader comes (B6, issue "equal rows ×N").
func TestRunsOfEqualLines(t *testing.T) {
	for name, text := range runLogs() {
		t.Run(name, func(t *testing.T) {
			path := file(t, text)
			anyWayOf(t, path, name, 3000)
			l := open(t, path, Options{})
			counted(t, l)
			var all []task.Line
			must(t, ReadAll(context.Background(), here(t), path, ReadOptions{NoFold: true, Redact: true}, func(r task.Line) error {
				all = append(all, r)
				return nil
			}))
			if l.Facts().EndMark != "" {
				return
			}
			want := show(fold(all))
			if got := show(fold(forward(t, l, 5, false))); got != want {
				t.Errorf("forward: %s", firstDiff(got, want))
			}
			if got := show(fold(backward(t, l, 5, false))); got != want {
				t.Errorf("backward: %s", firstDiff(got, want))
			}
			for i := 1; i < len(all); i += max(len(all)/25, 1) { // a place in the middle of a run
				p := page(t, l, task.PageRequest{At: all[i].Offset + 1, Before: 2, After: 2, NoFold: true})
				if got := show(p.Lines); !strings.Contains(show(all[max(i-3, 0):min(i+4, len(all))]), got) {
					t.Errorf("around row %d: %s", i, got)
				}
				for _, r := range p.Lines {
					if want := strings.Count(text[:r.Offset], "\n") + 1; r.Number != int64(want) {
						t.Errorf("the row at %d has number %d, not %d", r.Offset, r.Number, want)
					}
				}
			}
		})
	}
}

// The first page of `yes`: budget ≤ 50 ms, and no more memory than another log.
func BenchmarkFirstPageOfYes(b *testing.B) {
	path := filepath.Join(b.TempDir(), "yes.log")
	f, err := os.Create(path)
	must(b, err)
	block := []byte(strings.Repeat("y\n", 1<<19))
	for range 256 {
		_, err := f.Write(block)
		must(b, err)
	}
	must(b, f.Close())
	w := here(b)
	var rows int
	for b.Loop() {
		l, err := Open(w, task.OutputRef{Path: path}, Options{Running: true})
		must(b, err)
		p, err := l.Page(context.Background(), task.PageRequest{Tail: true, Before: 2000})
		must(b, err)
		rows = len(p.Lines)
		b.StopTimer() // the count of lines, which Close waits for, is not the page
		must(b, l.Close())
		b.StartTimer()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(rows), "rows")
	b.ReportMetric(float64(m.Sys)/1e6, "MB-sys")
}
