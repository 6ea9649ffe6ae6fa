package ledger

import (
	"encoding/xml"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"offstage/task"
)

// Notice is what an agent is told of a task (N2). Without a status it is no end:
// that is the form of a stall notice (S1).
type Notice struct {
	Task, ToolUse, OutputFile string
	// Status is in the agent's words: completed, failed, killed, stopped.
	Status, Summary string
	// Result, Usage and Worktree are those of a sub-agent.
	Result, Worktree string
	Tokens           int64
	ToolUses         int
	Duration         time.Duration
}

// UnknownEnd is the summary of a lost task.
const UnknownEnd = "ended, result unknown"

// StatusWord is an end in the agent's words, "" for no end.
func StatusWord(s task.Status) string {
	switch s {
	case task.Succeeded:
		return "completed"
	case task.Failed, task.TimedOut:
		return "failed"
	case task.Cancelled:
		return "killed"
	case task.Lost:
		return "stopped"
	}
	return ""
}

// EndNotice is the notice of a record's end.
func EndNotice(r task.Record) Notice {
	n := Notice{Task: r.ID[strings.LastIndexByte(r.ID, ':')+1:], ToolUse: r.ToolCall, OutputFile: r.Output.Path,
		Status: StatusWord(r.Status), Summary: EndSummary(r)}
	if r.Kind == task.Agent || r.Kind == task.Workflow {
		n.Result = r.Result
		if !r.RunStarted.IsZero() && r.Ended.After(r.RunStarted) {
			n.Duration = r.Ended.Sub(r.RunStarted)
		}
	}
	return n
}

// EndSummary is one line about an end: the task's own, else what is known.
func EndSummary(r task.Record) string {
	title := first(r.Title, fit(oneLine(r.Command), 80), "Background task")
	switch {
	case !r.Status.Ended():
		return ""
	case r.Status == task.Lost:
		return fmt.Sprintf("%q %s", title, UnknownEnd)
	case r.Summary != "":
		return r.Summary
	case r.Status == task.Cancelled:
		return fmt.Sprintf("%q was stopped", title)
	case r.Status == task.TimedOut:
		return fmt.Sprintf("%q was ended: it ran longer than it may", title)
	case r.Signal != "":
		return fmt.Sprintf("%q failed: ended by signal %s", title, r.Signal)
	case r.Status == task.Failed && r.ExitCode != nil:
		return fmt.Sprintf("%q failed with exit code %d", title, *r.ExitCode)
	case r.Status == task.Failed:
		return fmt.Sprintf("%q failed", title)
	case r.ExitCode != nil:
		return fmt.Sprintf("%q completed (exit code %d)", title, *r.ExitCode)
	}
	return fmt.Sprintf("%q completed", title)
}

// XML is the notice as the agent reads it, its words escaped: no text of a task
// can close the block or open another.
func (n Notice) XML() string {
	var b strings.Builder
	b.WriteString("<task-notification>\n")
	for _, f := range []struct{ tag, text string }{
		{"task-id", n.Task}, {"tool-use-id", n.ToolUse}, {"output-file", n.OutputFile}, {"status", n.Status}, {"summary", n.Summary}, {"result", n.Result},
	} {
		if f.text != "" {
			fmt.Fprintf(&b, "<%s>%s</%s>\n", f.tag, escape(f.text), f.tag)
		}
	}
	if n.Tokens > 0 || n.ToolUses > 0 || n.Duration > 0 {
		fmt.Fprintf(&b, "<usage><total_tokens>%d</total_tokens><tool_uses>%d</tool_uses><duration_ms>%d</duration_ms></usage>\n",
			n.Tokens, n.ToolUses, n.Duration.Milliseconds())
	}
	if n.Worktree != "" {
		fmt.Fprintf(&b, "<worktree>%s</worktree>\n", escape(n.Worktree))
	}
	b.WriteString("</task-notification>")
	return b.String()
}

// escape is text inside an element; line ends stay as they are.
func escape(text string) string {
	var b strings.Builder
	if xml.EscapeText(&b, []byte(text)) != nil {
		return ""
	}
	return strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t", "&#34;", "&quot;", "&#39;", "'").Replace(b.String())
}

// maxNotice bounds the block that ReadNotice looks into.
const maxNotice = 1 << 20

var noticeTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<(task[-_]id|tool[-_]use[-_]id|output[-_]file|status|summary|result|worktree|total_tokens|subagent_tokens|tool_uses|duration_ms)>(.*?)</(?:task[-_]id|tool[-_]use[-_]id|output[-_]file|status|summary|result|worktree|total_tokens|subagent_tokens|tool_uses|duration_ms)>`)
})

// ReadNotice reads a block in either spelling, hyphens or underlines; ok is
// false for what is none. The first of a repeated element counts.
func ReadNotice(text string) (n Notice, ok bool) {
	text = text[:min(len(text), maxNotice)]
	at := strings.Index(text, "<task-notification>")
	if at < 0 {
		at = strings.Index(text, "<task_notification>")
	}
	if at < 0 {
		return Notice{}, false
	}
	for _, m := range noticeTag().FindAllStringSubmatch(text[at:], 64) {
		n.set(strings.ReplaceAll(m[1], "_", "-"), html.UnescapeString(m[2]))
	}
	return n, n.Task != ""
}

func (n *Notice) set(tag, text string) {
	number, _ := strconv.ParseInt(text, 10, 64)
	switch tag {
	case "task-id":
		n.Task = first(n.Task, text)
	case "tool-use-id":
		n.ToolUse = first(n.ToolUse, text)
	case "output-file":
		n.OutputFile = first(n.OutputFile, text)
	case "status":
		n.Status = first(n.Status, text)
	case "summary":
		n.Summary = first(n.Summary, text)
	case "result":
		n.Result = first(n.Result, text)
	case "worktree":
		n.Worktree = first(n.Worktree, text)
	case "total-tokens", "subagent-tokens":
		n.Tokens = number
	case "tool-uses":
		n.ToolUses = int(number)
	case "duration-ms":
		n.Duration = time.Duration(number) * time.Millisecond
	}
}

// Priority is where a notice stands among what waits for the agent (N3).
func Priority(k task.Kind) string {
	if k == task.Monitor {
		return "next"
	}
	return "later"
}
