package testparse

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// feedLines gives every whole line of a log to f, by its number.
func feedLines(log []byte, f func(raw []byte, n int64)) {
	var n int64
	for len(log) > 0 {
		i := bytes.IndexByte(log, '\n')
		if i < 0 {
			return
		}
		n++
		f(log[:i+1], n)
		log = log[i+1:]
	}
}

func scan(log []byte) *Scanner {
	s := New(Options{})
	feedLines(log, func(raw []byte, n int64) { s.Line(string(Strip(nil, raw)), n) })
	return s
}

// TestFeedIsLine: Feed keeps nothing of its argument and says what Wanted, Strip
// and Line say.
func TestFeedIsLine(t *testing.T) {
	for _, r := range recordings(t) {
		a, b := New(Options{}), New(Options{})
		scratch := make([]byte, 0, 4096)
		feedLines(r.log, func(raw []byte, n int64) {
			scratch = append(scratch[:0], raw...)
			a.Feed(scratch, n)
			for i := range scratch {
				scratch[i] = 'x'
			}
			if Wanted(raw) {
				b.Line(string(Strip(nil, raw)), n)
			}
		})
		if !reflect.DeepEqual(a.Runs(), b.Runs()) || a.Rev() != b.Rev() {
			t.Errorf("%s: Feed %+v, Line %+v", r.name, a.Runs(), b.Runs())
		}
		x, err := a.Save()
		if err != nil {
			t.Fatal(err)
		}
		if y, _ := b.Save(); !bytes.Equal(x, y) {
			t.Errorf("%s: Feed kept part of its argument:\n%s\n%s", r.name, x, y)
		}
	}
}

// TestLinesAreFeed: however a log is cut into blocks of lines, Lines says what Line
// says of each, and keeps nothing of a block.
func TestLinesAreFeed(t *testing.T) {
	for i, r := range recordings(t) {
		want, err := scan(r.log).Save()
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(uint64(i), 3))
		for _, most := range []int{1, 20, 1 << 20} {
			got, err := scanBlocks(r.log, func() int { return 1 + rnd.IntN(most) }).Save()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: blocks of up to %d lines:\n%s\nline by line:\n%s", r.name, most, got, want)
			}
		}
	}
}

// scanBlocks feeds the whole lines of a log in blocks of as many lines as size says.
func scanBlocks(log []byte, size func() int) *Scanner {
	s := New(Options{})
	var block []byte
	var from int64 = 1
	left := size()
	flush := func(next int64) {
		s.Lines(block, from)
		for i := range block {
			block[i] = 'x'
		}
		block, from, left = block[:0], next, size()
	}
	var last int64
	feedLines(log, func(raw []byte, n int64) {
		block, last = append(block, raw...), n
		if left--; left == 0 {
			flush(n + 1)
		}
	})
	flush(last + 1)
	return s
}

// TestAnyCut: however a log is cut into reads, the runs are the same.
func TestAnyCut(t *testing.T) {
	for i, r := range recordings(t) {
		want, total, _, err := Parse(bytes.NewReader(r.log), Options{})
		if err != nil {
			t.Fatal(err)
		}
		readers := []io.Reader{iotest.HalfReader(bytes.NewReader(r.log)), &chopped{log: r.log, rand: rand.New(rand.NewPCG(uint64(i), 7))}}
		if i%9 == 0 {
			readers = append(readers, iotest.OneByteReader(bytes.NewReader(r.log)), iotest.DataErrReader(bytes.NewReader(r.log)))
		}
		for _, in := range readers {
			got, sum, _, err := Parse(in, Options{})
			if err != nil || !reflect.DeepEqual(got, want) || sum != total {
				t.Errorf("%s: cut otherwise: %+v %v, want %+v", r.name, sum, err, total)
			}
		}
	}
}

// chopped reads in pieces of random size.
type chopped struct {
	log  []byte
	rand *rand.Rand
}

func (c *chopped) Read(p []byte) (int, error) {
	if len(c.log) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+c.rand.IntN(200))], c.log)
	c.log = c.log[n:]
	return n, nil
}

// TestSaveRestore: a scanner that was saved and restored at any line comes to the
// same end, and its state stays small.
func TestSaveRestore(t *testing.T) {
	for i, r := range recordings(t) {
		want := scan(r.log)
		lines := int64(bytes.Count(r.log, []byte{'\n'}))
		step := max(1, lines/25)
		s := New(Options{})
		feedLines(r.log, func(raw []byte, n int64) {
			s.Line(string(Strip(nil, raw)), n)
			if (n+int64(i))%step != 0 {
				return
			}
			b, err := s.Save()
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > 64<<10 {
				t.Errorf("%s: state of %d bytes at line %d", r.name, len(b), n)
			}
			if s, err = Restore(b, Options{}); err != nil {
				t.Fatal(err)
			}
		})
		if !reflect.DeepEqual(s.Runs(), want.Runs()) || s.Rev() != want.Rev() {
			t.Errorf("%s: with restores %+v, without %+v", r.name, s.Runs(), want.Runs())
		}
	}
}

// TestRestoreOther: a state of another version, and a damaged one, is refused.
func TestRestoreOther(t *testing.T) {
	for _, b := range []string{`{"v":0}`, `{"v":1,"main":{}}`} {
		if _, err := Restore([]byte(b), Options{}); !errors.Is(err, ErrVersion) {
			t.Errorf("%q: %v", b, err)
		}
	}
	for _, b := range []string{``, `{`, `[]`, `{"v":0}`, `{"v":99,"main":{}}`, `{"v":3,"main":{"talkers":{"99":{}}}}`,
		`{"v":3,"main":{"owner":1,"talkers":{"0":{"run":5,"sure":true}}}}`} {
		sum := binary.BigEndian.AppendUint32([]byte(b), crc32.ChecksumIEEE([]byte(b)))
		if _, err := Restore(sum, Options{}); err == nil {
			t.Errorf("%q was restored", b)
		}
	}
	good, err := scan([]byte(" RUN  v3.2.7 /srv/app\n ✓ a.test.ts (3 tests) 5ms\n")).Save()
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x11
		if _, err := Restore(bad, Options{}); err == nil {
			t.Fatalf("restored with byte %d changed", i)
		}
		if _, err := Restore(good[:i], Options{}); err == nil {
			t.Fatalf("restored from %d of %d bytes", i, len(good))
		}
	}
}

