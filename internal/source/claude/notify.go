package claude

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"offstage/task"
)

// The three names that notifications have had, with the tag of their id.
var noticeTags = []struct{ name, id string }{
	{"task-notification", "task-id"},
	{"bash-notification", "shell-id"},
	{"agent-notification", "agent-id"},
	{"task_notification", "task_id"},
}

// maxBlocks bounds the notifications that one record may carry.
const maxBlocks = 64

// isNotice says whether a user record is a notification and not a text about
// one: its origin says so, or (older versions) it starts as one.
func isNotice(text string, origin []byte) bool {
	if bytes.Contains(origin, []byte(`"task-notification"`)) {
		return true
	}
	return len(origin) == 0 && startsAsNotice(text)
}

func startsAsNotice(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<system-reminder>") {
		for _, t := range noticeTags {
			if strings.Contains(text, "\n<"+t.name+">") {
				return true
			}
		}
	}
	for _, t := range noticeTags {
		if strings.HasPrefix(text, "<"+t.name+">") {
			return true
		}
	}
	return false
}

// queue: a notification stands in the queue the moment it arises. Removals
// repeat the text and count for nothing.
func (x *extract) queue(r record, off int64) {
	if r.operation != "enqueue" || len(r.content) == 0 || x.foreign(r) {
		return
	}
	if !bytes.Contains(r.content, []byte("notification>")) && !bytes.Contains(r.content, []byte("was stopped by the user")) {
		return
	}
	text := str(r.content)
	if m := stoppedAgent().FindStringSubmatch(text); m != nil {
		x.add(event{off: off, at: r.at, kind: killedNamed, note: &note{summary: m[1]}})
		return
	}
	if startsAsNotice(text) {
		x.notices(r, text, off, false)
	}
}

var stoppedAgent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Background agent "(.*)" was stopped by the user\.?\s*$`)
})

// attach handles what was put beside a message: notifications that were
// delivered in the middle of a turn, and the running tasks after a compaction.
func (x *extract) attach(r record, off int64) {
	command, status := bytes.Contains(r.attachment, []byte(`"queued_command"`)), bytes.Contains(r.attachment, []byte(`"task_status"`))
	if (!command && !status) || len(r.attachment) > 4<<20 || x.foreign(r) {
		return
	}
	var a struct {
		Type        string `json:"type"`
		CommandMode string `json:"commandMode"`
		Prompt      string `json:"prompt"`
		Origin      *struct {
			Kind string `json:"kind"`
		} `json:"origin"`
		TaskID      string `json:"taskId"`
		TaskType    string `json:"taskType"`
		Description string `json:"description"`
		Status      string `json:"status"`
		Output      string `json:"outputFilePath"`
		Shell       struct {
			Command   string `json:"command"`
			ToolUseID string `json:"toolUseId"`
		} `json:"shell"`
	}
	if !lenient(r.attachment, &a) {
		return
	}
	switch {
	case a.Type == "queued_command":
		ours := a.CommandMode == "task-notification" || (a.Origin != nil && a.Origin.Kind == "task-notification")
		bare := a.CommandMode == "" && a.Origin == nil && startsAsNotice(a.Prompt)
		if ours || bare {
			x.notices(r, a.Prompt, off, true)
		}
	case a.Type == "task_status" && a.TaskID != "" && kinds[a.TaskType] != "":
		x.add(event{off: off, at: r.at, ids: []string{a.TaskID}, call: a.Shell.ToolUseID, launch: &launch{
			kind: kinds[a.TaskType], title: a.Description, command: a.Shell.Command, path: a.Output, again: true, version: x.recVersion}})
	}
}

// kinds are the client's own words for what we call a kind. A local_bash may
// be a monitor: the launch record knows better.
var kinds = map[string]task.Kind{
	"local_bash": task.Shell, "local_agent": task.Agent, "local_workflow": task.Workflow, "remote_agent": task.Remote,
	"in_process_teammate": task.Teammate, "monitor_mcp": task.MCP, "mcp_task": task.MCP, "dream": task.Dream,
}

// notices makes an event of each notification in a text.
func (x *extract) notices(r record, text string, off int64, delivered bool) {
	if x.foreign(r) {
		return
	}
	for part := range maxBlocks {
		body, rest, ids := nextNotice(text)
		if body == "" {
			return
		}
		text = rest
		n := &note{status: tag(body, "status"), summary: tag(body, "summary"), event: tag(body, "event"), result: tag(body, "result"),
			usage: tag(body, "usage"), path: tag(body, "output-file"), delivered: delivered}
		n.code = exitCode(n.summary)
		if n.status == "" && strings.Contains(n.summary, "waiting for interactive input") {
			n.question = lastOutput(rest)
		}
		n.orphan = n.status == "stopped" && strings.Contains(n.summary, "before the previous session ended")
		if len(ids) == 0 || (n.status == "" && n.event == "" && n.summary == "") {
			continue
		}
		x.add(event{off: off, part: part, at: r.at, kind: notified, ids: ids, call: tag(body, "tool-use-id"), note: n})
	}
}

// lastOutput is the last line that the client quotes behind its notice of a
// stall: "Last output:" and lines, to the next empty one.
func lastOutput(after string) string {
	_, text, ok := strings.Cut(after, "Last output:")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	return firstLine(lines[len(lines)-1])
}

// nextNotice cuts the first notification out of a text, with the ids it names.
// Marker ids of a collapsed report are no tasks, and one that is said to live
// on is not closed.
func nextNotice(text string) (body, rest string, ids []string) {
	for _, t := range noticeTags {
		_, after, ok := strings.Cut(text, "<"+t.name+">")
		if !ok {
			continue
		}
		body, rest, ok = strings.Cut(after, "</"+t.name+">")
		if !ok {
			continue
		}
		alive := map[string]bool{}
		for _, id := range tagAll(body, t.id) {
			switch {
			case strings.HasPrefix(id, "__orphan_summary_live__:"):
				alive[strings.TrimPrefix(id, "__orphan_summary_live__:")] = true
			case strings.HasPrefix(id, "__"), id == "":
			default:
				ids = append(ids, id)
			}
		}
		kept := ids[:0]
		for _, id := range ids {
			if !alive[id] {
				kept = append(kept, id)
			}
		}
		return body, rest, kept
	}
	return "", "", nil
}

// tag is the text of the first <name>…</name>, unescaped; both spellings of a
// name with hyphens are read.
func tag(s, name string) string {
	all := tagN(s, name, 1)
	if len(all) == 0 && strings.Contains(name, "-") {
		all = tagN(s, strings.ReplaceAll(name, "-", "_"), 1)
	}
	if len(all) == 0 {
		return ""
	}
	return all[0]
}

func tagAll(s, name string) []string { return tagN(s, name, maxBlocks) }

func tagN(s, name string, n int) []string {
	var out []string
	for len(out) < n {
		_, after, ok := strings.Cut(s, "<"+name+">")
		if !ok {
			break
		}
		inner, rest, ok := strings.Cut(after, "</"+name+">")
		if !ok {
			break
		}
		out = append(out, html.UnescapeString(strings.TrimSpace(inner)))
		s = rest
	}
	return out
}

var codeText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\(exit code |\(exit |failed with exit code )(-?\d{1,10})\b`)
})

// exitCode reads the code out of a summary; the last one counts, since a title
// may hold such words too.
func exitCode(summary string) *int {
	all := codeText().FindAllStringSubmatch(summary, -1)
	if all == nil {
		return nil
	}
	n, err := strconv.Atoi(all[len(all)-1][1])
	if err != nil {
		return nil
	}
	return &n
}
