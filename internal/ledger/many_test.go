package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// The tests with many processes run themselves again in these roles.
const (
	roleVar  = "LEDGER_TEST_ROLE"
	stateVar = "LEDGER_TEST_STATE"
	fromVar  = "LEDGER_TEST_FROM"
	countVar = "LEDGER_TEST_COUNT"
)

// fullSize says whether the tests run at the size that is promised; else they
// are some ten times smaller.
func fullSize() bool {
	return os.Getenv("OFFSTAGE_FULL") != "" || os.Getenv("OFFSTAGE_LEDGER_FULL") != ""
}

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(roleVar) {
	case "":
		os.Exit(m.Run())
	case "writer":
		err = writer()
	case "claimer":
		err = claimer()
	case "inserter":
		err = inserter()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func inRole() (b *Book, from, count int, err error) {
	s, err := store.Open(os.Getenv(stateVar))
	if err != nil {
		return nil, 0, 0, err
	}
	from, _ = strconv.Atoi(os.Getenv(fromVar))
	count, _ = strconv.Atoi(os.Getenv(countVar))
	return NewBook(s, time.Now, nil), from, count, nil
}

// writer makes records from a number on, ends every second of them, and says each
// number when it is written.
func writer() error {
	b, from, count, err := inRole()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for i := from; i < count; i++ {
		r := Report{Record: task.Record{ID: fmt.Sprintf("own:w%s-%d", os.Getenv("LEDGER_TEST_N"), i), Session: "claude:s1", Command: "make", Status: task.Running}, Proof: Witnessed}
		if i%2 == 1 {
			r.ID = fmt.Sprintf("own:w%s-%d", os.Getenv("LEDGER_TEST_N"), i-1)
			r.Status, r.ExitCode = task.Failed, &i
		}
		_, err := b.Report(r)
		for try := 0; errors.Is(err, store.ErrLocked) && try < 20; try++ { // on a machine with a hundred others; every program of ours tries again
			_, err = b.Report(r)
		}
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(out, i) // what fails shows in Flush
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// inserter makes a new record every two milliseconds until it is killed: far more
// than any program of ours does.
func inserter() error {
	b, _, pace, err := inRole()
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		if _, err := b.Report(Report{Record: task.Record{ID: fmt.Sprint("own:i", os.Getpid(), "-", i), Session: "claude:s1", Command: "make", Status: task.Running}}); err != nil {
			return err
		}
		time.Sleep(time.Duration(pace) * time.Millisecond)
	}
}

// claimer tries the latch of every task and says which it got.
func claimer() error {
	b, _, count, err := inRole()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for i := range count {
		won, err := b.Claim(fmt.Sprintf("own:t-%d", i), 1, task.Identity{PID: os.Getpid(), Start: 1})
		if err != nil {
			return err
		}
		if won {
			_, _ = fmt.Fprintln(out, i) // what fails shows in Flush
		}
	}
	return out.Flush()
}

func program(dir, role string, n, from, count int) (*exec.Cmd, *bytes.Buffer) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), roleVar+"="+role, stateVar+"="+dir, fmt.Sprintf("LEDGER_TEST_N=%d", n), fmt.Sprintf("%s=%d", fromVar, from), fmt.Sprintf("%s=%d", countVar, count))
	var errs bytes.Buffer
	c.Stderr = &errs
	return c, &errs
}

// TestKilledWriters: many processes that write and are killed without a warning
// leave a whole ledger in which everything is that was said to be written (R8).
func TestKilledWriters(t *testing.T) {
	procs, writes := 6, 80
	if fullSize() {
		procs, writes = 16, 1000
	}
	dir := filepath.Join(t.TempDir(), "state")
	var all sync.WaitGroup
	kills := make([]int, procs)
	for n := range procs {
		all.Add(1)
		go func() {
			defer all.Done()
			kills[n] = untilWritten(t, dir, n, writes)
		}()
	}
	all.Wait()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var verdict string
	if err := s.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity: %s %v", verdict, err)
	}
	recs, err := s.Every()
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for _, r := range recs {
		if r.Status == task.Failed && r.ExitCode != nil {
			ended++
		}
	}
	if want := procs * writes / 2; len(recs) != want || ended != want {
		t.Errorf("%d records, %d ended, want %d", len(recs), ended, want)
	}
	killed := 0
	for _, k := range kills {
		killed += k
	}
	if killed == 0 {
		t.Error("no writer was killed")
	}
	book := NewBook(s, time.Now, nil)
	out, err := (&Sweeper{Book: book, Holder: "test"}).Sweep(t.Context())
	if err != nil || out.Log > 16<<20 {
		t.Errorf("the log has %d bytes after a sweep, %v", out.Log, err)
	}
	t.Logf("%d processes × %d writes, %d killed; log after the sweep %d bytes", procs, writes, killed, out.Log)
}

