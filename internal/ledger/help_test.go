package ledger

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// noon is when the tests' clock begins.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// clock is one that only a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = t
}

func (c *clock) move(d time.Duration) { c.set(c.now().Add(d)) }

// desk is a book with a store of its own and a clock of the test.
type desk struct {
	*Book
	clk   *clock
	dir   string
	warns []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{clk: &clock{at: noon}, dir: filepath.Join(t.TempDir(), "state")}
	d.Book = d.other(t)
	return d
}

// other is another program's book on the same ledger.
func (d *desk) other(t *testing.T) *Book {
	t.Helper()
	s, err := store.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return NewBook(s, d.clk.now, func(w string) { d.warns = append(d.warns, w) })
}

func (d *desk) at() time.Time { return d.clk.now() }

func (d *desk) move(by time.Duration) { d.clk.move(by) }

func (d *desk) rec(t *testing.T, id string) task.Record {
	t.Helper()
	r, ok, err := d.s.Record(id)
	if err != nil || !ok {
		t.Fatalf("record %s: found %v, %v", id, ok, err)
	}
	return r
}

func (d *desk) say(t *testing.T, r Report) Result {
	t.Helper()
	res, err := d.Report(r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// running reports a task of our own that runs since now.
func (d *desk) running(t *testing.T, id string, more ...func(*task.Record)) task.Record {
	t.Helper()
	rec := task.Record{ID: id, Runtime: RuntimeShell, Kind: task.Shell, Session: "claude:s1", Title: "Build", Command: "make", Status: task.Running}
	for _, m := range more {
		m(&rec)
	}
	return d.say(t, Report{Record: rec, Proof: Witnessed}).Record
}

// ended reports an end by an exit record.
func (d *desk) ended(t *testing.T, id string, s task.Status, code int) Result {
	t.Helper()
	return d.say(t, Report{Record: task.Record{ID: id, Status: s, ExitCode: &code, StatusSource: "exit record"}, Proof: Witnessed})
}

func (d *desk) news(t *testing.T) []task.News {
	t.Helper()
	n, err := d.s.News(0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func kinds(news []task.News) (out []task.NewsKind) {
	for _, n := range news {
		out = append(out, n.Kind)
	}
	return out
}

func withPID(pid int) func(*task.Record) {
	return func(r *task.Record) {
		r.Process = task.Identity{BootID: "boot-1", PIDNS: "ns-1", PID: pid, Start: uint64(pid) * 7}
	}
}

func equalKinds(a []task.NewsKind, b ...task.NewsKind) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
