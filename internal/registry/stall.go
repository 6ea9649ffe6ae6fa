package registry

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/ledger"
	"offstage/internal/prompt"
	"offstage/internal/taskdir"
	"offstage/task"
)

// stallRows is how many of the last rows an agent is shown of a task that waits.
const stallRows = 5

// stallPatience bounds the reading of them: an agent waits for its hook.
const stallPatience = 200 * time.Millisecond

// TakeStalls are the notices of tasks of our own that these owners asked for and
// that stand still at a question (S1), each given once a stall: whoever takes one
// has to tell it. It looks at the ledger and at the outputs alone, so that a hook
// can ask without reading any trace.
func (r *Registry) TakeStalls(owners ...string) []string {
	d := r.ledger.diary
	if d == nil {
		return nil
	}
	list, err := d.book.Store().Open()
	if err != nil {
		return nil // said with the next snapshot; the stall stays
	}
	var out []string
	for _, rec := range list {
		if !strings.HasPrefix(rec.ID, OwnSource+":") || !slices.Contains(owners, rec.Owner) || rec.Kind != task.Shell {
			continue
		}
		since, rows, ok := r.stalled(rec)
		if !ok {
			continue
		}
		if won, err := d.book.ClaimStall(rec.ID, rec.Run, since); err == nil && won {
			out = append(out, ledger.StallNotice(rec, rows))
		}
	}
	return out
}

// stalled says since when a task of our own has stood still at a question that was
// not told yet, and what its last rows are.
func (r *Registry) stalled(rec task.Record) (since time.Time, rows []string, ok bool) {
	dir, err := taskdir.At(r.o.State, nativeOf(rec.ID))
	if err != nil {
		return since, nil, false
	}
	st, err := os.Lstat(dir.Output())
	if err != nil || !st.Mode().IsRegular() || st.Size() == 0 || !ledger.TellsStall(rec, st.ModTime()) {
		return since, nil, false
	}
	seen := r.seenReading(rec.ID)
	if !seen && r.w.Since(st.ModTime()) < stallAfter {
		return since, nil, false
	}
	rows = r.lastRows(rec, dir)
	if len(rows) == 0 || !seen && !prompt.Question(rows[len(rows)-1], openEnd(dir.Output(), st.Size())) {
		return since, nil, false
	}
	return st.ModTime(), rows, true
}

// seenReading says whether the last look saw a process of the task read its
// terminal: then nothing has to be waited for.
func (r *Registry) seenReading(id string) bool {
	t, ok := r.TaskByID(id)
	return ok && t.Waiting == waitsForInput
}

// lastRows are the last rows of a task's output that say something, masked.
func (r *Registry) lastRows(rec task.Record, dir taskdir.Dir) []string {
	t := ledger.ToTask(rec)
	t.Output = task.OutputRef{Path: dir.Output(), Recorded: dir.Output()}
	if asked, err := taskdir.ReadRecord(dir); err == nil {
		t.Command = asked.CommandLine() // what it says of secrets is hidden in the rows
	}
	out, err := r.facts.use(t)
	if err != nil {
		return nil
	}
	defer func() { _ = out.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), stallPatience)
	defer cancel()
	page, err := out.Page(ctx, task.PageRequest{Tail: true, Before: stallRows})
	if err != nil {
		return nil
	}
	var rows []string
	for _, l := range page.Lines {
		if text := strings.TrimRight(l.Text, " "); text != "" && l.Mark == task.NoMark {
			rows = append(rows, text)
		}
	}
	return rows
}

// openEnd says whether a file of a size does not end in a newline.
func openEnd(path string, size int64) bool {
	f, err := fsys.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	var last [1]byte
	n, err := f.ReadAt(last[:], size-1)
	return n == 1 && (err == nil || err == io.EOF) && last[0] != '\n'
}
