package output

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"offstage/internal/tail"
)

// recorded are the logs of real test runs that the scanner is tested with.
func recorded(t *testing.T) map[string][]byte {
	t.Helper()
	logs := map[string][]byte{}
	for _, name := range []string{"runs", "hostile", "hostile2"} {
		f, err := os.Open("../../testparse/testdata/" + name + ".tar.gz")
		must(t, err)
		z, err := gzip.NewReader(f)
		must(t, err)
		for in := tar.NewReader(z); ; {
			h, err := in.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			must(t, err)
			if strings.HasSuffix(h.Name, "/output.log") {
				logs[h.Name], err = io.ReadAll(in)
				must(t, err)
			}
		}
		must(t, f.Close())
	}
	if len(logs) < 380 {
		t.Fatalf("%d recordings", len(logs))
	}
	return logs
}

// TestLaneResumes: however a recording is cut into reads, and wherever a restart takes
// a checkpoint up, the lane ends with the same tests, lines and addresses (F2).
func TestLaneResumes(t *testing.T) {
	l := open(t, file(t, "x\n"), Options{})
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 2))
	buf := make([]byte, 1<<20)
	for name, log := range recorded(t) {
		path := filepath.Join(dir, "log")
		must(t, os.WriteFile(path, log, 0o600))
		f, err := tail.Open(here(t), path, tail.Options{})
		must(t, err)
		whole := newLane(l, newSource(f), 0)
		for more := int64(1); more > 0; {
			more, _ = whole.step(buf)
		}
		cut := newLane(l, newSource(f), 0)
		for more := int64(1); more > 0; {
			more, _ = cut.step(buf[:1+r.IntN(1+len(log)/8)])
			if more == 0 || r.IntN(3) > 0 {
				continue
			}
			data, err := cut.save()
			must(t, err)
			cut = newLane(l, newSource(f), 0)
			if !cut.restore(&Checkpoint{Identity: f.Identity(), Data: data}) {
				t.Fatalf("%s: the checkpoint was not taken up", name)
			}
		}
		a, b := whole.known(), cut.known()
		if !reflect.DeepEqual(a.tests, b.tests) || a.lines != b.lines || !reflect.DeepEqual(a.urls, b.urls) {
			t.Errorf("%s: resumed %+v, at once %+v", name, b, a)
		}
		must(t, f.Close())
		must(t, os.Remove(path))
	}
}

// TestLaneDoesNotReadAgain: what a checkpoint covers is not read again: were it, the
// counts would be those of what stands there now (F2).
func TestLaneDoesNotReadAgain(t *testing.T) {
	l := open(t, file(t, "x\n"), Options{})
	var log strings.Builder
	log.WriteString(strings.Repeat("a line before the run\n", 500))
	log.WriteString(" RUN  v3.2.7 /srv/app\n\n ✓ src/a.test.ts (19 tests) 5ms\n ✓ src/b.test.ts (3 tests) 5ms\n")
	path := file(t, log.String())
	f, err := tail.Open(here(t), path, tail.Options{})
	must(t, err)
	first := newLane(l, newSource(f), 0)
	buf := make([]byte, laneChunk)
	first.step(buf)
	first.step(buf)
	data, err := first.save()
	must(t, err)
	k := Checkpoint{Identity: f.Identity(), Data: data}
	must(t, f.Close())

	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	at := int64(strings.Index(log.String(), " RUN"))
	_, err = w.WriteAt([]byte(strings.Repeat("\n", log.Len()-int(at))), at)
	must(t, err)
	must(t, w.Close())
	add(t, path, " ✓ src/c.test.ts (5 tests) 5ms\n")

	f, err = tail.Open(here(t), path, tail.Options{})
	must(t, err)
	defer func() { must(t, f.Close()) }()
	next := newLane(l, newSource(f), 0)
	if !next.restore(&k) {
		t.Fatal("the checkpoint was not taken up")
	}
	next.step(buf)
	next.step(buf)
	if got := next.known().tests; got == nil || got.Passed != 27 || len(got.Runs) != 1 {
		t.Errorf("after the restart %+v, want 19 + 3 from the checkpoint and 5 read now", got)
	}
}

// TestHalfALineSettlesNothing: the last line of a killed program may be half of one, and
// half a verdict reads like another: here "FAILED (failures=2, skipped=1)" (F2).
func TestHalfALineSettlesNothing(t *testing.T) {
	const log = "test_a (m.C.test_a) ... ok\ntest_b (m.C.test_b) ... FAIL\n\n" +
		"----------------------------------------------------------------------\nRan 34 tests in 0.100s\n\nFAILED"
	f := counted(t, open(t, file(t, log), Options{}))
	if f.Tests == nil || f.Tests.Settled || f.Tests.Passed != 1 || f.Tests.Failed != 1 {
		t.Errorf("half a line: %+v", f.Tests)
	}
	f = counted(t, open(t, file(t, log+" (failures=2, skipped=1)\n"), Options{}))
	if f.Tests == nil || !f.Tests.Settled || f.Tests.Failed != 2 || f.Tests.Passed != 31 {
		t.Errorf("the whole line: %+v", f.Tests)
	}
}
