package store

// recordStep makes the tables of records and of what belongs to them. Times are
// milliseconds since 1970 and 0 where unknown; texts are empty where unknown. The
// unsigned numbers of processes and files are kept as the signed ones of the
// same bits.
const recordStep = `
CREATE TABLE task(
	id TEXT PRIMARY KEY NOT NULL, run INTEGER NOT NULL, runtime TEXT NOT NULL, kind TEXT NOT NULL, run_id TEXT NOT NULL,
	owner TEXT NOT NULL, session TEXT NOT NULL, flow TEXT NOT NULL, parent TEXT NOT NULL, scope TEXT NOT NULL,
	title TEXT NOT NULL, command TEXT NOT NULL, cwd TEXT NOT NULL, tool_call TEXT NOT NULL,
	status TEXT NOT NULL, status_source TEXT NOT NULL, exit_code INTEGER, signal TEXT NOT NULL,
	error TEXT NOT NULL, progress TEXT NOT NULL, summary TEXT NOT NULL, result TEXT NOT NULL,
	created INTEGER NOT NULL, started INTEGER NOT NULL, run_started INTEGER NOT NULL, last_event INTEGER NOT NULL,
	ended INTEGER NOT NULL, cleanup_after INTEGER NOT NULL,
	boot_id TEXT NOT NULL, pid_ns TEXT NOT NULL, pid INTEGER NOT NULL, pid_start INTEGER NOT NULL,
	out_path TEXT NOT NULL, out_dev INTEGER NOT NULL, out_ino INTEGER NOT NULL, out_birth INTEGER NOT NULL, out_bytes INTEGER NOT NULL,
	folder TEXT NOT NULL, stop_requested INTEGER NOT NULL, stop_by INTEGER NOT NULL, gone_since INTEGER NOT NULL,
	keep INTEGER NOT NULL, hidden INTEGER NOT NULL, late INTEGER NOT NULL, rev INTEGER NOT NULL) STRICT;
CREATE INDEX task_status ON task(status, last_event);
CREATE INDEX task_ended ON task(ended) WHERE ended>0;
CREATE INDEX task_cleanup ON task(cleanup_after) WHERE cleanup_after>0;
CREATE INDEX task_uncleaned ON task(ended) WHERE cleanup_after=0 AND status NOT IN ('queued','running');
CREATE INDEX task_run_id ON task(run_id) WHERE run_id<>'';
CREATE INDEX task_owner ON task(owner);
CREATE INDEX task_session ON task(session);
CREATE INDEX task_flow ON task(flow) WHERE flow<>'';
CREATE INDEX task_parent ON task(parent) WHERE parent<>'';
CREATE TABLE delivery(
	task TEXT PRIMARY KEY NOT NULL REFERENCES task(id) ON DELETE CASCADE,
	state TEXT NOT NULL, policy TEXT NOT NULL, notified INTEGER NOT NULL,
	boot_id TEXT NOT NULL, pid_ns TEXT NOT NULL, pid INTEGER NOT NULL, pid_start INTEGER NOT NULL, claimed INTEGER NOT NULL,
	route TEXT NOT NULL, at INTEGER NOT NULL, error TEXT NOT NULL, told_of INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_pending ON delivery(notified) WHERE state='pending';
CREATE INDEX delivery_failed ON delivery(task) WHERE state='failed';
CREATE TABLE past_run(
	task TEXT NOT NULL REFERENCES task(id) ON DELETE CASCADE, run INTEGER NOT NULL,
	status TEXT NOT NULL, status_source TEXT NOT NULL, exit_code INTEGER, signal TEXT NOT NULL, summary TEXT NOT NULL,
	started INTEGER NOT NULL, ended INTEGER NOT NULL, PRIMARY KEY(task, run)) STRICT, WITHOUT ROWID;
CREATE TABLE flow(
	id TEXT PRIMARY KEY NOT NULL, owner TEXT NOT NULL, controller TEXT NOT NULL, goal TEXT NOT NULL, status TEXT NOT NULL,
	step TEXT NOT NULL, wait TEXT NOT NULL, blocked_task TEXT NOT NULL, blocked_by TEXT NOT NULL, policy TEXT NOT NULL,
	revision INTEGER NOT NULL, cancel_requested INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT;
CREATE INDEX flow_status ON flow(status, updated);
CREATE INDEX flow_owner ON flow(owner);
CREATE INDEX flow_ended ON flow(ended) WHERE ended>0;
CREATE TABLE news(
	seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, kind TEXT NOT NULL, task TEXT NOT NULL, run INTEGER NOT NULL,
	session TEXT NOT NULL, task_kind TEXT NOT NULL, status TEXT NOT NULL, title TEXT NOT NULL, summary TEXT NOT NULL, result TEXT NOT NULL) STRICT;
CREATE INDEX news_at ON news(at);
CREATE TABLE folder(
	task TEXT PRIMARY KEY NOT NULL, path TEXT NOT NULL, remove_after INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX folder_due ON folder(remove_after);
CREATE TABLE lease(
	name TEXT PRIMARY KEY NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX seen_at ON seen(at);`

// rowStep has the fields of a record stand beside them as one text, which lists
// read. A statement that changes a column and leaves the text, as those of an older
// program do, loses it: a text that is there is true.
const rowStep = `
ALTER TABLE task ADD COLUMN row TEXT;
ALTER TABLE delivery ADD COLUMN row TEXT;
CREATE TRIGGER task_row AFTER UPDATE ON task WHEN new.row IS old.row AND new.row IS NOT NULL
	BEGIN UPDATE task SET row=NULL WHERE id=new.id; END;
CREATE TRIGGER delivery_row AFTER UPDATE ON delivery WHEN new.row IS old.row AND new.row IS NOT NULL
	BEGIN UPDATE delivery SET row=NULL WHERE task=new.task; END;`
