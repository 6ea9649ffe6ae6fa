package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"offstage/task"
	"offstage/testparse"
	"offstage/ui"
)

// update writes the generated documents anew instead of comparing them.
var update = flag.Bool("update", false, "write the generated documents")

func generated(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("..", "docs", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(path)
	if err != nil || string(b) != text {
		t.Errorf("docs/%s is not what the program says (%v): run go test ./cli -run TestDocs -update", name, err)
	}
}

// keyNames are the keys as a person reads them.
var keyNames = strings.NewReplacer("enter", "Enter", "space", "Space", "esc", "Esc", "pgup", "PgUp", "pgdown", "PgDn", "home", "Home", "end", "End",
	"left", "←", "right", "→", "up", "↑", "down", "↓", "ctrl+", "Ctrl+", "shift+", "Shift+", "alt+", "Alt+", "tab", "Tab", "backspace", "Backspace", "|", `\|`)

// TestDocsKeys: docs/keys.md is the key table of the program (B16).
func TestDocsKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Keys\n\nWritten from the program's own key table, as the help (`?`) is. Do not edit.\n\n" +
		"Each can be changed by its name, in `config.toml` or `.offstage.toml`:\n\n```toml\n[keys]\n\"list.stop\" = \"ctrl+x\"\n\"window.quit\" = [\"Q\", \"f12\"]\n```\n")
	last := ""
	for _, k := range ui.KeyTable() {
		if k.Group != last {
			fmt.Fprintf(&b, "\n## %s\n\n| keys | what it does | name |\n|---|---|---|\n", k.Group)
			last = k.Group
		}
		var names []string
		for _, key := range k.Keys {
			names = append(names, "`"+keyNames.Replace(key)+"`")
		}
		id := ""
		if k.ID != "" {
			id = "`" + k.ID + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Join(names, " "), k.Words, id)
	}
	b.WriteString("\nThe mouse: a click on a row opens it, on Stop asks in place, on a count jumps to the first failure; the wheel scrolls what is under the pointer; a drag\n" +
		"in the console selects text and copies it. `M` gives the mouse back to the terminal; most terminals also select natively with Shift held.\n")
	generated(t, "keys.md", b.String())
}

// shape is one JSON object of the contract, with what its fields mean.
type shape struct {
	title, intro string
	value        any
	fields       map[string]string
}

