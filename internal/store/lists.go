package store

import (
	"time"
)

// The task lists that agents keep with us (spec 4): one row a session, the list as
// bytes that only the rules read.

const listStep = `CREATE TABLE list(
	session TEXT NOT NULL PRIMARY KEY, data BLOB NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX list_at ON list(at);`

// maxLists bounds how many lists are read for a panel, newest first.
const maxLists = 500

// List is the list of a session, nil where it keeps none.
func (r reads) List(session string) ([]byte, error) {
	var data []byte
	err := r.q.QueryRow("SELECT data FROM list WHERE session=?", session).Scan(&data)
	if none(err) {
		return nil, nil
	}
	return data, wrap("read a task list", err)
}

// Lists are the newest lists by session.
func (r reads) Lists() (map[string][]byte, error) {
	rows, err := r.q.Query("SELECT session,data FROM list ORDER BY at DESC LIMIT ?", maxLists)
	if absent(err) { // an older ledger that is only looked at
		return nil, nil
	}
	if err != nil {
		return nil, wrap("read the task lists", err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string][]byte{}
	for rows.Next() {
		var session string
		var data []byte
		if err := rows.Scan(&session, &data); err != nil {
			return nil, wrap("read the task lists", err)
		}
		out[session] = data
	}
	return out, wrap("read the task lists", rows.Err())
}

// PutList keeps the list of a session.
func (t *Tx) PutList(session string, data []byte, now time.Time) error {
	_, err := t.q.Exec("INSERT INTO list(session,data,at) VALUES(?,?,?) ON CONFLICT(session) DO UPDATE SET data=excluded.data, at=excluded.at", session, data, milli(now))
	return wrap("keep a task list", err)
}
