package proc

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"offstage/internal/world"
)

func TestParseStat(t *testing.T) {
	tail := " S 41 7 7 34816 7 4194304 0 0 0 0 0 0 0 0 20 0 1 0 225045 0 0\n"
	for _, c := range []struct {
		line string
		comm string
		ok   bool
	}{
		{"42 (claude)" + tail, "claude", true},
		{"42 (tmux: server)" + tail, "tmux: server", true},
		{"42 (a) S 1 (b)" + tail, "a) S 1 (b", true},
		{"42 (new\nline)" + tail, "new\nline", true},
		{"42 ()" + tail, "", true},
		{"42 (claude) S 41 7\n", "", false},
		{"(claude)" + tail, "", false},
		{"", "", false},
	} {
		p, ok := parseStat([]byte(c.line))
		if ok != c.ok {
			t.Fatalf("%q: ok %v, want %v", c.line, ok, c.ok)
		}
		if !ok {
			continue
		}
		want := Proc{ID: ID{42, 225045}, PPID: 41, PGID: 7, SID: 7, TTY: true, UID: -1, State: 'S', Comm: c.comm}
		if p != want {
			t.Errorf("%q:\n got %+v\nwant %+v", c.line, p, want)
		}
	}
}

// thisWorld is the real machine with a home of the test's own.
func thisWorld(t testing.TB) *world.World {
	t.Helper()
	home := t.TempDir()
	w, err := world.New(world.Options{Getenv: func(k string) string {
		if k == "HOME" {
			return home
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestScanSeesOurselves(t *testing.T) {
	table, err := Scan(thisWorld(t))
	if err != nil {
		t.Fatal(err)
	}
	me, ok := table.Get(os.Getpid())
	if !ok || me.PPID != os.Getppid() || me.Start == 0 {
		t.Fatalf("own row %+v", me)
	}
	if up := table.Ancestors(me.PID); len(up) == 0 || up[0].PID != os.Getppid() {
		t.Errorf("ancestors %v do not begin with the parent", up)
	}
	if age := time.Since(table.StartedAt(me.ID)); age < -2*time.Second || age > time.Minute {
		t.Errorf("this test started %v ago", age)
	}
	if !table.Alive(me.ID) || !table.Alive(ID{PID: me.PID}) || table.Alive(ID{me.PID, me.Start + 1}) {
		t.Error("alive must compare pid and start time")
	}
}

// An environment larger than the first buffer is read whole, up to its bound.
func TestReadWiped(t *testing.T) {
	want := []byte(strings.Repeat("A=0123456789\x00", 9000))
	if got := readWiped(iotest.HalfReader(bytes.NewReader(want)), maxEnviron); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	if got := readWiped(bytes.NewReader(want), 20<<10); !bytes.Equal(got, want[:20<<10]) {
		t.Errorf("%d bytes, want the bound", len(got))
	}
	if got := readWiped(iotest.TimeoutReader(bytes.NewReader(want)), maxEnviron); len(got) != 16<<10 {
		t.Errorf("%d bytes before the error", len(got))
	}
}