// untilWritten starts a writer again and again, kills it after a random number of
// its writes, and gives how often. What it said is not written a second time.
func untilWritten(t *testing.T, dir string, n, writes int) (kills int) {
	next := 0
	for next < writes {
		c, errs := program(dir, "writer", n, next, writes)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Error(err)
			return kills
		}
		if err := c.Start(); err != nil {
			t.Error(err)
			return kills
		}
		stop, killed := next+1+rand.IntN(max(writes/3, 2)), false
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			i, err := strconv.Atoi(lines.Text())
			if err == nil {
				next = i + 1
			}
			if next >= stop && next < writes && !killed {
				killed = true
				kills++
				_ = c.Process.Kill()
			}
		}
		if err := c.Wait(); err != nil && !killed {
			t.Errorf("a writer failed: %v: %s", err, errs)
			return kills
		}
	}
	return kills
}

// TestLatchRaced: of eight processes that race for each latch exactly one wins (N1).
func TestLatchRaced(t *testing.T) {
	const procs = 8
	tasks := 400
	if fullSize() {
		tasks = 10_000
	}
	d := newDesk(t)
	var ends []Report
	for i := range tasks {
		ends = append(ends, Report{Record: task.Record{ID: fmt.Sprintf("own:t-%d", i), Session: "claude:s1", Status: task.Failed}, Proof: Witnessed})
	}
	if _, err := d.Observe(ends); err != nil {
		t.Fatal(err)
	}
	won := make([]int, tasks)
	each := make([]int, procs)
	var mu sync.Mutex
	var all sync.WaitGroup
	for n := range procs {
		c, errs := program(d.dir, "claimer", n, 0, tasks)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		all.Add(1)
		go func() {
			defer all.Done()
			b, _ := io.ReadAll(out)
			mu.Lock()
			for line := range strings.FieldsSeq(string(b)) {
				i, _ := strconv.Atoi(line)
				won[i]++
				each[n]++
			}
			mu.Unlock()
			if err := c.Wait(); err != nil {
				t.Errorf("a program failed: %v: %s", err, errs)
			}
		}()
	}
	all.Wait()
	for i, n := range won {
		if n != 1 {
			t.Fatalf("latch %d was won %d times", i, n)
		}
	}
	t.Logf("%d latches, won by each of %d processes: %v", tasks, procs, each)
	slices.Sort(each)
	if each[procs-2] == 0 {
		t.Log("one process won them all: it was no race")
	}
}

// TestLogIsCut: the log of a storm that readers kept from shrinking is at most 16
// MB after a sweep (R5).
func TestLogIsCut(t *testing.T) {
	d := newDesk(t)
	reader := d.other(t)
	rows, err := reader.s.Query("SELECT id FROM task UNION ALL SELECT 'x' UNION ALL SELECT 'y'")
	if err != nil {
		t.Fatal(err)
	}
	rows.Next() // an old state is read as long as this lasts
	result := strings.Repeat("many words ", 360)
	size, round := int64(0), 0
	for ; size < 17<<20 && round < 200; round++ {
		var rs []Report
		for i := range 100 {
			rs = append(rs, Report{Record: task.Record{ID: fmt.Sprintf("own:t-%d-%d", round, i), Session: "claude:s1", Result: result, Status: task.Failed}})
		}
		if _, err := d.Observe(rs); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Lstat(filepath.Join(d.dir, "ledger.db-wal")); err == nil {
			size = st.Size()
		}
	}
	if size < 17<<20 {
		t.Fatalf("the log has only %d bytes after %d rounds", size, round)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ := newSweeper(d)
	out := sweep(t, s)
	st, err := os.Lstat(filepath.Join(d.dir, "ledger.db-wal"))
	if err != nil || st.Size() > 16<<20 || out.Log != st.Size() {
		t.Errorf("the log had %d bytes, and after the sweep %v (said %d), %v", size, st.Size(), out.Log, err)
	}
}
