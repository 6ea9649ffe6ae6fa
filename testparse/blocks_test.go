package testparse

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// blocksOf writes where failures are told: "27-28 117-132" is line to end, detail to
// its end.
func blocksOf(run Run) string {
	fails := run.Failures
	if len(fails) == 0 && run.First != nil {
		fails = []Failure{*run.First}
	}
	var b strings.Builder
	for i, f := range fails {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d-%d", f.Line, f.EndLine)
		if f.Detail > 0 {
			fmt.Fprintf(&b, " %d-%d", f.Detail, f.DetailEnd)
		}
	}
	return b.String()
}

// TestBlocks: the failing block of each failure, as read off the recordings by
// eye: the console marks these lines.
func TestBlocks(t *testing.T) {
	want := map[string]string{
		"bun-default-redirect":                  "51-0, 83-0 70-82, 94-0 85-93",
		"cargo-no-fail-fast":                    "46-0 53-60, 73-0 97-101",
		"cargo-quiet":                           "4-0 8-15",
		"exunit-color":                          "5-12, 16-21",
		"gotest-plain":                          "1-3, 5-5, 6-7",
		"gotest-plain-panic-buildfail":          "3-18, 21-21, 22-23",
		"gotest-v":                              "5-0 3-4, 17-17, 22-0 15-16",
		"gotestsum-testname":                    "4-0 2-3, 14-0 12-13, 17-0 114-114",
		"jest30-default-redirect":               "2-17, 19-31, 66-78, 151-172, 196-216",
		"jest30-verbose-redirect":               "46-0 59-74, 48-0 76-88, 120-0 123-143, 186-0 189-201, 208-0 221-242",
		"jest30-loaderror":                      "1-13",
		"maven-surefire-B":                      "34-36, 38-40",
		"minitest-default":                      "9-12, 14-17",
		"mocha10-dot-redirect":                  "26-30, 32-46, 48-53, 55-70",
		"mocha10-spec-redirect":                 "17-0 111-115, 54-0 117-131, 56-0 133-138, 80-0 140-155",
		"node20-spec-redirect":                  "15-15 193-194, 54-73 197-216, 76-84 219-227, 116-116 230-231, 132-154 234-256",
		"node24-spec":                           "21-21 67-68, 35-35 71-89",
		"node24-tap":                            "21-31, 61-84",
		"phpunit-default":                       "10-13, 19-22",
		"playwright165-line-redirect":           "74-84, 94-128, 152-186, 190-218",
		"playwright165-list-redirect":           "26-0 98-108, 39-0 110-144, 44-0 146-174, 65-0 176-210",
		"pytest7-default-redirect":              "12-19, 20-27, 29-44, 45-51, 52-63",
		"pytest7-v":                             "7-0 78-85, 8-0 86-93, 9-0 95-112, 17-0 113-119, 24-0 120-131",
		"rspec-doc":                             "34-0 66-73, 35-0 75-83",
		"rspec-progress":                        "22-29, 31-39",
		"unittest-v":                            "31-0 37-43, 33-0 46-52",
		"vitest3-default-redirect":              "27-28 117-132, 30-31 136-144, 41-42 101-113, 48-50 93-96",
		"vitest4-agent-env":                     "5-0 37-52, 6-0 56-64, 8-0 68-80, 11-0 29-32",
		"vitest4-hooks-unhandled-verbose-color": "30-31 153-168, 32-33 115-123, 36-39 101-111, 49-50 127-149",
		"vitest5-tree":                          "20-0 58-73",
		"vitest3-loaderror":                     "8-18",
	}
	seen := 0
	for _, r := range recordings(t) {
		blocks, ok := want[r.name]
		if !ok {
			continue
		}
		seen++
		runs, _, _, err := Parse(bytes.NewReader(r.log), Options{})
		if err != nil || len(runs) != 1 {
			t.Fatal(r.name, runs, err)
		}
		if got := blocksOf(runs[0]); got != blocks {
			t.Errorf("%s: %q, want %q", r.name, got, blocks)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d recordings seen", seen, len(want))
	}
}

// TestBlocksHold: every block is a range of lines of its log that begins with a
// row and does not end with a blank one; its two parts do not meet; and most
// failures have one.
func TestBlocksHold(t *testing.T) {
	all, known := 0, 0
	for _, r := range recordings(t) {
		rows := bytes.Split(r.log, []byte{'\n'})
		redrawn := bytes.Contains(r.log, []byte("\x1b[1A")) || bytes.Contains(r.log, []byte("\x1b[2K")) || bytes.Contains(r.log, []byte("\x1b[K"))
		runs, _, _, err := Parse(bytes.NewReader(r.log), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range runs {
			for _, f := range run.Failures {
				all++
				if f.EndLine > f.Line || f.Detail > 0 {
					known++
				}
				if f.EndLine != 0 && f.EndLine < f.Line || f.EndLine > int64(len(rows)) || f.DetailEnd < f.Detail || f.DetailEnd > int64(len(rows)) {
					t.Fatalf("%s: no range: %+v", r.name, f)
				}
				if f.Detail > 0 && f.DetailEnd >= f.Line && f.Detail <= max(f.Line, f.EndLine) {
					t.Errorf("%s: its parts meet: %+v", r.name, f)
				}
				for _, end := range []int64{f.EndLine, f.DetailEnd} {
					if end > 0 && !redrawn && run.Package == "" && len(bytes.TrimSpace(Strip(nil, rows[end-1]))) == 0 {
						t.Errorf("%s: ends with a blank row: %+v", r.name, f)
					}
				}
			}
		}
	}
	if known*10 < all*8 {
		t.Errorf("%d of %d failures have a block", known, all)
	}
	t.Logf("%d of %d failures have a block", known, all)
}
