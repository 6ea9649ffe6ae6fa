package ui

import (
	"strings"
	"time"

	"offstage/panel"
	"offstage/task"
)

// both puts one text at the left and one at the right end of a row of w cells;
// the left one gives way with "…".
func both(w int, left string, leftPaint panel.Paint, right string, rightPaint panel.Paint) string {
	if right == "" {
		return leftPaint.On(panel.Cut(left, w))
	}
	right = panel.Cut(right, max(w*2/3, 0))
	room := w - panel.Width(right) - 2
	left = panel.Cut(left, max(room, 0))
	gap := w - panel.Width(left) - panel.Width(right)
	return leftPaint.On(left) + strings.Repeat(" ", max(gap, 0)) + rightPaint.On(right)
}

// ago is "4 min ago", "just now", "" for no time.
func ago(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	if now.Sub(at) < 10*time.Second {
		return "just now"
	}
	return task.Rough(now.Sub(at)) + " ago"
}

// home writes a person's home as "~".
func (m *Model) home(path string) string {
	path = panel.Clean(path)
	h := strings.TrimRight(m.o.Home, "/")
	if h == "" || (path != h && !strings.HasPrefix(path, h+"/")) {
		return path
	}
	return "~" + path[len(h):]
}

// agentNames are agents as their makers write them; any other goes by its id.
var agentNames = map[string]string{
	"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI", "qwen": "Qwen Code", "kimi": "Kimi CLI",
	"copilot": "Copilot CLI", "cursor": "Cursor", "opencode": "OpenCode", "crush": "Crush", "own": "offstage", "files": "files",
}

func agentName(id string) string {
	if n, ok := agentNames[id]; ok {
		return n
	}
	return panel.Clean(id)
}
