package store

import (
	"time"

	"offstage/task"
)

// newsKept bounds the events that watchers may still ask for; newsSlack more
// are there until they are cut off together.
const (
	newsKept  = 10_000
	newsSlack = 256
)

// AddNews appends an event and forgets the oldest beyond the bound.
func (t *Tx) AddNews(n task.News) error {
	res, err := t.q.Exec("INSERT INTO news(at,kind,task,run,session,task_kind,status,title,summary,result) VALUES(?,?,?,?,?,?,?,?,?,?)",
		milli(n.At), string(n.Kind), n.Task, n.Run, n.Session, string(n.TaskKind), string(n.Status), n.Title, n.Summary, n.Result)
	if err != nil {
		return wrap("write an event", err)
	}
	seq, err := res.LastInsertId()
	if err == nil && seq%newsSlack == 0 {
		_, err = t.q.Exec("DELETE FROM news WHERE seq<=?", seq-newsKept)
	}
	return wrap("write an event", err)
}

// News are at most max events after a cursor, oldest first.
func (r reads) News(after int64, max int) ([]task.News, error) {
	rows, err := r.q.Query("SELECT seq,at,kind,task,run,session,task_kind,status,title,summary,result FROM news WHERE seq>? ORDER BY seq LIMIT ?", after, max)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("read the events", err)
	}
	defer func() { _ = rows.Close() }()
	var out []task.News
	for rows.Next() {
		var n task.News
		var at int64
		if err := rows.Scan(&n.Seq, &at, &n.Kind, &n.Task, &n.Run, &n.Session, &n.TaskKind, &n.Status, &n.Title, &n.Summary, &n.Result); err != nil {
			return out, wrap("read the events", err)
		}
		n.At = when(at)
		out = append(out, n)
	}
	return out, wrap("read the events", rows.Err())
}

// LastNews is the cursor behind the newest event: where a new watcher begins.
func (r reads) LastNews() (int64, error) {
	var seq int64
	err := r.q.QueryRow("SELECT coalesce(max(seq), 0) FROM news").Scan(&seq)
	if none(err) {
		return 0, nil
	}
	return seq, wrap("read the events", err)
}

// FolderOrder says that the folder of a task goes after a time.
type FolderOrder struct {
	Task, Path string
	After      time.Time
}

// PutFolder orders a folder's removal, in the place of an earlier order: the
// record may be forgotten sooner than the folder goes (R6).
func (t *Tx) PutFolder(o FolderOrder) error {
	_, err := t.q.Exec("INSERT OR REPLACE INTO folder(task,path,remove_after) VALUES(?,?,?)", o.Task, o.Path, milli(o.After))
	return wrap("order a folder's removal", err)
}

// DropFolder takes the order back: the folder is gone, or kept.
func (t *Tx) DropFolder(id string) error {
	_, err := t.q.Exec("DELETE FROM folder WHERE task=?", id)
	return wrap("forget a folder", err)
}

const dueFolders = "SELECT task,path,remove_after FROM folder WHERE remove_after<=? AND task>? ORDER BY task LIMIT ?"

// DueFolders are at most max folders behind the task id after, by id, whose
// time has come at now.
func (r reads) DueFolders(now time.Time, after string, max int) ([]FolderOrder, error) {
	rows, err := r.q.Query(dueFolders, milli(now), after, max)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("read the folders to remove", err)
	}
	defer func() { _ = rows.Close() }()
	var out []FolderOrder
	for rows.Next() {
		var o FolderOrder
		var at int64
		if err := rows.Scan(&o.Task, &o.Path, &at); err != nil {
			return out, wrap("read the folders to remove", err)
		}
		o.After = when(at)
		out = append(out, o)
	}
	return out, wrap("read the folders to remove", rows.Err())
}
