package hook

import (
	"html"
	"strings"
)

// notice is one end that the client itself tells its agent of, in the prompt of
// the turn that it starts.
type notice struct{ id, summary string }

// what is the task's name: what stands between quotes in the client's words, which
// else say that it failed.
func (n notice) what() string {
	if n.summary == "" {
		return "background work"
	}
	a, b := strings.IndexByte(n.summary, '"'), strings.LastIndexByte(n.summary, '"')
	if b > a+1 {
		return n.summary[a+1 : b]
	}
	return n.summary
}

// maxNotices bounds how many ends one prompt can tell of.
const maxNotices = 64

// notices are the ends in a prompt that is nothing but a notification; what a
// person writes about one is none. Both spellings are read (N2).
func notices(prompt string) []notice {
	rest := strings.ReplaceAll(strings.TrimSpace(prompt), "task_notification>", "task-notification>")
	if !strings.HasPrefix(rest, "<task-notification>") {
		return nil
	}
	var out []notice
	for len(out) < maxNotices {
		_, after, ok := strings.Cut(rest, "<task-notification>")
		if !ok {
			break
		}
		body, more, ok := strings.Cut(after, "</task-notification>")
		if !ok {
			break
		}
		rest = more
		id := first(inside(body, "task-id"), inside(body, "task_id"))
		if plain(id) && inside(body, "status") != "" {
			out = append(out, notice{id, inside(body, "summary")})
		}
	}
	return out
}

// inside is the text of the first element of a name, on one line.
func inside(body, name string) string {
	_, after, ok := strings.Cut(body, "<"+name+">")
	if !ok {
		return ""
	}
	text, _, ok := strings.Cut(after, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
