package store

import (
	"strings"
	"testing"
)

// TestNoScan: none of the daily questions goes through a whole table (R9). A walk
// along a partial index is none: it holds only the rows that are asked for.
func TestNoScan(t *testing.T) {
	s, _ := newStore(t)
	type question struct {
		sql  string
		args int
	}
	records := func(where string) question {
		return question{selecting(rowText, where), strings.Count(where, "?")}
	}
	for name, q := range map[string]question{
		"one": records("WHERE t.id=?"), "several": records(whereIDs), "open": records(whereOpen), "ended": records(whereEnded), "run id": records(whereRunID),
		"owner": records(whereOwner), "session": records(whereSession), "flow": records(whereFlow), "parent": records(whereParent),
		"pending delivery": records(wherePending), "claimed": records(whereClaimed), "owed": records(whereOwed), "stale news": records(whereStale), "failed delivery": records(whereFailed),
		"due": records(whereDue), "without clean-up": records(whereNoClean),
		"folders": {dueFolders, 3}, "news": {"SELECT seq FROM news WHERE seq>? ORDER BY seq LIMIT ?", 2},
		"open flows": {"SELECT " + flowCols + " FROM flow " + flowsOpen, 1}, "old flows": {"SELECT " + flowCols + " FROM flow " + flowsOld, 2},
		"flows of an owner": {"SELECT " + flowCols + " FROM flow " + flowsOf, 1}, "past": {"SELECT run FROM past_run WHERE task=? ORDER BY run", 1},
		"old news": {"DELETE FROM news WHERE at<?", 1}, "old marks": {"DELETE FROM seen WHERE at<?", 1}, "old stops": {"DELETE FROM stop_intent WHERE at<?", 1},
		"old counts": {"DELETE FROM fact WHERE at<?", 1}, "stops": {"SELECT task FROM stop_intent WHERE at>=?", 1}, "seen": {"SELECT task,run FROM seen WHERE at>=?", 1},
	} {
		t.Run(name, func(t *testing.T) {
			args := make([]any, q.args)
			for i := range args {
				args[i] = 1
			}
			rows, err := s.Query("EXPLAIN QUERY PLAN "+q.sql, args...)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			n := 0
			for rows.Next() {
				var id, parent, unused int
				var step string
				if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
					t.Fatal(err)
				}
				n++
				partial := strings.Contains(step, "task_uncleaned") || strings.Contains(step, "delivery_failed") || strings.Contains(step, "json_each")
				if strings.HasPrefix(step, "SCAN") && !partial {
					t.Errorf("it scans: %s", step)
				}
			}
			if n == 0 {
				t.Error("SQLite has no plan for it")
			}
		})
	}
}
