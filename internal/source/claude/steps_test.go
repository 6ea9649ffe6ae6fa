package claude

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"offstage/task"

	"github.com/charmbracelet/x/exp/golden"
)

// agentTranscripts are all transcripts of sub-agents in the recordings.
func agentTranscripts(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*/home/.claude/projects/*/agent-*.jsonl", "*/home/.claude/projects/*/*/subagents/agent-*.jsonl",
		// The other recordings of workflows have many that are alike, cut short.
		"workflow-running/home/.claude/projects/*/*/subagents/workflows/*/agent-*.jsonl"} {
		m, err := filepath.Glob(filepath.Join("testdata/recordings", pattern))
		must(t, err)
		out = append(out, m...)
	}
	if len(out) < 13 {
		t.Fatalf("only %d transcripts of sub-agents", len(out))
	}
	return out
}

// O4: the steps of every sub-agent in the recordings.
func TestStepsOfEveryAgent(t *testing.T) {
	for _, file := range agentTranscripts(t) {
		parts := strings.Split(file, string(filepath.Separator))
		t.Run(parts[2]+"_"+strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			must(t, err)
			golden.RequireEqual(t, []byte(printSteps(b)))
		})
	}
}

// printSteps is a transcript as a person would see it, with tones and folds.
func printSteps(b []byte) string {
	var out strings.Builder
	at := int64(0)
	for _, line := range bytes.SplitAfter(b, []byte("\n")) {
		for _, l := range (Steps{}).Decode(bytes.TrimSuffix(line, []byte("\n")), at) {
			tone := map[task.Tone]string{task.Plain: " ", task.Quiet: ".", task.Bad: "!", task.Accent: "*"}[l.Tone]
			when := ""
			if !l.At.IsZero() {
				when = l.At.UTC().Format(time.TimeOnly)
			}
			fmt.Fprintf(&out, "%8d.%d %s %-8s %7s| %s", l.Offset, l.Part, tone, when, l.Aside, l.Text)
			if l.Fold > 0 {
				fmt.Fprintf(&out, "  +%d lines", l.Fold)
			}
			out.WriteByte('\n')
		}
		at += int64(len(line))
	}
	return out.String()
}

// O4: errors are red and open, results folded, system and thinking left out, a
// record that does not fit is one dim row.
func TestSteps(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{"text", `{"type":"assistant","message":{"content":[{"type":"text","text":"One.\n\nTwo."}]}}`, "  One.|  |  Two."},
		{"thinking", `{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"}]}}`, ""},
		{"call", `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"npm test","description":"Run"}}]}}`, "* ▸ Bash npm test"},
		{"call of an unknown tool", `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Zap","input":{"zz":{"a":1},"level":3}}]}}`, "* ▸ Zap 3"},
		{"call of many lines", `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"a\n\tb\u001b[2J"}}]}}`, "* ▸ Bash a b"},
		{"result", `{"type":"user","message":{"content":[{"type":"tool_result","content":"1\n2\n3\n4\n5\n"}]}}`, ".   1|.   2|.   3 +2"},
		{"result blocks", `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a"},{"type":"image"}]}]}}`, ".   a"},
		{"empty result", `{"type":"user","message":{"content":[{"type":"tool_result","content":""}]}}`, ""},
		{"error", `{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"<tool_use_error>a\nb\nc\nd</tool_use_error>"}]}}`, "!   a|!   b|!   c|!   d"},
		{"reminder cut", `{"type":"user","message":{"content":[{"type":"tool_result","content":"a\n<system-reminder>x</system-reminder>"}]}}`, ".   a"},
		{"escape codes", `{"type":"user","message":{"content":[{"type":"tool_result","content":"\u001b[31mred\u001b[0m \u001b]0;t\u0007x\u009b"}]}}`, ".   red x"},
		{"task", `{"type":"user","message":{"content":"look\nagain"}}`, ". » look|. again"},
		{"notification", `{"type":"user","origin":{"kind":"task-notification"},"message":{"content":"<task-notification><task-id>b1</task-id><status>completed</status><summary>Background command &quot;x&quot; completed</summary></task-notification>"}}`, `. ◇ Background command "x" completed`},
		{"api error", `{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 400"}]}}`, "! API Error: 400"},
		{"system", `{"type":"system","subtype":"turn_duration"}`, ""},
		{"attachment", `{"type":"attachment","attachment":{"type":"x"}}`, ""},
		{"new kind", `{"type":"hologram","message":{}}`, ". A record of a kind that is not known here: hologram"},
		{"half", `{"type":"assistant","message":{"content":[{"type":"te`, ". A record that cannot be read"},
		{"not json", `hello`, ". A record that cannot be read"},
		{"null members", `{"type":"assistant","message":null}`, ""},
		{"wrong types", `{"type":"assistant","message":{"content":7}}`, ""},
		{"empty", ``, ""},
	}
	for _, c := range cases {
		var rows []string
		for i, l := range (Steps{}).Decode([]byte(c.line), 77) {
			if l.Offset != 77 || l.Part != i {
				t.Errorf("%s: row %d is at %d.%d", c.name, i, l.Offset, l.Part)
			}
			row := map[task.Tone]string{task.Plain: " ", task.Quiet: ".", task.Bad: "!", task.Accent: "*"}[l.Tone] + " " + l.Text
			if l.Fold > 0 {
				row += fmt.Sprintf(" +%d", l.Fold)
			}
			rows = append(rows, row)
		}
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// No row of a decoder ever holds a control byte, whatever the record.
func FuzzSteps(f *testing.F) {
	for _, file := range agentTranscripts(f)[:3] {
		b, err := os.ReadFile(file)
		must(f, err)
		for i, line := range bytes.Split(b, []byte("\n")) {
			if len(line) < 4000 && i < 40 {
				f.Add(line)
			}
		}
	}
	f.Add([]byte(`{"type":"user","message":{"content":[{"type":"tool_result","content":"a\u001b]8;;x\u0007b\u0085"}]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, l := range (Steps{}).Decode(line, 5) {
			for _, r := range l.Text {
				if r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0) {
					t.Fatalf("control byte %q in %q", r, l.Text)
				}
			}
		}
	})
}