var shapes = []shape{
	{"A task", "`offstage ls --json` prints an array of these; `ls --watch --json` one a line at each change.", task.Wire{}, map[string]string{
		"id": "`source:native`; give it to any verb", "source": "what it comes from: `claude`, `kimi`, `qwen`, `gemini`, `codex`, `copilot`, `opencode`, `crush`, `cursor`, `own`, `left`; `files`, `demo`", "kind": "`shell`, `monitor`, `agent`, `remote`, `mcp`, `teammate`, `workflow`, `dream`",
		"title": "the agent's description", "command": "the command line, masked, at most 2,000 characters", "cwd": "working folder", "session": "id of its session",
		"status":    "`queued`, `running`, `succeeded`, `failed`, `timed_out`, `cancelled`, `lost` (nobody can know how it ended)",
		"exit_code": "only where it is known; never invented", "signal": "the signal that ended it, where known", "started_at": "", "ended_at": "", "last_output_at": "time of the last write to its output",
		"quiet_ms": "how long a running shell or monitor has written nothing", "output": "its output file", "can": "what can be done with it from here", "waiting_for_input": "what the row says when it seems to wait for a person",
		"tests": "counts of the test runs in its output", "urls": "local addresses that it printed, masked", "ports": "ports that it listens on", "pipe": "the program that holds its output back: `tail`, `sort`, `grep` …",
		"left_behind": "left running outside any task", "parent": "id of the task it belongs to", "run": "rises when its agent starts the same id again", "activity": "its last line, or the last tool call of a sub-agent",
		"last_activity_at": "", "summary": "the agent's line about the end", "result": "the result of a sub-agent", "progress": "how far the program itself says it is (OSC 9;4, OSC 7501): percent, −1 where it only says that it works; state error or paused", "continuation": "what the agent said when it was told of the end", "tokens": "of an agent run: latest input, sum of outputs", "tool_calls": "of an agent run",
		"status_source": "who says so", "status_age_ms": "how long ago that was so", "trouble": "one sentence when something of it cannot be read", "warning": "one sentence that a person should know",
	}},
	{"Its output", "", task.WireOutput{}, map[string]string{"path": "as the agent recorded it", "bytes": "size of the file"}},
	{"What can be done", "", task.WireCan{}, map[string]string{"read": "", "stop": "", "answer": "", "why_not": "one sentence, when an open task cannot be stopped from here"}},
	{"Its tests", "`total` leaves out runs that a rerun replaced. `complete` is present, and false, only while not all of the log was counted.", task.WireTests{}, map[string]string{"runs": "", "total": "the sum", "complete": ""}},
	{"A test run", "`offstage tests FILE --json` prints `{\"runs\":[…],\"total\":{…}}`; without a run, `\"runs\":[]` and no `total`.", testparse.Run{}, map[string]string{
		"runner": "`vitest`, `jest`, `pytest`, `go`, `cargo` …", "package": "of turbo and pnpm", "passed": "", "failed": "", "skipped": "", "todo": "", "flaky": "", "suites_failed": "files that did not load",
		"red": "the run is bad", "settled": "the runner's summary was printed", "passed_unknown": "passed tests are not printed before the summary", "first_failure": "`name`, and `line`: 1-based, lines end in LF",
	}},
	{"A session", "`offstage sessions --json` prints an array of these; `offstage session ID --json` one, with `tasks`, `todo` and `workflows` in it.", task.WireSession{}, map[string]string{
		"id": "`agent:native`", "agent": "", "version": "of the agent", "cwd": "", "branch": "git branch", "title": "", "state": "`running_turn`, `waiting`, `background_only`, `idle`, `ended`", "waiting_for": "what it waits for",
		"agent_gone": "its process has died while tasks of it live", "pid": "of the agent", "started_at": "", "updated_at": "", "continues": "id of the session that it took over from", "tasks": "counts of its tasks", "trouble": "one sentence when its record could not be read",
	}},
	{"A workflow", "In `workflows`: the fields of a task, and `tree`, which is absent where nothing of it can be read.", task.WireTree{}, map[string]string{
		"name": "of its script", "settled": "this is the record of its end; before that not every title, and no line of its log, is known", "phases": "titles, in order", "agents": "at most 1,000, in order", "agents_total": "how many there are",
		"log": "the last five lines that its script logged", "tokens": "of all agents", "tool_calls": "of all agents",
	}},
	{"An agent of a workflow", "", task.WireAgent{}, map[string]string{
		"id": "`source:workflow/agent`; give it to `offstage logs`. Absent while it was never started", "label": "", "phase": "title of its phase", "status": "as of a task", "model": "", "tokens": "of its latest call: context and answer", "tool_calls": "", "started_at": "",
		"ran_ms": "once it has ended", "attempt": "2 after one retry", "tool": "its present, or last, tool call", "error": "why it failed",
	}},
	{"Counts of a session", "", task.WireCounts{}, map[string]string{"running": "", "finished": "", "failed": "among the finished"}},
	{"An entry of a task list", "`offstage todo --json` prints an array of these.", task.WireEntry{}, map[string]string{
		"id": "as the agent knows it", "subject": "", "description": "", "status": "`pending`, `inprogress`, `completed`, `deleted`", "active_form": "", "owner": "", "blocks": "ids", "blocked_by": "ids",
	}},
	{"A row of output", "`offstage render FILE --json` and `offstage logs REF --json` print one a line.", lineWire{}, map[string]string{
		"line": "1-based line of the file where the row starts", "offset": "byte offset of the row (logs)", "text": "plain text, masked", "repeat": "how many equal rows it stands for", "cut": "characters hidden beyond 4,000",
		"mark": "set when the row is a word of ours: `screen_cleared`, `full_screen`, `gap`, `restarted`, `hole`, `passed`, `end`, `note`, `trouble`", "spans": "styles over bytes of the text", "at": "when it was written, where known",
	}},
	{"A style", "", spanWire{}, map[string]string{"start": "byte in the text", "end": "byte behind the last", "fg": "`ansi:N` or `#rrggbb`", "bg": "", "attrs": "`bold`, `dim`, `italic`, `underline`, `inverse`, `strike` …"}},
	{"A pill", "`offstage pill --format json` prints one.", pillWire{}, map[string]string{
		"text": "the line as a status bar shows it; empty when there is nothing", "running": "counts by kind", "failed": "failures that nobody has looked at", "waiting": "tasks and sessions that wait for a person", "quiet": "tasks without output for longer than `quiet_after`",
		"disk": "an output fills the disk", "left_behind": "processes left running outside any task", "attention": "id of the task that wants a person most", "part": "not everything could be read in time",
	}},
	{"A report of doctor", "`offstage doctor --json` prints one.", doctorWire{}, map[string]string{
		"version": "", "agents": "one for each source of this build", "troubles": "what could not be read, one sentence each", "terminal": "what this terminal can do", "set_up": "hosts that `offstage setup` has connected", "ledger": "`ok`, or `none`", "findings": "what looks wrong in the ledger", "fixed": "what `--fix` repaired", "undelivered": "ids of tasks of whose end nobody was told",
	}},
	{"An agent, or place", "", agentWire{}, map[string]string{"source": "as in ids", "name": "", "found": "a trace of it is here", "looked": "places that were looked at", "sessions": "", "running": "tasks", "ended": "tasks", "unseen": "what is not seen of it, and why", "sees": "what its source declares: `sessions`, `tasks`, `output`, `exit`, `stop`, `subagents`, `plan`, in words"}},
	{"A terminal", "", terminalWire{}, map[string]string{"term": "", "colours": "", "multiplexer": "`tmux`, `zellij`, `screen`", "clipboard": "who takes a copy", "notices": "program for desktop notices", "plain_because": "why the plain mode is used", "not_a_terminal": ""}},
	{"A finding", "", findingWire{}, map[string]string{"code": "", "severity": "`error` or `warning`", "subject": "a task or a flow", "age_ms": "", "text": "one sentence", "can_fix": "`--fix` knows what to do"}},
	{"A setting", "`offstage config show --json` prints an array of these.", settingWire{}, map[string]string{"name": "", "value": "as it stands in a file", "origin": "a file with its line, a variable, or `default`"}},
	{"A stop", "`offstage stop --json` prints an array of these.", stopWire{}, map[string]string{"id": "", "status": "`cancelled` when all of it is dead, else `running`", "ended": "processes that ended: `pid`, `command`", "left": "processes that live on", "ports_freed": "", "ms": "how long it took"}},
}

