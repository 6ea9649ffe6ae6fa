//go:build linux

package bench

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A line that an idle log gets, until its cells are on the screen: through the
// source, the registry and the console. Budget: p99 ≤ 50 ms on an idle machine.
func BenchmarkWrittenToScreen(b *testing.B) {
	s := newStage(b)
	path := s.path("logs", "one.log")
	s.write(path, "ready\n")
	s.sleeper(path)
	p := s.offstage("--files", s.path("logs"), "--task", "files:one.log")
	p.shows("ready", "running")
	time.Sleep(3 * time.Second)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(b, err)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		time.Sleep(time.Duration(300+i*37%200) * time.Millisecond) // idle again, at no fixed place in a frame
		words := fmt.Sprintf("written %d.", i)
		began := time.Now()
		_, err := f.WriteString(words + "\n")
		must(b, err)
		took = append(took, p.shows(words).Sub(began))
	}
	must(b, f.Close())
	spread(b, took, "to-screen")
	load(b)
}

// The end of a process, until its row has left the running ones. Budget: ≤ 1 s.
func BenchmarkEndToRow(b *testing.B) {
	s := newStage(b)
	p := (*program)(nil)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		path := s.path("logs", fmt.Sprintf("t%d.log", i))
		s.write(path, "ready\n")
		old := time.Now().Add(-time.Minute)
		cmd := s.sleeper(path)
		must(b, os.Chtimes(path, old, old))
		if p == nil {
			p = s.offstage("--files", s.path("logs"))
		}
		p.shows("1 background task running")
		time.Sleep(time.Second)
		began := time.Now()
		b.StartTimer()
		s.stop(cmd)
		took = append(took, p.shows("No background tasks running").Sub(began))
	}
	spread(b, took, "to-row")
	load(b)
}

// A writer of 200 MB/s whose log is open. Budget: ≤ 15 % of a core, no growing
// lag. The lag is how many bytes stand in the file behind the newest row on the
// screen, as time at this rate.
func BenchmarkFollow200MB(b *testing.B) {
	needsDisk(b)
	const rate, seconds = 200.0, 8
	for b.Loop() {
		s := newStage(b)
		path := s.path("logs", "fast.log")
		s.write(path, "ready\n")
		s.sleeper(path)
		p := s.offstage("--files", s.path("logs"), "--task", "files:fast.log")
		p.shows("ready", "running")
		time.Sleep(2 * time.Second)
		cpu, start := p.cpu(), time.Now()
		cmd := s.writer(path, rate, rate*seconds)
		var lags []time.Duration
		for time.Since(start) < seconds*time.Second {
			time.Sleep(40 * time.Millisecond)
			if lag, ok := behind(b, p, path); ok {
				lags = append(lags, time.Duration(float64(lag)/rate*1e3))
			}
		}
		took := time.Since(start)
		must(b, cmd.Wait())
		st, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(100*(p.cpu()-cpu).Seconds()/took.Seconds(), "%core")
		b.ReportMetric(float64(st.Size())/1e6/took.Seconds(), "MB/s-written")
		half := len(lags) / 2
		first, second := slices.Clone(lags[:half]), slices.Clone(lags[half:])
		slices.Sort(first)
		slices.Sort(second)
		b.ReportMetric(first[half/2].Seconds()*1e3, "ms-lag-first-half")
		b.ReportMetric(second[len(second)/2].Seconds()*1e3, "ms-lag-second-half")
		began := time.Now()
		p.until("the last row", func(string) bool { lag, ok := behind(b, p, path); return ok && lag < 2*blockSize })
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-to-catch-up")
		p.end()
	}
	b.ReportMetric(0, "ns/op")
	load(b)
}

var blockMark = regexp.MustCompile(`b(\d{8}) `)

// behind is how many bytes of the log the screen has not shown yet.
func behind(b *testing.B, p *program, path string) (int64, bool) {
	text := p.text()
	st, err := os.Stat(path)
	must(b, err)
	all := blockMark.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(all[len(all)-1][1], 10, 64)
	must(b, err)
	return st.Size() - (n+1)*blockSize, true
}

// A key in the console of a log of ten million lines to which 50 MB/s are
// appended, until its frame. Budget: p99 ≤ 45 ms at 30 frames a second.
func BenchmarkKeyWhileGrowing(b *testing.B) {
	needsDisk(b)
	s := newStage(b)
	path := s.path("logs", "long.log")
	if n := s.log(path, 1<<30, 1<<30); n < 10_000_000 {
		s.b.Logf("%d lines", n)
	}
	s.sleeper(path)
	p := s.offstage("--files", s.path("logs"), "--task", "files:long.log")
	p.shows("b00016383")
	s.writer(path, 50, 0)
	time.Sleep(3 * time.Second)
	p.keys("\x1b[5~")
	time.Sleep(time.Second)
	row := func(text string) string {
		if rows := strings.Split(text, "\n"); len(rows) > 12 {
			return rows[12]
		}
		return ""
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		time.Sleep(time.Duration(150+i*37%100) * time.Millisecond)
		key := "k"
		if i%3 == 2 {
			key = "\x1b[5~" // a page up
		}
		before := row(p.text())
		began := time.Now()
		p.keys(key)
		took = append(took, p.until("a row that moved", func(text string) bool { return row(text) != before }).Sub(began))
	}
	spread(b, took, "key-to-frame")
	load(b)
}
