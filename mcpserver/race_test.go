package mcpserver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"offstage/internal/hook"
	"offstage/internal/ledger"
	"offstage/internal/registry"
	"offstage/internal/world"
	"offstage/task"
)

// raceRole makes the test's own binary a program that takes news and dies before it
// tells any; its value is the state folder.
const raceRole = "MCPSERVER_TEST_TAKES_AND_DIES"

func TestMain(m *testing.M) {
	if state := os.Getenv(raceRole); state != "" {
		os.Exit(takeAndDie(state))
	}
	os.Exit(m.Run())
}

// takeAndDie waits for news, takes it, says what it took and ends.
func takeAndDie(state string) int {
	r, err := raceDesk(filepath.Dir(state))
	if err != nil {
		return 1
	}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		recs := append(r.TakeNews(session), r.TakeEnds(personIDs()...)...)
		for _, rec := range recs {
			fmt.Println(rec.ID)
		}
		if len(recs) > 0 {
			return 0
		}
	}
	return 1
}

// raceTasks is how many tasks end: the promised thousand with OFFSTAGE_RACE_FULL,
// else enough to see a fault.
func raceTasks() int {
	if os.Getenv("OFFSTAGE_RACE_FULL") != "" {
		return 1000
	}
	return 120
}

func raceID(i int) string { return fmt.Sprintf("own:t-r%04d", i) }

// raceOwner: of three tasks two are an agent's and one is a person's.
func raceOwner(i int) string {
	if i%3 == 2 {
		return ledger.Person
	}
	return session
}

func personIDs() (out []string) {
	for i := range raceTasks() {
		if raceOwner(i) == ledger.Person {
			out = append(out, raceID(i))
		}
	}
	return out
}

// raceDesk is a registry of a program of its own: its own connection to the ledger
// in dir/state.
func raceDesk(dir string) (*registry.Registry, error) {
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	if err != nil {
		return nil, err
	}
	return registry.New(registry.Options{World: w, State: filepath.Join(dir, "state"), Everywhere: true, Keep: registry.Keep{For: time.Hour, Max: 2000, Ended: true}}), nil
}

// tally is who told what how often.
type tally struct {
	mu   sync.Mutex
	told map[string][]string
}

func (x *tally) add(who string, ids ...string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		x.told[id] = append(x.told[id], who)
	}
}

func (x *tally) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.told)
}

var toldTask = regexp.MustCompile(`[Tt]ask (t-r\d+) \(`)

func toldIn(text string) (out []string) {
	for _, m := range toldTask.FindAllStringSubmatch(text, -1) {
		out = append(out, "own:"+m[1])
	}
	return out
}

// N1: two MCP servers, hooks, a panel and supervisors race over the ends of tasks,
// and some programs die with news in hand: each end is told at most once, and each
// that was not is listed as undelivered and says so on its row.
func TestRaceOverEnds(t *testing.T) {
	one := newStage(t, nil)
	reg, err := raceDesk(one.dir)
	must(t, err)
	t.Cleanup(func() { _ = reg.Close() })
	two := &stage{T: t, dir: one.dir, env: one.env}
	two.connect(Options{Registry: reg, Version: "test", Cwd: one.dir, Getenv: func(k string) string { return one.env[k] }}, "another")
	book := one.book()
	told := &tally{told: map[string][]string{}}
	stop := make(chan struct{})
	var takers sync.WaitGroup
	again := func(every time.Duration, f func()) {
		takers.Add(1)
		go func() {
			defer takers.Done()
			for {
				f()
				select {
				case <-stop:
					return
				case <-time.After(every):
				}
			}
		}()
	}
	for name, s := range map[string]*stage{"server one": one, "server two": two} {
		again(time.Millisecond, func() {
			text, _, _ := s.call("list_sessions", `{}`)
			told.add(name, toldIn(text)...)
		})
	}
	again(time.Millisecond, func() { // each hook is a program of its own
		r, err := raceDesk(one.dir)
		if err != nil {
			t.Error(err)
			return
		}
		out, err := hook.Run(r, []byte(`{"hook_event_name": "PostToolUse", "session_id": "`+strings.TrimPrefix(session, "claude:")+`", "tool_name": "Read"}`), hook.Options{})
		if err != nil {
			t.Error(err)
		}
		told.add("hook", toldIn(string(out))...)
		_ = r.Close()
	})
	panel, err := raceDesk(one.dir)
	must(t, err)
	t.Cleanup(func() { _ = panel.Close() })
	persons := personIDs()
	again(3*time.Millisecond, func() {
		for _, rec := range panel.TakeEnds(persons...) {
			told.add("panel", rec.ID)
			panel.Told(rec, task.Delivered, "")
		}
	})

	died := endAll(t, one, book, told)
	for end := time.Now().Add(60 * time.Second); told.count()+len(died) < raceTasks() && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	close(stop)
	takers.Wait()
	judge(t, one.dir, told, died)
}

