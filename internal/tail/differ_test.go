package tail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// reader follows the log of a sim as output does, one Poll and one pass of Lines
// at a time, and holds each look against the reference.
type reader struct {
	s       *sim
	f       *File
	name    string
	cur     *node  // the file that should be open
	last    []byte // what it held at the last look
	got     []byte // the lines of this generation
	next    int64
	gen     int
	drained int
}

func newReader(s *sim, name string) *reader {
	o := Options{Blocks: 2}
	if s.within {
		o.Within = s.dir
	}
	rd := &reader{s: s, name: name, f: open(s.t, s.path, o), cur: s.at}
	rd.last = rd.cur.data
	return rd
}

func (rd *reader) fail(format string, a ...any) {
	rd.s.t.Helper()
	rd.s.t.Fatalf("%s, after %d steps: %s", rd.name, rd.s.ops, fmt.Sprintf(format, a...))
}

// look is one Poll, judged, and one pass over the new lines.
func (rd *reader) look() {
	before := whole(rd.cur.data)
	cut := !bytes.HasPrefix(rd.cur.data, rd.last)
	grew := len(rd.cur.data) > len(rd.last)
	e := rd.f.Poll()
	seen := rd.s.seen()
	switch {
	case e.Replaced:
		if seen == nil || seen == rd.cur {
			rd.fail("replaced by nothing that may be read")
		}
		if rd.drained < maxDrain && !bytes.Equal(rd.got, before) {
			rd.fail("the old file was left with %d of its %d bytes in whole lines", len(rd.got), len(before))
		}
		rd.cur, rd.drained = seen, 0
	case e.Truncated != cut:
		rd.fail("truncated: %v, the file was cut: %v", e.Truncated, cut)
	case !cut && e.Grew != grew:
		rd.fail("grew: %v, the file grew: %v", e.Grew, grew)
	case !cut && seen != nil && seen != rd.cur:
		if !grew {
			rd.fail("another file has the path, and was not opened: %+v", e)
		}
		rd.drained++
	}
	if g := rd.f.Gen(); (g != rd.gen) != (e.Replaced || e.Truncated) {
		rd.fail("generation %d after %d: %+v", g, rd.gen, e)
	} else if g != rd.gen {
		rd.gen, rd.next, rd.got = g, 0, nil
	}
	rd.last = rd.cur.data
	if e.Size != int64(len(rd.last)) {
		rd.fail("%d bytes, the file has %d", e.Size, len(rd.last))
	}
	rd.read()
}

// read takes the new lines, and some bytes anywhere.
func (rd *reader) read() {
	next, err := rd.f.Lines(rd.next, func(line []byte, at int64) error {
		if at != int64(len(rd.got)) {
			return fmt.Errorf("a line at %d, want %d", at, len(rd.got))
		}
		rd.got = append(append(rd.got, line...), '\n')
		return nil
	})
	rd.next = next
	if err != nil {
		rd.fail("%v", err)
	}
	if want := whole(rd.cur.data); !bytes.Equal(rd.got, want) {
		rd.fail("lines give %d bytes, the file has %d in whole lines", len(rd.got), len(want))
	}
	off := rd.s.r.IntN(len(rd.last) + 1)
	p := make([]byte, rd.s.r.IntN(2*BlockSize))
	n, err := rd.f.ReadAt(p, int64(off))
	if err != nil && !errors.Is(err, io.EOF) {
		rd.fail("%v", err)
	}
	if want := rd.last[off:min(off+len(p), len(rd.last))]; !bytes.Equal(p[:n], want) {
		rd.fail("%d bytes at %d are not those of the file", n, off)
	}
}

func whole(b []byte) []byte { return b[:bytes.LastIndexByte(b, '\n')+1] }

