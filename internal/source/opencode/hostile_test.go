package opencode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/trace/tracetest"
	"offstage/internal/world"
	"offstage/task"
)

const (
	folder = ".local/share/opencode/"
	file   = folder + database
	tables = `CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE todo (session_id TEXT, content TEXT, status TEXT, priority TEXT, position INTEGER, time_created INTEGER, time_updated INTEGER);
`
)

// row is a session that was written to at a time.
func row(id string, at time.Time) string {
	return fmt.Sprintf("INSERT INTO session VALUES ('%s',NULL,'/srv/app','the work','1.18.33',%d,%d);\n", id, at.UnixMilli(), at.UnixMilli())
}

// said is a message of the session now.
func said(session, id, data string) string {
	now := time.Now().UnixMilli()
	return fmt.Sprintf("INSERT INTO message VALUES ('%s','%s',%d,%d,'%s');\n", id, session, now, now, data)
}

func stage(t *testing.T) tracetest.Home {
	t.Helper()
	h := tracetest.NewHome(t)
	tracetest.LayDatabase(t, filepath.Join(h.Dir, file), tables+row("ses_good", time.Now())+
		`INSERT INTO todo VALUES ('ses_good','one','completed','high',0,1,1); INSERT INTO todo VALUES ('ses_good','two','in_progress','high',1,1,1);`)
	return h
}

// TestHostile: whatever stands in the database costs its own detail, never another
// (issue 9).
func TestHostile(t *testing.T) {
	change := func(words string) func(t *testing.T, h tracetest.Home) {
		return func(t *testing.T, h tracetest.Home) {
			db := tracetest.OpenDatabase(t, filepath.Join(h.Dir, file))
			_, err := db.Exec(words)
			tracetest.Must(t, err)
		}
	}
	cases := tracetest.Spoil{
		"broken data": change(said("ses_good", "m", "{") + "INSERT INTO part VALUES ('p','m','ses_good',1,1,'\"callID\" {');"),
		"odd data":    change(said("ses_good", "m", `{"role":7,"time":[],"error":null}`) + "INSERT INTO part VALUES ('p','m','ses_good',1,1,'{\"callID\":5,\"state\":[]}');"),
		"odd values":  change("INSERT INTO session VALUES ('ses_odd',x'ff00','/srv','\x1b[31mred','', 'never', 9e99);"),
		"long data":   change(said("ses_good", "m", `{"role":"assistant"}`) + "INSERT INTO part VALUES ('p','m','ses_good',1,1,'{\"callID\":\"' || printf('%.5000000c','x') || '\"}');"),
		"in use":      change(row("ses_more", time.Now())),
	}
	tracetest.Hostile(t, stage, func(h tracetest.Home) tracetest.Scanner { return New(h.World, tracetest.NoProcs) }, tracetest.Secret, cases, func(t *testing.T, snap task.Snapshot) {
		if len(snap.Troubles) != 0 || len(snap.Sessions) == 0 || !hasPlan(snap) {
			t.Errorf("troubles %v, of %d sessions", snap.Troubles, len(snap.Sessions))
		}
	})
}

// hasPlan says that the good session is told of with its task list (T13).
func hasPlan(snap task.Snapshot) bool {
	for _, s := range snap.Sessions {
		if s.Native == "ses_good" {
			return len(s.Plan.Entries) == 2 && s.Plan.Entries[0].Status == task.Completed && s.Plan.Entries[1].Status == task.InProgress
		}
	}
	return false
}

// TestNoDatabase: what is no database, or another's, is one sentence.
func TestNoDatabase(t *testing.T) {
	cases := map[string]func(t *testing.T, h tracetest.Home){
		"a text":     func(t *testing.T, h tracetest.Home) { h.Put(t, file, strings.Repeat("no database ", 1000)) },
		"a pipe":     func(t *testing.T, h tracetest.Home) { h.Pipe(t, file) },
		"a link out": func(t *testing.T, h tracetest.Home) { h.Link(t, file, h.Outside()) },
		"newer": func(t *testing.T, h tracetest.Home) {
			tracetest.LayDatabase(t, filepath.Join(h.Dir, file), "CREATE TABLE session (id TEXT)")
		},
		"a log that is a pipe": func(t *testing.T, h tracetest.Home) {
			tracetest.LayDatabase(t, filepath.Join(h.Dir, file), tables)
			h.Pipe(t, file+"-wal")
		},
	}
	for name, put := range cases {
		t.Run(name, func(t *testing.T) {
			h := tracetest.NewHome(t)
			tracetest.LayDatabase(t, h.Outside(), tables+row(tracetest.Secret, time.Now()))
			put(t, h)
			snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
			tracetest.NoLeak(t, snap, tracetest.Secret)
			if len(snap.Troubles) != 1 || len(snap.Sessions) != 0 {
				t.Errorf("troubles %v, %d sessions", snap.Troubles, len(snap.Sessions))
			}
		})
	}
	h := tracetest.NewHome(t)
	h.Put(t, folder+"log/x", "")
	if snap := tracetest.All(t, New(h.World, tracetest.NoProcs)); len(snap.Troubles)+len(snap.Sessions) != 0 {
		t.Errorf("without any: %+v", snap)
	}
}

