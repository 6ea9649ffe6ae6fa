package output

import (
	"testing"

	"offstage/task"
)

// What a reader waits for who filters a large log: the newest rows that pass, and
// for a word that stands once in the middle, all pages until it is found.
func BenchmarkFilter(b *testing.B) {
	for _, log := range []struct {
		name     string
		coloured bool
	}{{"plain", false}, {"coloured", true}} {
		path := benchLog(b, 1<<28, log.coloured)
		for _, c := range []struct {
			name string
			f    task.Filter
		}{
			{"common", task.Filter{Query: task.Query{Text: "worker 5"}}},
			{"rare", task.Filter{Query: task.Query{Text: "needlework"}}},
			{"regexp", task.Filter{Query: task.Query{Text: `request \d+77 `, Regexp: true}}},
			{"none", task.Filter{Query: task.Query{Text: `^needlework$`, Regexp: true}}},
			{"out", task.Filter{Query: task.Query{Text: "worker 5"}, Out: true}},
			{"out-most", task.Filter{Query: task.Query{Text: "request"}, Out: true}},
		} {
			b.Run(log.name+"/"+c.name, func(b *testing.B) {
				l := open(b, path, Options{})
				size := counted(b, l).Size
				var pages, rows, seen float64
				for b.Loop() {
					pages, rows = 0, 0
					at := size
					for rows < 100 && at > 0 {
						p := page(b, l, task.PageRequest{At: at, Before: 100, Filter: &c.f})
						pages, rows = pages+1, rows+float64(len(p.Lines))
						if p.Top || p.Start >= at {
							at = 0
							break
						}
						at = p.Start
					}
					seen = float64(size - at)
				}
				b.SetBytes(int64(seen))
				b.ReportMetric(pages, "pages")
				b.ReportMetric(rows, "rows")
			})
		}
	}
}
