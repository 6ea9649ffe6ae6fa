package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/internal/store"
	"offstage/task"
)

// world is what a test's sweeper sees.
type sights struct {
	mu    sync.Mutex
	life  map[int]Life
	since time.Time
	knows map[string]Knowledge
	// recovery is what the runtime finds, by task.
	recovery map[string]func() (Report, bool, error)
}

func (w *sights) probe(id task.Identity) (Life, time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.life[id.PID], w.since
}

func newSweeper(d *desk) (*Sweeper, *sights) {
	w := &sights{life: map[int]Life{}, knows: map[string]Knowledge{}, recovery: map[string]func() (Report, bool, error){}}
	rt := NewRuntimes(d.Book)
	for _, name := range []string{RuntimeShell, RuntimeAgent, RuntimeMCP} {
		rt.Register(Runtime{Name: name,
			Knows: func(r task.Record) Knowledge { return w.knows[r.ID] },
			Recover: func(_ context.Context, r task.Record) (Report, bool, error) {
				if f := w.recovery[r.ID]; f != nil {
					return f()
				}
				return Report{}, false, nil
			}})
	}
	return &Sweeper{Book: d.Book, Holder: "test", Probe: w.probe, Runtimes: rt}, w
}

func sweep(t *testing.T, s *Sweeper) Swept {
	t.Helper()
	out, err := s.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !out.Ran {
		t.Fatal("the sweep did not run")
	}
	return out
}

// TestDeadFor90Seconds: a process that is proven dead and left no end makes its
// record lost after 90 s, to the second (R5, G3).
func TestDeadFor90Seconds(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:t-1", withPID(7))
	d.move(time.Hour)
	w.life[7] = Alive
	if out := sweep(t, s); len(out.Gone)+len(out.Lost) > 0 {
		t.Fatalf("a live one: %+v", out)
	}
	w.life[7] = CannotTell
	d.move(time.Hour)
	if out := sweep(t, s); len(out.Gone)+len(out.Lost) > 0 {
		t.Fatalf("one that cannot be seen from here: %+v", out)
	}
	w.life[7] = Dead
	died := d.at()
	if out := sweep(t, s); len(out.Gone) != 1 || len(out.Lost) != 0 {
		t.Fatalf("at its death: %+v", out)
	}
	d.move(89 * time.Second)
	if out := sweep(t, s); len(out.Lost) != 0 {
		t.Fatal("lost after 89 s")
	}
	d.move(time.Second)
	if out := sweep(t, s); len(out.Lost) != 1 {
		t.Fatal("not lost after 90 s")
	}
	r := d.rec(t, "own:t-1")
	if r.Status != task.Lost || !r.Ended.Equal(died) || r.ExitCode != nil || r.Error == "" {
		t.Errorf("got %+v", r)
	}
	if n := d.news(t); n[len(n)-1].Kind != task.TaskFailed || !strings.HasSuffix(n[len(n)-1].Summary, UnknownEnd) {
		t.Errorf("news %+v", n)
	}
}

// TestBackAgain: a process that is seen again takes the note of its death away.
func TestBackAgain(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:t-1", withPID(7))
	w.life[7] = Dead
	sweep(t, s)
	w.life[7] = Alive
	d.move(time.Minute)
	if out := sweep(t, s); len(out.Back) != 1 {
		t.Errorf("%+v", out)
	}
	w.life[7] = Dead
	d.move(time.Minute)
	if out := sweep(t, s); len(out.Lost) != 0 || len(out.Gone) != 1 {
		t.Errorf("its grace began in its first death: %+v", out)
	}
}

// TestReboot: after a reboot the death is as old as the boot, and so is the end (R7).
func TestReboot(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:t-1", withPID(7))
	d.move(time.Hour)
	w.life[7], w.since = Dead, noon.Add(30*time.Minute)
	left, err := s.Unfinished()
	if err != nil || len(left) != 1 || left[0].Life != Dead || !left[0].Since.Equal(w.since) {
		t.Errorf("what was not finished: %+v %v", left, err)
	}
	if out := sweep(t, s); len(out.Lost) != 1 {
		t.Fatalf("%+v", out)
	}
	if r := d.rec(t, "own:t-1"); !r.Ended.Equal(w.since) {
		t.Errorf("it ended at %v", r.Ended)
	}
}

