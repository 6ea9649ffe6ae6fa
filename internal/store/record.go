package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"offstage/task"
)

// ownCols are the columns of the task table; the first one is its key.
const ownCols = `id,run,runtime,kind,run_id,owner,session,flow,parent,scope,title,command,cwd,tool_call,
	status,status_source,exit_code,signal,error,progress,summary,result,
	created,started,run_started,last_event,ended,cleanup_after,boot_id,pid_ns,pid,pid_start,
	out_path,out_dev,out_ino,out_birth,out_bytes,folder,stop_requested,stop_by,gone_since,keep,hidden,late,rev`

// deliveryCols are the columns of the delivery table but for its key.
const deliveryCols = `state,policy,notified,boot_id,pid_ns,pid,pid_start,claimed,route,at,error,told_of`

// A record is handed over as one text, its fields (ownCols, then deliveryCols) apart
// by a unit separator, which no text of a record contains: three times quicker than
// 57 values. Who writes a record writes its text beside it (rowStep); it is put
// together from the columns only where another statement has changed them since.
var (
	taskText     = "concat_ws(char(31),t." + strings.ReplaceAll(strings.Join(columns(ownCols), ",t."), "t.exit_code", "coalesce(t.exit_code,'')") + ")"
	deliveryText = "concat_ws(char(31),d." + strings.Join(columns(deliveryCols), ",d.") + ")"
	rowText      = "coalesce(t.row," + taskText + ")||char(31)||coalesce(d.row," + deliveryText + ")"
	// shortText is rowText where it stands beside the record, else the record's id: a
	// question that need not know the columns is parsed in a fraction of the time.
	shortText = "coalesce(t.row||char(31)||d.row,t.id)"
	// olderText is rowText in a ledger from before rowStep.
	olderText = taskText + "||char(31)||" + deliveryText
)

const separator = "\x1f"

// rowFields is how many fields a row's text has.
var rowFields = len(columns(ownCols)) + len(columns(deliveryCols))

// putRecord changes a row in its place: to replace it would take what hangs on it.
var putRecord = upsert("task", ownCols+",row")

var putDelivery = "INSERT OR REPLACE INTO delivery(task," + deliveryCols + ",row) VALUES(" + strings.Repeat("?,", len(columns(deliveryCols))+1) + "?)"

