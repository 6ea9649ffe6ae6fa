package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"offstage/task"
)

// spoiled counts rows whose text is not what their columns say.
func spoiled(t *testing.T, s *Store) (kept, wrong int) {
	t.Helper()
	for _, q := range []string{
		"SELECT count(t.row), count(CASE WHEN t.row<>" + taskText + " THEN 1 END) FROM task t",
		"SELECT count(d.row), count(CASE WHEN d.row<>" + deliveryText + " THEN 1 END) FROM delivery d",
	} {
		var k, w int
		if err := s.QueryRow(q).Scan(&k, &w); err != nil {
			t.Fatal(err)
		}
		kept, wrong = kept+k, wrong+w
	}
	return kept, wrong
}

// TestRowText: the text beside a record is that of its columns or is not there,
// whoever changes what of it, a program that knows nothing of the text included.
func TestRowText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	rec := some("own:a")
	rec.Title, rec.Keep, rec.Output.Dev = "a\x1fb \u00e9\n\"c\"", true, 1<<63+5
	rec.Status, rec.Ended = task.Failed, time.UnixMilli(1_700_000_000_123)
	rec.Delivery.State, rec.Delivery.Notified = task.DeliveryPending, false
	bare := task.Record{ID: "own:b", Run: 1}
	if err := write(s, rec, bare); err != nil {
		t.Fatal(err)
	}
	if kept, wrong := spoiled(t, s); kept != 4 || wrong != 0 {
		t.Fatalf("%d texts, %d wrong", kept, wrong)
	}
	before, _, err := s.Record("own:a")
	if err != nil || before.Title != "a b \u00e9\n\"c\"" || before.Output.Dev != 1<<63+5 || !before.Keep {
		t.Fatalf("%+v %v", before, err)
	}
	for _, c := range []struct {
		what string
		do   func() error
		kept int
		want func(*task.Record)
	}{
		{"a claim", func() error {
			won, err := s.Claim("own:a", rec.Run, task.Claimant{Identity: task.Identity{PID: 77}})
			if !won {
				t.Error("the claim is lost")
			}
			return err
		}, 3, func(r *task.Record) {
			r.Delivery.Notified, r.Delivery.Claimant = true, task.Claimant{Identity: task.Identity{PID: 77}}
		}},
		{"another record in its place", func() error {
			rec.Summary = "again"
			return write(s, rec)
		}, 4, func(r *task.Record) { r.Summary, r.Delivery = "again", rec.Delivery }},
		{"an older program's record", func() error {
			_, err := s.Exec(strings.ReplaceAll(upsert("task", ownCols), "VALUES("+strings.Repeat("?,", len(columns(ownCols))-1)+"?)",
				"SELECT "+strings.Replace(ownCols, "summary", "'older'", 1)+" FROM task WHERE id='own:a'"))
			return err
		}, 3, func(r *task.Record) { r.Summary = "older" }},
		{"an older program's delivery", func() error {
			_, err := s.Exec("INSERT OR REPLACE INTO delivery(task," + deliveryCols + ") SELECT task," + strings.Replace(deliveryCols, "error", "'no'", 1) + " FROM delivery WHERE task='own:a'")
			return err
		}, 2, func(r *task.Record) { r.Delivery.Error = "no" }},
	} {
		if err := c.do(); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		c.want(&before)
		after, _, err := s.Record("own:a")
		if diff := cmp.Diff(before, after); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", c.what, err, diff)
		}
		if kept, wrong := spoiled(t, s); kept != c.kept || wrong != 0 {
			t.Errorf("%s: %d texts are there, %d of them wrong", c.what, kept, wrong)
		}
	}
}

// A ledger from before the texts is listed by a reader, which changes nothing in it.
func TestRowTextOlderLedger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(s, some("own:a")); err != nil {
		t.Fatal(err)
	}
	want, _, _ := s.Record("own:a")
	for _, q := range []string{"DROP TRIGGER task_row", "DROP TRIGGER delivery_row", "ALTER TABLE task DROP COLUMN row", "ALTER TABLE delivery DROP COLUMN row", "PRAGMA user_version=5"} {
		if _, err := s.Exec(q); err != nil {
			t.Fatal(q, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReader(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	got, ok, err := r.Record("own:a")
	if diff := cmp.Diff(want, got); !ok || err != nil || diff != "" {
		t.Errorf("%v %v\n%s", ok, err, diff)
	}
}