// TestSilentFor30Minutes: a record without a process that had no event for 30 min
// and that its runtime no longer knows is lost 5 min later, to the second (R5).
func TestSilentFor30Minutes(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:a-1", func(r *task.Record) { r.Runtime = RuntimeAgent })
	d.move(10 * time.Minute)
	if err := s.Runtimes.For(RuntimeAgent).Progress(t.Context(), "own:a-1", "still at it"); err != nil {
		t.Fatal(err)
	}
	heard := d.at()
	w.knows["own:a-1"] = Gone
	for _, c := range []struct {
		at         time.Duration
		gone, lost int
	}{
		{30*time.Minute - time.Second, 0, 0}, {30 * time.Minute, 1, 0}, {35*time.Minute - time.Second, 0, 0}, {35 * time.Minute, 0, 1},
	} {
		d.clk.set(heard.Add(c.at))
		if out := sweep(t, s); len(out.Gone) != c.gone || len(out.Lost) != c.lost {
			t.Errorf("after %v: %+v", c.at, out)
		}
	}
	if r := d.rec(t, "own:a-1"); r.Status != task.Lost {
		t.Errorf("status %s", r.Status)
	}
}

// TestKnownIsNotLost: what its runtime knows, or a runtime that does not run
// here, is never lost; word of it within the grace saves it.
func TestKnownIsNotLost(t *testing.T) {
	for name, c := range map[string]struct {
		knows Knowledge
		event bool
		gone  int
	}{
		"known": {StillThere, false, 0}, "another program's": {CannotSay, false, 0}, "heard of in the grace": {Gone, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			s, w := newSweeper(d)
			d.running(t, "own:a-1", func(r *task.Record) { r.Runtime = RuntimeAgent })
			w.knows["own:a-1"] = c.knows
			d.move(40 * time.Minute)
			if out := sweep(t, s); len(out.Gone) != c.gone || len(out.Lost) != 0 {
				t.Fatalf("%+v", out)
			}
			if c.event {
				d.say(t, Report{Record: task.Record{ID: "own:a-1"}})
			}
			d.move(6 * time.Minute)
			if out := sweep(t, s); len(out.Lost) != 0 {
				t.Errorf("lost: %+v", out)
			}
			if r := d.rec(t, "own:a-1"); r.Status != task.Running || !r.GoneSince.IsZero() {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// TestRecovery: before a record is lost its runtime is asked once for the end; an
// error, nonsense, or five seconds are a warning and never a stop (R5).
func TestRecovery(t *testing.T) {
	good := Report{Record: task.Record{ID: "own:t-1", Status: task.Failed, ExitCode: num(3)}, Proof: Witnessed}
	for name, c := range map[string]struct {
		takes   time.Duration
		found   Report
		ok      bool
		err     error
		want    task.Status
		warning string
	}{
		"an exit record":         {time.Second, good, true, nil, task.Failed, ""},
		"in 4.999 s":             {5*time.Second - time.Millisecond, good, true, nil, task.Failed, ""},
		"in 5 s":                 {5 * time.Second, good, true, nil, task.Failed, "took 5 seconds"},
		"nothing":                {0, Report{}, false, nil, task.Lost, ""},
		"an error":               {0, good, true, errors.New("disk"), task.Lost, "could not be recovered"},
		"of another task":        {0, Report{Record: task.Record{ID: "own:t-2", Status: task.Failed}, Proof: Witnessed}, true, nil, task.Lost, "cannot be true"},
		"a word that nobody has": {0, Report{Record: task.Record{ID: "own:t-1", Status: "paused"}, Proof: Witnessed}, true, nil, task.Lost, "cannot be true"},
		"by hearsay":             {0, Report{Record: task.Record{ID: "own:t-1", Status: task.Running}}, true, nil, task.Lost, "cannot be true"},
		"it lives":               {0, Report{Record: task.Record{ID: "own:t-1", Status: task.Running}, Proof: Witnessed}, true, nil, task.Running, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			s, w := newSweeper(d)
			d.running(t, "own:t-1", withPID(7))
			w.life[7] = Dead
			sweep(t, s)
			d.move(90 * time.Second)
			calls := 0
			w.recovery["own:t-1"] = func() (Report, bool, error) {
				calls++
				d.move(c.takes)
				return c.found, c.ok, c.err
			}
			out := sweep(t, s)
			if r := d.rec(t, "own:t-1"); r.Status != c.want || calls != 1 {
				t.Errorf("status %s after %d tries, want %s", r.Status, calls, c.want)
			}
			if (c.warning == "") != (len(out.Warnings) == 0) || c.warning != "" && !strings.Contains(out.Warnings[0], c.warning) {
				t.Errorf("warnings %q, want %q", out.Warnings, c.warning)
			}
		})
	}
}

// TestEndDuringRecovery: an end that comes while the runtime is asked stays.
func TestEndDuringRecovery(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:t-1", withPID(7))
	w.life[7] = Dead
	sweep(t, s)
	d.move(90 * time.Second)
	w.recovery["own:t-1"] = func() (Report, bool, error) {
		d.ended(t, "own:t-1", task.Succeeded, 0)
		return Report{}, false, nil
	}
	if out := sweep(t, s); len(out.Lost) != 0 {
		t.Errorf("%+v", out)
	}
	if r := d.rec(t, "own:t-1"); r.Status != task.Succeeded {
		t.Errorf("status %s", r.Status)
	}
}

// TestLostIsCorrected: an exit record that is found late corrects a lost record,
// and its end is told at most once all the same (L3, N1).
func TestLostIsCorrected(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	d.running(t, "own:t-1", withPID(7))
	w.life[7] = Dead
	sweep(t, s)
	d.move(90 * time.Second)
	sweep(t, s)
	claimed(t, d, "own:t-1")
	d.move(time.Minute)
	if res := d.ended(t, "own:t-1", task.Failed, 7); res.Change != Changed {
		t.Fatalf("change %d", res.Change)
	}
	r := d.rec(t, "own:t-1")
	if r.Status != task.Failed || *r.ExitCode != 7 || r.CleanupAfter.Sub(r.Ended) != KeepEnded || r.Error != "" {
		t.Errorf("got %+v", r)
	}
	if won, _ := d.Claim("own:t-1", 1, teller); won {
		t.Error("its owner is told twice")
	}
	if got := kinds(d.news(t)); !equalKinds(got, task.TaskStarted, task.TaskFailed, task.TaskFailed) {
		t.Errorf("news %v: watchers must hear the truth", got)
	}
}

// TestBatchesOf25: a sweep yields after every 25 records (R5).
func TestBatchesOf25(t *testing.T) {
	d := newDesk(t)
	s, w := newSweeper(d)
	for i := range 103 {
		d.running(t, fmt.Sprintf("own:t-%03d", i), withPID(i+1))
		w.life[i+1] = Dead
	}
	var at []int
	s.Yield = func() { at = append(at, s.n) }
	sweep(t, s)
	if !slices.Equal(at, []int{25, 50, 75, 100}) {
		t.Errorf("yielded after %v", at)
	}
	at = nil
	d.move(90 * time.Second)
	sweep(t, s)
	d.move(KeepLost)
	at = nil
	if out := sweep(t, s); out.Pruned != 103 || !slices.Equal(at, []int{25, 50, 75, 100}) {
		t.Errorf("pruned %d, yielded after %v", out.Pruned, at)
	}
}

// TestRetention: to the second, an ended record goes after seven days, a lost one
// after one, a kept one never; the folder goes seven days after any end, and not
// while a process has it open (R6).
func TestRetention(t *testing.T) {
	const day = 24 * time.Hour
	d := newDesk(t)
	s, w := newSweeper(d)
	root := t.TempDir()
	busy := map[string]bool{}
	s.Busy = func(f string) bool { return busy[f] }
	s.RemoveFolder = os.RemoveAll
	folder := map[string]string{}
	for _, id := range []string{"own:t-ok", "own:t-lost", "own:t-kept", "own:t-busy"} {
		f := filepath.Join(root, id[4:])
		if err := os.Mkdir(f, 0o700); err != nil {
			t.Fatal(err)
		}
		folder[id] = f
		d.running(t, id, withPID(len(folder)), func(r *task.Record) { r.Folder = f })
	}
	d.ended(t, "own:t-ok", task.Succeeded, 0)
	d.ended(t, "own:t-kept", task.Failed, 1)
	d.ended(t, "own:t-busy", task.Succeeded, 0)
	d.say(t, LostReport(d.rec(t, "own:t-lost"), noon))
	if err := d.Keep("own:t-kept", true); err != nil {
		t.Fatal(err)
	}
	busy[folder["own:t-busy"]] = true
	_ = w
	for _, c := range []struct {
		at      time.Duration
		records []string
		folders []string
	}{
		{day - time.Second, []string{"own:t-busy", "own:t-kept", "own:t-lost", "own:t-ok"}, []string{"own:t-busy", "own:t-kept", "own:t-lost", "own:t-ok"}},
		{day, []string{"own:t-busy", "own:t-kept", "own:t-ok"}, []string{"own:t-busy", "own:t-kept", "own:t-lost", "own:t-ok"}},
		{7*day - time.Second, []string{"own:t-busy", "own:t-kept", "own:t-ok"}, []string{"own:t-busy", "own:t-kept", "own:t-lost", "own:t-ok"}},
		{7 * day, []string{"own:t-kept"}, []string{"own:t-busy", "own:t-kept"}},
	} {
		d.clk.set(noon.Add(c.at))
		sweep(t, s)
		var recs, folders []string
		list, _ := d.s.Every()
		for _, r := range list {
			recs = append(recs, r.ID)
		}
		for id, f := range folder {
			if _, err := os.Stat(f); err == nil {
				folders = append(folders, id)
			}
		}
		slices.Sort(recs)
		slices.Sort(folders)
		if !slices.Equal(recs, c.records) || !slices.Equal(folders, c.folders) {
			t.Errorf("after %v: records %v, folders %v", c.at, recs, folders)
		}
	}
	busy[folder["own:t-busy"]] = false
	if err := d.Keep("own:t-kept", false); err != nil {
		t.Fatal(err)
	}
	d.move(time.Minute)
	if out := sweep(t, s); out.Folders != 2 || out.Pruned != 1 {
		t.Errorf("free and no longer kept: %+v", out)
	}
}

// TestOneSweeps: two panels and a server that sweep at once: one does, and
// another one when the first has died and its lease has run out (R5).
func TestOneSweeps(t *testing.T) {
	d := newDesk(t)
	var sweepers []*Sweeper
	for i := range 3 {
		sweepers = append(sweepers, &Sweeper{Book: d.other(t), Holder: fmt.Sprint("program ", i)})
	}
	for round := range 5 {
		ran := make(chan int, 3)
		var all sync.WaitGroup
		for i, s := range sweepers {
			all.Add(1)
			go func() {
				defer all.Done()
				if out, err := s.Sweep(context.Background()); err != nil {
					t.Error(err)
				} else if out.Ran {
					ran <- i
				}
			}()
		}
		all.Wait()
		if len(ran) != 1 {
			t.Fatalf("round %d: %d programs swept", round, len(ran))
		}
		winner := <-ran
		d.move(SweepEvery - time.Second)
		for i, s := range sweepers {
			if out, _ := s.Sweep(t.Context()); out.Ran && i != winner {
				t.Error("another one sweeps within the minute")
			}
		}
		d.move(SweepEvery) // the winner is dead, or as late as the others
	}
	if won, err := d.s.Lease("x", "a", noon.Add(1000*time.Hour), SweepEvery); !won || err != nil {
		t.Fatal(won, err)
	}
	if won, _ := d.s.Lease("x", "b", noon, SweepEvery); !won {
		t.Error("a lease of a clock that was set back holds for ever")
	}
}

// TestDamagedUnderSweep: a ledger that breaks is put aside and made again from
// the task folders (R11).
func TestDamagedUnderSweep(t *testing.T) {
	d := newDesk(t)
	s, _ := newSweeper(d)
	for i := range 200 {
		d.running(t, fmt.Sprintf("own:t-%03d", i))
	}
	s.Folders = folderList{{Record: task.Record{ID: "own:t-000", Status: task.Running, Session: "claude:s1"}, Proof: Witnessed}}
	if _, err := d.s.Shrink(); err != nil {
		t.Fatal(err)
	}
	_ = d.s.Close()
	path := filepath.Join(d.dir, "ledger.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096 * 2; i < len(b); i++ {
		b[i] = 0xA5
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	s.Book = NewBook(st, d.clk.now, nil)
	out, err := s.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	recs, err := st.Every()
	if err != nil || len(recs) != 1 || recs[0].ID != "own:t-000" || len(out.Warnings) != 2 {
		t.Errorf("records %v, %v, warnings %q", recs, err, out.Warnings)
	}
	if aside, _ := filepath.Glob(path + ".broken-*"); len(aside) != 1 {
		t.Errorf("aside: %v", aside)
	}
}

// folderList is a reader of folders for tests.
type folderList []Report

func (f folderList) Records(context.Context) ([]Report, error) { return slices.Clone(f), nil }
