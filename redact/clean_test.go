package redact

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// reviewed reads the list of changes that are right: the lines of
// testdata/reviewed.md that start with `- ` hold a piece of the changed line in
// backquotes.
func reviewed(t *testing.T) (pieces []string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/reviewed.md")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(raw)) {
		if p := strings.SplitN(l, "`", 3); strings.HasPrefix(l, "- ") && len(p) == 3 {
			pieces = append(pieces, strings.ReplaceAll(p[1], fakeMark, ""))
		}
	}
	return pieces
}

// TestCleanCorpus: output of real tools without secrets (testdata/clean.sh) is
// not changed outside the reviewed list.
func TestCleanCorpus(t *testing.T) {
	dir := os.Getenv("OFFSTAGE_CLEAN_CORPUS")
	if dir == "" {
		t.Skip("OFFSTAGE_CLEAN_CORPUS names no folder; testdata/clean.sh fills one")
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs in %s: %v", dir, err)
	}
	known := reviewed(t)
	total, lines := 0, 0
	for _, log := range logs {
		f, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		r := New(Options{})
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 8<<20)
		for sc.Scan() {
			in := sc.Text()
			total += len(in) + 1
			lines++
			got := string(r.Write([]byte(in + "\n")))
			got += string(r.Release())
			if got == in+"\n" || isKnown(in, known) {
				continue
			}
			t.Errorf("%s: %.300q became %.300q", filepath.Base(log), in, got)
		}
		if err := sc.Err(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	t.Logf("%d logs, %d lines, %.1f MB", len(logs), lines, float64(total)/1e6)
}

func isKnown(line string, known []string) bool {
	for _, p := range known {
		if strings.Contains(line, p) {
			return true
		}
	}
	return false
}
