package console

import (
	"fmt"
	"strings"
	"testing"

	"offstage/task"
)

// benchLog is n coloured lines of about 150 bytes; every tenth has wide glyphs.
func benchLog(n int) *fakeLog {
	f := &fakeLog{lines: make([]task.Line, 0, n+1000)}
	for i := range n {
		s := fmt.Sprintf("[%07d] INFO  handled GET /api/v1/items/%d in %dms ", i, i*37%10_000, i%90) + strings.Repeat("payload ", 11)
		if i%10 == 0 {
			s += "日本語のログ行です"
		}
		f.add(task.Line{Text: s, Spans: []task.Span{
			{Start: 0, End: 9, Style: task.Style{Attr: task.Dim}},
			{Start: 10, End: 14, Style: task.Style{FG: task.Indexed(2)}},
			{Start: 24, End: 27, Style: task.Style{FG: task.Indexed(6), Attr: task.Bold}},
		}})
	}
	return f
}

// SetPage and View of a 2,000-row tail of which one row is new: at most 3 ms.
func BenchmarkTailRefresh(b *testing.B) {
	f := benchLog(2000)
	m := open(b, Options{Styles: testStyles()}, 120, 40, shellTask(), f)
	m.View()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		f.text(fmt.Sprint("line ", i))
		p := f.page(task.PageRequest{Tail: true, Before: 2000})
		m.SetFacts(f.facts)
		m.Want()
		b.StartTimer()
		m.SetPage(p)
		_ = m.View()
	}
}

// The first page: nothing is cached.
func BenchmarkFirstPage(b *testing.B) {
	f := benchLog(2000)
	p := f.page(task.PageRequest{Tail: true, Before: 2000})
	b.ReportAllocs()
	for b.Loop() {
		m := New(Options{Styles: testStyles()})
		m.SetSize(120, 40)
		m.SetTask(shellTask(), testNow, task.QuietAfter)
		m.Want()
		m.SetPage(p)
		_ = m.View()
	}
}

// A key and its frame: at most 2 ms, also with all rows that can be held.
func BenchmarkKeyToView(b *testing.B) {
	for _, key := range []string{"k", "pgup", "w"} {
		b.Run(key, func(b *testing.B) {
			f := benchLog(20_000)
			m := open(b, Options{Styles: testStyles()}, 120, 40, shellTask(), f)
			for range 100 {
				f.keys(b, m, "pgup")
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if i%500 == 499 && key != "w" {
					b.StopTimer()
					f.keys(b, m, "G")
					b.StartTimer()
				}
				m.Key(key)
				_ = m.View()
			}
		})
	}
}

// An unchanged view costs nothing; the clock alone redraws the header.
func BenchmarkUnchangedView(b *testing.B) {
	m := open(b, Options{Styles: testStyles()}, 120, 40, shellTask(), benchLog(2000))
	m.View()
	b.ReportAllocs()
	for b.Loop() {
		_ = m.View()
	}
}

func BenchmarkClockTick(b *testing.B) {
	m := open(b, Options{Styles: testStyles()}, 120, 40, shellTask(), benchLog(2000))
	m.View()
	b.ReportAllocs()
	for b.Loop() {
		m.SetTask(shellTask(), testNow, task.QuietAfter)
		_ = m.View()
	}
}