// differ runs one seed: two followers, one that looks often and one that seldom does.
func differ(t testing.TB, seed uint64, steps int) (ops int, fed int64) {
	s := newSim(t, rand.New(rand.NewPCG(seed, 11)), seed%2 == 1)
	defer s.end()
	readers := []*reader{
		newReader(s, fmt.Sprintf("seed %d, often", seed)),
		newReader(s, fmt.Sprintf("seed %d, seldom", seed)),
	}
	for _, rd := range readers {
		rd.read()
		defer func() { must(t, rd.f.Close()) }()
	}
	for range steps {
		s.step()
		if s.r.IntN(3) > 0 {
			readers[0].look()
		}
		if s.r.IntN(9) == 0 {
			readers[1].look()
		}
		if s.at != nil && len(s.at.data) > 4<<20 {
			s.cut(s.at, 0)
		}
	}
	for _, rd := range readers {
		for range 3 { // quiet now: what is at the path is what is read
			rd.look()
		}
		if seen := s.seen(); seen != nil && seen != rd.cur {
			rd.fail("in the end another file is at the path")
		}
	}
	return s.ops, s.bytes
}

// B4, B9: appended to, cut, copied and cut, renamed, unlinked, made again, replaced
// by a file or a link at random, against a reference: each look tells what
// happened and nothing else, and each line comes once while its file can be seen.
// OFFSTAGE_FUZZ_TIME=1h goes on with new seeds for that long.
func TestDifferential(t *testing.T) {
	first, seeds := uint64(0), uint64(20)
	until := time.Time{}
	if d, err := time.ParseDuration(os.Getenv("OFFSTAGE_FUZZ_TIME")); err == nil {
		until, first = time.Now().Add(d), 1000
	}
	start, ops, fed := time.Now(), 0, int64(0)
	said := start
	seed := first
	for ; seed < first+seeds || time.Now().Before(until); seed++ {
		t.Run("", func(t *testing.T) {
			o, b := differ(t, seed, 300)
			ops, fed = ops+o, fed+b
		})
		if t.Failed() {
			break
		}
		if time.Since(said) > time.Minute {
			said = time.Now()
			t.Logf("%v: %d seeds, %d steps, %d MB written", time.Since(start).Round(time.Second), seed-first+1, ops, fed>>20)
		}
	}
	t.Logf("%v: %d seeds, %d steps, %d MB written", time.Since(start).Round(time.Second), seed-first, ops, fed>>20)
}

// A writer and a follower side by side, nothing held still: lines are numbered,
// the log is rotated by renaming while the writer still writes to the old file,
// and every number comes once and in order.
func TestRotatedWhileWritten(t *testing.T) {
	const lines, files = 20_000, 8
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	add(t, path, "")
	f := open(t, path, Options{})
	seen := make(chan int, files) // generations the follower has come to
	var done error
	end := make(chan struct{})
	go func() {
		defer close(end)
		done = rotate(path, lines, files, seen)
	}()
	next, gen, want := int64(0), 0, 0
	deadline := time.Now().Add(time.Minute)
	for want < lines && time.Now().Before(deadline) {
		f.Poll()
		if g := f.Gen(); g != gen {
			gen, next = g, 0
			seen <- g
		}
		var err error
		next, err = f.Lines(next, func(line []byte, _ int64) error {
			n, err := strconv.Atoi(string(line))
			if err != nil || n != want {
				return fmt.Errorf("line %q in generation %d, want %d", line, gen, want)
			}
			want++
			return nil
		})
		must(t, err)
	}
	<-end
	must(t, done)
	if want != lines || gen != files-1 {
		t.Errorf("%d of %d lines in %d generations", want, lines, gen+1)
	}
}

// rotate writes numbered lines into files, each renamed away in the middle of the
// writing; the next is made when the last words are written, and written to when
// the follower has come to it.
func rotate(path string, lines, files int, seen <-chan int) error {
	n := 0
	for i := range files {
		w, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		if i > 0 {
			<-seen
		}
		for k := range lines / files {
			if k == lines/files/2 && i < files-1 {
				if err := os.Rename(path, fmt.Sprintf("%s.%d", path, i)); err != nil {
					return err
				}
			}
			if _, err := fmt.Fprintf(w, "%d\n", n); err != nil {
				return err
			}
			n++
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}
