package task

import (
	"context"
	"time"
)

// Output is one task's output as a face reads it: pages of rows at byte
// offsets and facts over all bytes. It is safe for concurrent use; everything
// that leaves it is masked.
type Output interface {
	// Page gives rows around a place. It reads the file and so belongs in a
	// command, never in Update or View.
	Page(ctx context.Context, req PageRequest) (Page, error)
	// Facts are what is known now; it never blocks on a disk.
	Facts() Facts
	// Changed waits until something differs from the facts with revision rev, or
	// ctx ends. News is coalesced; the first after a quiet time comes at once.
	Changed(ctx context.Context, rev uint64) error
	// Whole gives the row at offset without the display limit, at most 1 MiB.
	Whole(ctx context.Context, offset int64) (Line, error)
	// Search looks through all of the output, from the reader outward, and tells
	// what it found as it goes; then it waits and looks through what is added, until
	// ctx ends. What it finds are masked rows. report is called from one goroutine.
	Search(ctx context.Context, req SearchRequest, report func(Found)) error
	// Close frees the file. Pages that were handed out stay valid.
	Close() error
}

// PageRequest says which rows are wanted.
type PageRequest struct {
	// Tail asks for the newest rows (Before of them); At is ignored.
	Tail bool
	// At is a byte offset; it is moved back to the start of its row.
	At int64
	// Percent, where AtPercent is set, picks At by share of the bytes, 0–1.
	AtPercent bool
	Percent   float64
	// Line, where > 0, asks for the row of this 1-based line of the file (a first
	// failure). At is then the caller's best guess of its offset, for an output
	// that has not counted that far.
	Line int64
	// Before and After are how many rows are wanted before and from At on.
	Before, After int
	// NoFold leaves equal rows as they are instead of ×N.
	NoFold bool
	// Filter, where set, leaves out the rows that it does not show. A filtered page
	// may hold no row at all and still cover bytes: ask on from its ends.
	Filter *Filter
}

// Page is a run of rows that stand next to each other in the output.
type Page struct {
	Lines []Line
	// Start and End are the byte offsets that the rows cover.
	Start, End int64
	// Top: nothing stands before the rows. Bottom: nothing behind, for now.
	Top, Bottom bool
	// Lost: the head of the file was cut away, "older output not loaded".
	Lost  bool
	Facts Facts
	// Filter is that of the request.
	Filter *Filter
}

// Facts are what is known of an output without reading it again.
type Facts struct {
	// Rev rises with every change of what follows.
	Rev uint64
	// Gen rises when the file was truncated or replaced: offsets of an older
	// generation mean nothing.
	Gen  int
	Size int64
	// LastWrite is the file's own time.
	LastWrite time.Time
	// Lines is the count of lines so far, LinesKnown whether all were counted;
	// Counted is the share of bytes that was, 0–1.
	Lines      int64
	LinesKnown bool
	Counted    float64
	// Arrived counts the lines that came since the output was opened.
	Arrived int64
	// Rate is bytes a second over the last seconds.
	Rate  float64
	Tests *Tests
	URLs  []string
	// Progress is the program's own newest report, nil for none.
	Progress *Progress
	// LastLine is the last row that says something, masked.
	LastLine string
	// OpenLine: the file does not end in a newline.
	OpenLine bool
	// EndMark is the end mark that the agent appended ("exited with code 0",
	// "killed"); "" while there is none. EndMarkAt is where it starts.
	EndMark   string
	EndMarkAt int64
	// Masked rises when rows that were handed out before may show what is to be
	// hidden now: a value was learned, the person's patterns changed. Ask again.
	Masked uint64
	// Gone: the path is no longer there; the open file can still be read.
	Gone bool
	// Trouble is one sentence when the file cannot be read.
	Trouble string
}