func columns(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func upsert(table, list string) string {
	names := columns(list)
	var set []string
	for _, n := range names[1:] {
		set = append(set, n+"=excluded."+n)
	}
	return "INSERT INTO " + table + "(" + strings.Join(names, ",") + ") VALUES(" + strings.Repeat("?,", len(names)-1) + "?) ON CONFLICT(" +
		names[0] + ") DO UPDATE SET " + strings.Join(set, ",")
}

const (
	fromTask     = " FROM task t JOIN delivery d ON d.task=t.id "
	fromDelivery = " FROM delivery d CROSS JOIN task t ON t.id=d.task "
)

// selecting is the whole question for a condition and a text of rows.
func selecting(text, where string) string {
	if !strings.HasPrefix(where, " FROM") {
		where = fromTask + where
	}
	return "SELECT " + text + where
}

// reads are the questions that a store and a transaction both answer. Lists are
// read to their end before anything else may be asked.
type reads struct{ q querier }

// Record is the record of one task; ok is false where there is none.
func (r reads) Record(id string) (rec task.Record, ok bool, err error) {
	list, err := r.list("WHERE t.id=?", id)
	if len(list) == 0 {
		return task.Record{}, false, err
	}
	return list[0], true, err
}

// list reads the records that a condition selects.
func (r reads) list(where string, args ...any) ([]task.Record, error) {
	texts, err := r.texts(selecting(shortText, where), args...)
	if absent(err) {
		texts, err = r.texts(selecting(olderText, where), args...)
	} else {
		err = errors.Join(err, r.spell(texts))
	}
	if absent(err) {
		return nil, nil
	}
	out := make([]task.Record, 0, len(texts))
	for _, row := range texts {
		if rec, ok := parseRow(row); ok { // a row that another program spoiled is left away
			out = append(out, rec)
		}
	}
	return out, wrap("read the tasks of the ledger", err)
}

// texts reads the one text that each row of a question's answer has.
func (r reads) texts(query string, args ...any) (out []string, err error) {
	rows, err := r.q.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var row string
		if err := rows.Scan(&row); err != nil {
			return out, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// spell puts, where only the id of a record is known, its fields in the place.
func (r reads) spell(texts []string) error {
	var ids []string
	at := map[string]int{}
	for i, row := range texts {
		if !strings.Contains(row, separator) {
			at[row] = i
			ids = append(ids, row)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	whole, err := r.texts(selecting(rowText, whereIDs), string(list))
	for _, row := range whole {
		id, _, _ := strings.Cut(row, separator)
		if i, ok := at[id]; ok {
			texts[i] = row
		}
	}
	return err
}

// withRow takes the separator out of the texts among values and puts behind them
// the text of those from the first one on.
func withRow(first int, values ...any) []any {
	var row []byte
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = plain(text)
		}
		if i < first {
			continue
		}
		if i > first {
			row = append(row, separator...)
		}
		row = appendField(row, values[i])
	}
	return append(values, string(row))
}

// appendField writes a value as SQLite's concat_ws does.
func appendField(row []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return append(row, v...)
	case int:
		return strconv.AppendInt(row, int64(v), 10)
	case int64:
		return strconv.AppendInt(row, v, 10)
	case bool:
		if v {
			return append(row, '1')
		}
		return append(row, '0')
	case sql.NullInt64:
		if v.Valid {
			return strconv.AppendInt(row, v.Int64, 10)
		}
		return row
	}
	return fmt.Append(row, v)
}

// plain is a text without the separator.
func plain(text string) string {
	if strings.Contains(text, separator) {
		return strings.ReplaceAll(text, separator, " ")
	}
	return text
}

// PutRecord writes a record with its delivery, in the place of an earlier one.
func (t *Tx) PutRecord(r task.Record) error {
	p, o := r.Process, r.Output
	_, err := t.q.Exec(putRecord, withRow(0, r.ID, r.Run, r.Runtime, string(r.Kind), r.RunID, r.Owner, r.Session, r.Flow, r.Parent, string(r.Scope), r.Title, r.Command, r.Cwd, r.ToolCall,
		string(r.Status), r.StatusSource, nullCode(r.ExitCode), r.Signal, r.Error, r.Progress, r.Summary, r.Result,
		milli(r.Created), milli(r.Started), milli(r.RunStarted), milli(r.LastEvent), milli(r.Ended), milli(r.CleanupAfter), p.BootID, p.PIDNS, p.PID, int64(p.Start),
		o.Path, int64(o.Dev), int64(o.Ino), o.Birth, o.Bytes, r.Folder, milli(r.StopRequested), r.StopBy, milli(r.GoneSince), r.Keep, r.Hidden, r.Late, r.Rev)...)
	if err != nil {
		return wrap("write a task into the ledger", err)
	}
	return t.putDelivery(r.ID, r.Delivery)
}

func (t *Tx) putDelivery(id string, d task.Delivery) error {
	_, err := t.q.Exec(putDelivery,
		withRow(1, id, string(d.State), string(d.Policy), d.Notified, d.Claimant.BootID, d.Claimant.PIDNS, d.Claimant.PID, int64(d.Claimant.Start), milli(d.Claimant.At),
			d.Route, milli(d.At), d.Error, milli(d.ToldOf))...)
	return wrap("write a delivery into the ledger", err)
}

// DropRecord forgets a task with its delivery and its earlier runs.
func (t *Tx) DropRecord(id string) error {
	_, err := t.q.Exec("DELETE FROM task WHERE id=?", id)
	return wrap("remove a task from the ledger", err)
}

// PutPast keeps an earlier run of a task, and of those the newest few.
func (t *Tx) PutPast(p task.PastRun, keep int) error {
	_, err := t.q.Exec("INSERT OR REPLACE INTO past_run(task,run,status,status_source,exit_code,signal,summary,started,ended) VALUES(?,?,?,?,?,?,?,?,?)",
		p.Task, p.Run, string(p.Status), p.StatusSource, nullCode(p.ExitCode), p.Signal, p.Summary, milli(p.Started), milli(p.Ended))
	if err == nil {
		_, err = t.q.Exec("DELETE FROM past_run WHERE task=? AND run<=?", p.Task, p.Run-keep)
	}
	return wrap("keep an earlier run", err)
}

// Past are the earlier runs of a task, oldest first.
func (r reads) Past(id string) ([]task.PastRun, error) {
	rows, err := r.q.Query("SELECT task,run,status,status_source,exit_code,signal,summary,started,ended FROM past_run WHERE task=? ORDER BY run", id)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("read the earlier runs", err)
	}
	defer func() { _ = rows.Close() }()
	var out []task.PastRun
	for rows.Next() {
		var p task.PastRun
		var exit sql.NullInt64
		var started, ended int64
		if err := rows.Scan(&p.Task, &p.Run, &p.Status, &p.StatusSource, &exit, &p.Signal, &p.Summary, &started, &ended); err != nil {
			return out, wrap("read the earlier runs", err)
		}
		p.ExitCode, p.Started, p.Ended = code(exit), when(started), when(ended)
		out = append(out, p)
	}
	return out, wrap("read the earlier runs", rows.Err())
}

// milli is a time as the ledger keeps it; 0 is "unknown".
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func when(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func code(n sql.NullInt64) *int {
	if !n.Valid {
		return nil
	}
	c := int(n.Int64)
	return &c
}

func nullCode(c *int) sql.NullInt64 {
	if c == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: int64(*c), Valid: true}
}

// none says that a question had no row for an answer.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) || absent(err) }
