package claude

import (
	"fmt"
	"testing"

	"offstage/task"
)

// says is a message of the agent with these blocks.
func says(sec int, blocks string) string {
	return rec(sec, "assistant", `"message":{"content":[`+blocks+`],"stop_reason":"end_turn"}`)
}

// I4: what the agent says first after it was told of an end belongs to the task:
// on its row, and as a card of its session.
func TestContinuation(t *testing.T) {
	told := rec(6, "user", fmt.Sprintf(`"origin":{"kind":"task-notification"},"message":{"content":%q}`, notice("b1", "failed", "x failed with exit code 1")))
	thinks := says(7, `{"type":"thinking","thinking":"hm"}`)
	words := says(8, `{"type":"text","text":"The server died.\nI start it again."}`)
	later := says(9, `{"type":"text","text":"Something else."}`)
	asked := rec(7, "user", `"message":{"content":"what is up?"}`)
	cases := []struct {
		name string
		more []string
		want string
	}{
		{"its first words", []string{told, words, later}, "The server died.\nI start it again."},
		{"thoughts are passed over", []string{told, thinks, words}, "The server died.\nI start it again."},
		{"a person spoke between", []string{told, asked, words}, ""},
		{"no words yet", []string{told, thinks}, ""},
		{"words before", []string{says(5, `{"type":"text","text":"Started."}`), told}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			s.client(40, "s", "idle", "")
			s.process(40, 1, "claude", []string{"claude"}, "")
			s.output(devOut, "x\n")
			s.transcript("s", append(devLines(), c.more...)...)
			snap := s.scan()
			if len(snap.Tasks) != 1 || snap.Tasks[0].Continuation != c.want {
				t.Fatalf("got %+v, want %q", snap.Tasks, c.want)
			}
			var cards []task.Card
			for _, x := range snap.Sessions[0].Cards {
				if x.Kind == "continuation" {
					cards = append(cards, x)
				}
			}
			if (c.want != "") != (len(cards) == 1) || len(cards) == 1 && (cards[0].Text != c.want || cards[0].Task != "claude:b1" || !cards[0].Failed) {
				t.Errorf("cards %+v", cards)
			}
		})
	}
}