// endAll ends all tasks from several writers, while some programs take news and
// die; it gives the ids that these took.
func endAll(t *testing.T, s *stage, book *ledger.Book, told *tally) map[string]bool {
	t.Helper()
	w, err := world.New(world.Options{})
	must(t, err)
	var dying sync.WaitGroup
	var mu sync.Mutex
	died := map[string]bool{}
	for range 3 {
		dying.Add(1)
		go func() {
			defer dying.Done()
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), raceRole+"="+filepath.Join(s.dir, "state"))
			out, err := c.Output()
			if err != nil {
				t.Errorf("the program that dies: %v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, id := range strings.Fields(string(out)) {
				died[id] = true
			}
		}()
	}
	const writers = 4
	var enders sync.WaitGroup
	for n := range writers {
		enders.Add(1)
		go func() {
			defer enders.Done()
			for i := n; i < raceTasks(); i += writers {
				id := strings.TrimPrefix(raceID(i), "own:")
				if _, err := book.Report(ended(id, raceOwner(i))); err != nil {
					t.Error(err)
				}
				if i%9 == 2 { // its supervisor has it told, too
					err := registry.TellPersonEnd(w, filepath.Join(s.dir, "state"), id, func(rec task.Record) error {
						told.add("supervisor", rec.ID)
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			}
		}()
	}
	enders.Wait()
	dying.Wait()
	return died
}

// judge compares what was told with what the ledger says.
func judge(t *testing.T, dir string, told *tally, died map[string]bool) {
	t.Helper()
	r, err := raceDesk(dir)
	must(t, err)
	defer func() { _ = r.Close() }()
	list, err := r.Undelivered()
	must(t, err)
	untold := map[string]bool{}
	for _, rec := range list {
		untold[rec.ID] = true
	}
	snap, err := r.Scan(t.Context(), 0)
	must(t, err)
	warns := map[string]bool{}
	for _, x := range snap.Tasks {
		warns[x.ID] = x.Warning != ""
	}
	by := map[string]int{}
	for i := range raceTasks() {
		id := raceID(i)
		who := told.told[id]
		for _, w := range who {
			by[w]++
		}
		switch {
		case len(who) > 1:
			t.Errorf("%s was told by %v", id, who)
		case len(who) == 1 && (untold[id] || died[id] || warns[id]):
			t.Errorf("%s was told by %v, and is listed as undelivered: %v %v", id, who, untold[id], warns[id])
		case len(who) == 0 && (!untold[id] || !warns[id]):
			t.Errorf("%s was told by nobody, and is not listed: undelivered %v, its row warns %v", id, untold[id], warns[id])
		}
	}
	if len(by) < 4 || len(died) == 0 || len(untold) != len(died) {
		t.Errorf("no race: told by %v; %d taken by programs that died, %d undelivered", by, len(died), len(untold))
	}
	t.Logf("%d ends: told by %v; %d undelivered", raceTasks(), by, len(untold))
}