// TestDocsJSON: docs/json.md lists every field of every shape, and no field is
// without its meaning.
func TestDocsJSON(t *testing.T) {
	var b strings.Builder
	b.WriteString("# JSON\n\nWritten from the program's own types. Do not edit. Names are snake_case, times RFC 3339 in UTC, durations whole milliseconds (`…_ms`). What is unknown is\n" +
		"absent, never null. Fields may be added; those that are here keep their meaning.\n")
	for _, s := range shapes {
		fmt.Fprintf(&b, "\n## %s\n\n", s.title)
		if s.intro != "" {
			b.WriteString(s.intro + "\n\n")
		}
		b.WriteString("| field | type | |\n|---|---|---|\n")
		typ := reflect.TypeOf(s.value)
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			words, ok := s.fields[name]
			if !ok {
				t.Errorf("%s.%s has no words in the table of shapes", s.title, name)
			}
			if strings.Contains(rest, "omitempty") && words == "" {
				words = "absent where unknown or none"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, jsonType(f.Type), words)
		}
	}
	b.WriteString("\nExit codes: 0 done, 1 failed for a stated reason, 2 wrong usage, 3 no such task, 4 ambiguous reference, 5 refused, 6 stopped incompletely, 124 timed out.\n")
	generated(t, "json.md", b.String())
}

func jsonType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[*time.Time]():
		return "time"
	case t.Kind() == reflect.Pointer:
		return jsonType(t.Elem())
	case t.Kind() == reflect.Slice:
		return "array of " + jsonType(t.Elem())
	case t.Kind() == reflect.Struct:
		return "object"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "text"
	}
	return "number"
}