// TestKept: while its owner holds the whole database, what was read before stands.
func TestKept(t *testing.T) {
	h := stage(t)
	s := New(h.World, tracetest.NoProcs)
	tracetest.All(t, s)
	tracetest.Must(t, os.WriteFile(filepath.Join(h.Dir, file), []byte(strings.Repeat("torn ", 4000)), 0o600))
	if snap := tracetest.All(t, s); len(snap.Troubles) != 1 || !hasPlan(snap) {
		t.Errorf("troubles %v, %d sessions", snap.Troubles, len(snap.Sessions))
	}
}

// TestFollows: what its program writes while it runs, in its log alone, is news;
// nothing is made in its folder.
func TestFollows(t *testing.T) {
	h := stage(t)
	db := tracetest.OpenDatabase(t, filepath.Join(h.Dir, file))
	add := func(words string) task.SessionState {
		t.Helper()
		_, err := db.Exec(words)
		tracetest.Must(t, err)
		snap := tracetest.All(t, New(h.World, tracetest.NoProcs))
		if len(snap.Sessions) != 1 {
			t.Fatalf("%d sessions", len(snap.Sessions))
		}
		return snap.Sessions[0].State
	}
	for _, c := range []struct {
		words string
		want  task.SessionState
	}{
		{said("ses_good", "m1", `{"role":"user"}`), task.RunningTurn},
		{said("ses_good", "m2", `{"role":"assistant","time":{"completed":1796071306844},"finish":"tool-calls"}`), task.RunningTurn},
		{said("ses_good", "m3", `{"role":"assistant","time":{"completed":1796071306844},"finish":"stop"}`), task.Idle},
		{"DELETE FROM message; " + said("ses_good", "m4", `{"role":"assistant","time":{},"error":{"name":"MessageAbortedError"}}`), task.Idle},
	} {
		if got := add(c.words); got != c.want {
			t.Errorf("after %s: %s, want %s", c.words, got, c.want)
		}
	}
	names, err := os.ReadDir(filepath.Join(h.Dir, folder))
	tracetest.Must(t, err)
	if len(names) != 3 {
		t.Errorf("%v", names)
	}
}

// TestWaits: the command that a turn waits for is a foreground row with its process.
func TestWaits(t *testing.T) {
	r := tracetest.Open(t, "testdata/fg-running.txtar")
	x := tracetest.Find(t, tracetest.All(t, New(r.World, r.Procs)), "call_04f31702c49740d7fd9d")
	if !x.Foreground || x.Status != task.Running || len(x.Evidence.Roots) != 1 || x.Evidence.Roots[0].PID != 146 || x.Can.WhyNot == "" {
		t.Errorf("%+v", x)
	}
}

// many are old sessions.
func many(n int, age time.Duration) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(fmt.Sprintf("ses_%06d", i), time.Now().Add(-age)))
	}
	return b.String()
}

// oldOnes are few enough for a race detector on a busy machine; ten thousand were
// tried too.
const oldOnes = 2000

// TestOldSessions: old sessions are not told of unless all are asked for (issue 9).
func TestOldSessions(t *testing.T) {
	h := tracetest.NewHome(t)
	tracetest.LayDatabase(t, filepath.Join(h.Dir, file), tables+many(oldOnes, 10*24*time.Hour)+row("ses_good", time.Now()))
	tracetest.Recent(t, New(h.World, tracetest.NoProcs), oldOnes)
}

// BenchmarkStart: until all of 500 sessions of the last day is told.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	tracetest.LayDatabase(b, filepath.Join(dir, file), tables+many(500, 3*time.Hour))
	w, err := world.New(world.Options{Getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := New(w, tracetest.NoProcs).Scan(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
