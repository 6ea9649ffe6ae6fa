package store

import (
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// fields takes a row's text apart, in order.
type fields struct {
	rest string
	n    int // fields that ended at a separator
	bad  bool
}

// nearEnd is within how many bytes most fields end: there is no call for those.
const nearEnd = 16

func (f *fields) text() string {
	s := f.rest
	for i := range min(len(s), nearEnd) {
		if s[i] == separator[0] {
			f.n, f.rest = f.n+1, s[i+1:]
			return s[:i]
		}
	}
	word, rest, found := strings.Cut(s, separator)
	if found {
		f.n++
	}
	f.rest = rest
	return word
}

func (f *fields) num() int64 {
	s := f.rest
	if len(s) > 1 && s[0] == '0' && s[1] == separator[0] { // half of them
		f.n, f.rest = f.n+1, s[2:]
		return 0
	}
	n, err := strconv.ParseInt(f.text(), 10, 64)
	f.bad = f.bad || err != nil
	return n
}

func (f *fields) int() int        { return int(f.num()) }
func (f *fields) yes() bool       { return f.num() != 0 }
func (f *fields) time() time.Time { return when(f.num()) }

func (f *fields) identity() task.Identity {
	return task.Identity{BootID: f.text(), PIDNS: f.text(), PID: f.int(), Start: uint64(f.num())}
}

func (f *fields) code() *int {
	word := f.text()
	n, err := strconv.Atoi(word)
	if err != nil {
		f.bad = f.bad || word != ""
		return nil
	}
	return &n
}

// parseRow reads the fields in the order of rowText.
func parseRow(row string) (task.Record, bool) {
	f := &fields{rest: row}
	r := task.Record{
		ID: f.text(), Run: f.int(), Runtime: f.text(), Kind: task.Kind(f.text()), RunID: f.text(), Owner: f.text(), Session: f.text(), Flow: f.text(),
		Parent: f.text(), Scope: task.Scope(f.text()), Title: f.text(), Command: f.text(), Cwd: f.text(), ToolCall: f.text(),
		Status: task.Status(f.text()), StatusSource: f.text(), ExitCode: f.code(), Signal: f.text(),
		Error: f.text(), Progress: f.text(), Summary: f.text(), Result: f.text(),
		Created: f.time(), Started: f.time(), RunStarted: f.time(), LastEvent: f.time(), Ended: f.time(), CleanupAfter: f.time(), Process: f.identity(),
		Output: task.OutputFile{Path: f.text(), Dev: uint64(f.num()), Ino: uint64(f.num()), Birth: f.num(), Bytes: f.num()}, Folder: f.text(),
		StopRequested: f.time(), StopBy: f.int(), GoneSince: f.time(), Keep: f.yes(), Hidden: f.yes(), Late: f.int(), Rev: f.num(),
	}
	r.Delivery = task.Delivery{State: task.DeliveryState(f.text()), Policy: task.NotifyPolicy(f.text()), Notified: f.yes(),
		Claimant: task.Claimant{Identity: f.identity(), At: f.time()}, Route: f.text(), At: f.time(), Error: f.text(), ToldOf: f.time()}
	return r, f.n == rowFields-1 && f.rest == "" && !f.bad
}