// openEnded are runners whose whole run has no end of its own: go test has no
// last row where all is green, cargo and Maven sum up binary by binary and
// module by module, gradle and dotnet too. Settled means there: nothing begun is
// unfinished.
var openEnded = map[string]bool{"go": true, "cargo": true, "surefire": true, "gradle": true, "dotnet": true}

// TestPrefixNeverLies: a prefix of a log that shows a settled run is not
// contradicted by the rest, unless by a later run; rows of one summary block may
// still be on their way.
func TestPrefixNeverLies(t *testing.T) {
	for _, r := range recordings(t) {
		whole := scan(r.log)
		final := map[string]Run{}
		for _, run := range whole.Runs() {
			final[run.Runner+run.Package] = run
		}
		s := New(Options{})
		settledAt := map[string]int64{}
		var last map[string]Run
		feedLines(r.log, func(raw []byte, n int64) {
			s.Line(string(Strip(nil, raw)), n)
			last = map[string]Run{}
			for _, run := range s.Runs() {
				key := run.Runner + run.Package
				if !run.Settled {
					delete(settledAt, key)
					continue
				}
				last[key] = run
				if _, ok := settledAt[key]; !ok {
					settledAt[key] = n
				}
				end, ok := final[key]
				if !ok || openEnded[run.Runner] || end.Line != run.Line || n < settledAt[key]+6 {
					continue
				}
				if run.Passed != end.Passed || run.Failed != end.Failed || run.Red != end.Red || run.Skipped != end.Skipped || !end.Settled {
					t.Fatalf("%s: settled at line %d as %+v, in the end %+v", r.name, n, run, end)
				}
			}
		})
	}
}

// TestHalfLineNeverLies: a log that ends within a line, as the last one of a killed
// program may, is what it was before that line: half a summary reads like another.
func TestHalfLineNeverLies(t *testing.T) {
	for _, r := range recordings(t) {
		lines := bytes.SplitAfter(r.log, []byte("\n"))
		at := len(r.log)
		for i := len(lines) - 1; i >= max(0, len(lines)-6); i-- {
			at -= len(lines[i])
			whole, sum, _, err := Parse(bytes.NewReader(r.log[:at]), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []int{min(1, len(bytes.TrimRight(lines[i], "\r\n"))), len(bytes.TrimRight(lines[i], "\r\n")) / 2, len(bytes.TrimRight(lines[i], "\r\n"))} {
				half, got, _, err := Parse(bytes.NewReader(r.log[:at+k]), Options{})
				if err != nil || got != sum || !reflect.DeepEqual(half, whole) {
					t.Errorf("%s: cut to %q it is %+v, want %+v (%v)", r.name, r.log[at:at+k], got, sum, err)
				}
			}
		}
	}
}

// TestRev: whenever Runs changes, Rev rises; and it never falls.
func TestRev(t *testing.T) {
	for i, r := range recordings(t) {
		if i%3 != 0 {
			continue
		}
		s := New(Options{})
		var before []byte
		var rev uint64
		feedLines(r.log, func(raw []byte, n int64) {
			s.Line(string(Strip(nil, raw)), n)
			runs := s.Runs()
			for i := range runs {
				runs[i].First = nil // a pointer; Failures say the same
			}
			now := fmt.Appendf(nil, "%+v", runs)
			if before != nil && !bytes.Equal(now, before) && s.Rev() <= rev {
				t.Fatalf("%s: line %d changed the runs, Rev stays %d", r.name, n, rev)
			}
			before, rev = now, s.Rev()
		})
	}
}

// TestWantedIsSound: what Wanted refuses as raw bytes, Line would not look at.
func TestWantedIsSound(t *testing.T) {
	for _, r := range recordings(t) {
		feedLines(r.log, func(raw []byte, n int64) {
			if Wanted(raw) {
				return
			}
			text := string(Strip(nil, raw))
			if strings.Contains(text, "\n") || wanted(trimRight(undate(text))) {
				t.Fatalf("%s: line %d refused: %q", r.name, n, raw)
			}
		})
	}
}

// TestBounds: memory stays bounded whatever a log holds.
func TestBounds(t *testing.T) {
	s := New(Options{})
	s.Line("============================= test session starts ==============================", 1)
	long := strings.Repeat("é", 5000)
	for i := range int64(20_000) {
		s.Line("tests/test_a.py::test_"+long+" FAILED [  1%]", i+2)
	}
	r := s.Runs()[0]
	if r.Failed != 20_000 || len(r.Failures) != maxFailures || len(r.First.Name) > maxName {
		t.Errorf("failed %d, kept %d, name of %d bytes", r.Failed, len(r.Failures), len(r.First.Name))
	}
	for i := range 5000 {
		s.Line(strings.Repeat("x", i%50)+string(rune('a'+i%26))+strings.Repeat("y", i/50)+":test: cache miss, executing 01", int64(i))
	}
	if len(s.streams) > maxStreams {
		t.Errorf("%d streams", len(s.streams))
	}
	b, err := s.Save()
	if err != nil || len(b) > 1<<20 {
		t.Errorf("state of %d bytes, error %v", len(b), err)
	}
}
