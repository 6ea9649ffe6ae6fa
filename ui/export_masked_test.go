package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"offstage/task"
)

// telling is an output whose last row tells of the value that its first shows
// alone: from then on both are hidden. It does so tells times.
type telling struct {
	fewRows
	masked uint64
	tells  uint64
}

func (o *telling) Facts() task.Facts { return task.Facts{Size: 40, Masked: o.masked} }

func (o *telling) Page(_ context.Context, req task.PageRequest) (task.Page, error) {
	if req.At == 0 {
		text := "bare value"
		if o.masked >= 1 {
			text = "bare [redacted]"
		}
		return task.Page{Lines: []task.Line{{Text: text, End: 20}}, End: 20}, nil
	}
	if o.masked < o.tells {
		o.masked++
	}
	return task.Page{Lines: []task.Line{{Offset: 20, Text: "PASSWORD=[redacted]", End: 40, Redacted: 1}}, Start: 20, End: 40, Bottom: true}, nil
}

// TestExportRemasked: a copy is begun again where its end told of a value that its
// start shows; one that never comes to rest is none (C9, D5).
func TestExportRemasked(t *testing.T) {
	for tells, want := range map[uint64]string{0: "bare value\nPASSWORD=[redacted]\n", 1: "bare [redacted]\nPASSWORD=[redacted]\n", 2: "bare [redacted]\nPASSWORD=[redacted]\n"} {
		path := filepath.Join(t.TempDir(), "copy.log")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		done, err := writeMasked(t.Context(), f, &telling{tells: tells}, export{})
		_ = f.Close()
		b, rerr := os.ReadFile(path)
		if err != nil || rerr != nil || string(b) != want || done.rows != 2 || done.redacted != 1 {
			t.Errorf("told %d times: %v %v, %q, %+v", tells, err, rerr, b, done)
		}
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "copy.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := writeMasked(t.Context(), f, &telling{tells: 100}, export{}); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("a copy that may show too much was made: %v", err)
	}
}
