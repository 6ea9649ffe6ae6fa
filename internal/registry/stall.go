package registry

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

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
	shown, _ := r.TaskByID(rec.ID)
	reads := shown.Waiting == waitsForInput // it was seen: then nothing has to be waited for
	if !reads && r.w.Since(st.ModTime()) < stallAfter {
		return since, nil, false
	}
	end := lastBytes(dir.Output(), st.Size())
	if shown.Waiting == "" && !mayAsk(end) {
		return since, nil, false // most that are quiet ask nothing, and cost no more than this
	}
	rows = r.lastRows(rec, dir)
	if len(rows) == 0 || !reads && !prompt.Question(rows[len(rows)-1], endsOpen(end)) {
		return since, nil, false
	}
	return st.ModTime(), rows, true
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

// endBytes is how much of the end of a file is looked at for a question.
const endBytes = 1 << 10

// lastBytes are the last bytes of a file of a size; none where it cannot be read.
func lastBytes(path string, size int64) []byte {
	f, err := fsys.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, min(size, endBytes))
	n, err := f.ReadAt(b, size-int64(len(b)))
	if err != nil && err != io.EOF {
		return nil
	}
	return b[:n]
}

// mayAsk says whether some bytes may end in a question: their last line is one as
// it stands, or has codes, which only the reading of the rows can tell.
func mayAsk(b []byte) bool {
	text := strings.TrimRight(string(b), " \t\r\n")
	line := text[strings.LastIndexAny(text, "\r\n")+1:]
	return strings.ContainsFunc(line, unicode.IsControl) || prompt.Question(line, endsOpen(b))
}

// endsOpen says whether bytes do not end in a newline.
func endsOpen(b []byte) bool { return len(b) > 0 && b[len(b)-1] != '\n' }
