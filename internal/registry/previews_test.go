package registry

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// servedVar names a file: while it is there the server of the test does not listen.
const servedVar = "OFFSTAGE_TEST_SERVED"

// token is no token: the mark is taken out at the run.
var token = strings.ReplaceAll("4f9c2b7d1e8a⟂6c3d5f0b9e8a7d6c1f2b3a4c5d6e7f8", "⟂", "")

// serve prints its address as a notebook does and stops listening on demand.
func serve(l net.Listener, stop string) int {
	fmt.Printf("Docs at https://example.org/\nLocal: http://127.0.0.1:%d/lab?token=%s\nand http://127.0.0.1:1/\n", l.Addr().(*net.TCPAddr).Port, token)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(stop); err == nil {
			_ = l.Close()
		}
	}
	return 0
}

// TestPreviewCards is A8: an address that a task printed and that listens is a card;
// it goes down and is taken by another process as that happens, what was only printed
// is none; it is shown masked and known in full; and it stays when the task has ended.
func TestPreviewCards(t *testing.T) {
	stop := filepath.Join(t.TempDir(), "stop")
	t.Setenv(listenVar, "1")
	t.Setenv(servedVar, stop)
	x, _ := shellTask(t, os.Args[0]+" & wait")
	x.Title, x.Cwd = "npm run dev", "/home/ada/shop-web"
	w := newWorld(t)
	procs := NewProcs(w)
	r := New(Options{World: w, Procs: procs, Keep: Keep{For: time.Hour, Max: 20}, Sources: []Named{{Name: "x", Source: &writers{x, procs}}}})
	defer func() { _ = r.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var snap task.Snapshot
	until := func(what string, ok func(task.Snapshot) bool) {
		t.Helper()
		var err error
		for !ok(snap) {
			if snap, err = r.Next(ctx, snap.Rev); err != nil {
				t.Fatalf("never %s: %+v, %+v", what, snap.Previews, snap.Tasks)
			}
		}
	}
	state := func(want task.PreviewState) func(task.Snapshot) bool {
		return func(s task.Snapshot) bool { return len(s.Previews) == 1 && s.Previews[0].State == want }
	}
	until("up", state(task.PreviewUp))
	p := snap.Previews[0]
	if p.Label != "shop-web" || p.Owner != "npm run dev" || p.Task != x.ID || strings.Contains(p.URL, token) || !strings.HasSuffix(p.URL, "/lab?token=[redacted]") {
		t.Errorf("the card is %+v", p)
	}
	full, err := r.FullURL(ctx, x.ID, p.URL)
	if want := fmt.Sprintf("http://127.0.0.1:%d/lab?token=%s", p.Port, token); err != nil || full != want {
		t.Errorf("in full it is not what was printed: %v", err)
	}
	if _, err := r.FullURL(ctx, x.ID, "http://127.0.0.1:9/"); err == nil {
		t.Error("an address that was not printed is known")
	}
	if err := os.WriteFile(stop, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	until("down", state(task.PreviewDown))
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.Port))
	if err != nil {
		t.Fatal(err)
	}
	until("taken", state(task.PreviewTaken))
	_ = l.Close()
	until("down again", state(task.PreviewDown))
	plan, err := r.PlanStop(ctx, x.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Stop(ctx, plan, true, nil); err != nil {
		t.Fatal(err)
	}
	until("ended", func(s task.Snapshot) bool { return len(s.Tasks) == 1 && s.Tasks[0].Status.Ended() })
	until("a card after the end", state(task.PreviewDown))
	r.Hide(x.ID, true)
	until("hidden with its row", func(s task.Snapshot) bool { return len(s.Tasks)+len(s.Previews) == 0 })
}

// TestPreviewOutlivesItsTask is A8: a card of an address that still listens stays when
// its task is listed no more, and is taken when another socket is there.
func TestPreviewOutlivesItsTask(t *testing.T) {
	x := one1("a", task.Running)
	x.URLs = []string{"http://localhost:5173/", "http://127.0.0.1:5173/", "http://localhost:9/"}
	same := func(t task.Task) task.Task { return t }
	var p previews
	cards := func(x task.Task, listed bool, sockets map[int]uint64, ports ...int) string {
		p.fold([]task.Task{x}, map[string]bool{x.ID: listed}, same)
		p.judge(p.wanted, sockets, map[string][]int{x.ID: ports})
		var out []string
		for _, c := range p.fold([]task.Task{x}, map[string]bool{x.ID: listed}, same) {
			out = append(out, fmt.Sprint(c.URL, " ", c.State))
		}
		return strings.Join(out, ", ")
	}
	ended := x
	ended.Status = task.Succeeded
	for i, c := range []struct {
		x       task.Task
		listed  bool
		sockets map[int]uint64
		ports   []int
		want    string
	}{
		{x, true, map[int]uint64{5173: 7}, nil, ""}, // somebody else's from the beginning
		{x, true, map[int]uint64{5173: 8}, []int{5173}, "http://localhost:5173/ up"},
		{ended, true, map[int]uint64{5173: 8}, nil, "http://localhost:5173/ up"},
		{ended, false, map[int]uint64{5173: 8}, nil, "http://localhost:5173/ up"},
		{ended, false, map[int]uint64{5173: 9}, nil, ""},
		{ended, true, map[int]uint64{5173: 8}, nil, ""},
	} {
		if got := cards(c.x, c.listed, c.sockets, c.ports...); got != c.want {
			t.Errorf("step %d: %q, want %q", i, got, c.want)
		}
	}
}
