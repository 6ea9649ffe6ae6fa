package desk

import (
	"context"
	"strings"
)

// opensPanel is how the binding that setup makes in tmux is known.
const opensPanel = "open --toggle"

// PanelKey is the key that opens the panel in the tmux around, as tmux writes it:
// "C-b b"; "" where there is none.
func PanelKey(ctx context.Context, getenv func(string) string) string {
	if getenv("TMUX") == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	keys, err := tmux(ctx, "list-keys", "-T", "prefix")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(keys) {
		words := strings.Fields(line)
		if !strings.Contains(line, opensPanel) || len(words) < 4 {
			continue
		}
		prefix, err := tmux(ctx, "show-options", "-gv", "prefix")
		if err != nil {
			return ""
		}
		// bind-key [-r] [-N note] -T prefix KEY command …
		for i, w := range words[:len(words)-1] {
			if w == "prefix" {
				return strings.TrimSpace(prefix) + " " + strings.TrimPrefix(words[i+1], `\`)
			}
		}
	}
	return ""
}
