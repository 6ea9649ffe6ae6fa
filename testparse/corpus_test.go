package testparse

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// recording is one folder of an archive in testdata.
type recording struct {
	name  string
	log   []byte
	truth truth
}

type truth struct {
	outcome
	Runner       string    `json:"runner"`
	Command      string    `json:"command"`
	Accept       []outcome `json:"accept"`
	Settled      bool      `json:"settled"`
	Chip         bool      `json:"chip"`
	ChipOptional bool      `json:"chip_optional"`
	Red          *bool     `json:"red"`
	First        *Failure  `json:"first_failure"`
	// FailedNames are the failed tests as the runner's own report names them.
	FailedNames []string `json:"failed_names"`
}

// outcome is what a log says; nil: it cannot tell.
type outcome struct {
	Passed  *int `json:"passed"`
	Failed  *int `json:"failed"`
	Skipped *int `json:"skipped"`
	Todo    int  `json:"todo"`
}

// fits compares; todo may be counted as skipped or apart.
func (c outcome) fits(t Totals) bool {
	if c.Passed != nil && *c.Passed != t.Passed || c.Failed != nil && *c.Failed != t.Failed {
		return false
	}
	return c.Skipped == nil || t.Skipped == *c.Skipped && (t.Todo == c.Todo || t.Todo == 0) || t.Skipped == *c.Skipped+c.Todo
}

var corpus = sync.OnceValues(func() ([]recording, error) {
	runs, err := unpack("testdata/runs.tar.gz")
	if err != nil {
		return nil, err
	}
	hostile, err := unpack("testdata/hostile.tar.gz")
	if err != nil {
		return nil, err
	}
	others, err := unpack("testdata/hostile2.tar.gz")
	return slices.Concat(runs, hostile, others), err
})

func unpack(name string) ([]recording, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var all []recording
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		dir, base := path.Split(h.Name)
		if dir = path.Clean(dir); len(all) == 0 || all[len(all)-1].name != dir {
			all = append(all, recording{name: dir})
		}
		r := &all[len(all)-1]
		if base == "output.log" {
			r.log = b
		} else if err := json.Unmarshal(b, &r.truth); err != nil {
			return nil, err
		}
	}
}

func recordings(t testing.TB) []recording {
	t.Helper()
	all, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 340 {
		t.Fatalf("%d recordings, want the whole corpus", len(all))
	}
	return all
}

// otherFirst are recordings whose truth names the failure of a run that a later
// run replaced, or passes over a row that names an earlier failure.
var otherFirst = []string{"multi-vitest-twice", "vitest3-watch-reruns", "playwright165-github-ci"}

// TestRecordings holds every recorded log against what is true of it, with no
// word of the command: counts and red (F1), summary (F2), several runs (F3), all
// runners (F4), no chip where no test ran (F5).
func TestRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			runs, total, ok, err := Parse(bytes.NewReader(r.log), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.truth.Chip {
				if ok {
					t.Errorf("is no test run, got %+v", runs)
				}
				return
			}
			if !ok {
				if !r.truth.ChipOptional {
					t.Error("no run found")
				}
				return
			}
			check(t, r, runs, total)
		})
	}
}

func check(t *testing.T, r recording, runs []Run, total Totals) {
	t.Helper()
	if !r.truth.fits(total) && !slices.ContainsFunc(r.truth.Accept, func(c outcome) bool { return c.fits(total) }) {
		want, _ := json.Marshal(r.truth.outcome)
		t.Errorf("got %+v, want %s", total, want)
	}
	if total.Settled != r.truth.Settled {
		t.Errorf("settled %v, want %v", total.Settled, r.truth.Settled)
	}
	if r.truth.Red != nil && total.Red != *r.truth.Red && r.truth.Settled {
		t.Errorf("red %v, want %v", total.Red, *r.truth.Red)
	}
	if r.truth.First == nil || slices.Contains(otherFirst, r.name) {
		return
	}
	if !slices.ContainsFunc(runs, func(run Run) bool { return run.First != nil && run.First.Line == r.truth.First.Line }) {
		t.Errorf("first failure %+v on line %d not found in %+v", r.truth.First.Name, r.truth.First.Line, runs)
	}
}

// TestFailureNames: a failure that a run names carries the test's own name (F1:
// the header jumps to it).
func TestFailureNames(t *testing.T) {
	for _, r := range recordings(t) {
		if r.truth.First == nil || !r.truth.Chip || slices.Contains(otherFirst, r.name) {
			continue
		}
		runs, _, _, err := Parse(bytes.NewReader(r.log), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range runs {
			if run.First == nil || run.First.Line != r.truth.First.Line {
				continue
			}
			if !strings.Contains(run.First.Name, r.truth.First.Name) && !strings.HasSuffix(r.truth.First.Name, run.First.Name) {
				t.Errorf("%s: line %d named %q, want %q", r.name, run.First.Line, run.First.Name, r.truth.First.Name)
			}
		}
	}
}

// TestQuotedByCommand: what a command only shows is no test run (F5), whatever it shows.
func TestQuotedByCommand(t *testing.T) {
	for _, r := range recordings(t) {
		if !r.truth.Chip {
			continue
		}
		for _, c := range []string{"cat docs/testing.md", "git log -p | head -400", "cd docs && less testing.md", "rg -n passed ."} {
			if _, _, ok, err := Parse(bytes.NewReader(r.log), Options{Command: c}); ok || err != nil {
				t.Fatalf("%s shown by %q: run %v, error %v", r.name, c, ok, err)
			}
		}
	}
}

// TestNamedByCommand: the command that really ran it never hides a run.
func TestNamedByCommand(t *testing.T) {
	for _, r := range recordings(t) {
		if !r.truth.Chip || r.truth.ChipOptional {
			continue
		}
		if _, _, ok, err := Parse(bytes.NewReader(r.log), Options{Command: r.truth.Command}); !ok || err != nil {
			t.Errorf("%s by %q: run %v, error %v", r.name, r.truth.Command, ok, err)
		}
	}
}
