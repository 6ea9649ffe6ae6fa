package trace

import (
	"slices"

	"offstage/task"
)

// maxCards bounds the session view (A12).
const maxCards = 50

// Cards are the finished sub-agents of a session, newest first (A12).
func Cards(session string, tasks []task.Task) []task.Card {
	var out []task.Card
	for _, t := range tasks {
		if t.Session != session || !t.Status.Ended() || t.Kind != task.Agent {
			continue
		}
		text := t.Result
		if text == "" {
			text = t.Summary
		}
		out = append(out, task.Card{Task: t.ID, Title: t.Title, Text: text, At: t.Ended, Kind: string(t.Kind),
			Failed: t.Status == task.Failed || t.Status == task.TimedOut})
	}
	slices.SortStableFunc(out, func(a, b task.Card) int { return b.At.Compare(a.At) })
	return out[:min(len(out), maxCards)]
}
