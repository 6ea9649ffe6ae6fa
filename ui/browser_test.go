package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"offstage/task"
	"offstage/ui/uitest"
)

// knowing is an engine that knows the whole of one address.
type knowing struct {
	*uitest.Engine
	full string
}

func (k knowing) FullURL(_ context.Context, id, shown string) (string, error) {
	if id != "claude:vite" || k.full == "" {
		return "", errors.New("not known")
	}
	return k.full, nil
}

// TestAddressOpensInFull is A8: shown redacted, opened in full; where the whole is not
// known, without what is hidden; an error does not say it.
func TestAddressOpensInFull(t *testing.T) {
	const shown = "http://localhost:8888/lab?token=[redacted]"
	for _, c := range []struct{ name, shown, full, want, words string }{
		{"in full", shown, "http://localhost:8888/lab?token=abc", "http://localhost:8888/lab?token=abc", "Opened in the browser"},
		{"not known", shown, "", "http://localhost:8888/lab", "hidden"},
		{"hidden in the path", "http://localhost:1/[redacted]", "", "", "not known"},
		{"all interfaces", "http://0.0.0.0:8000/", "", "http://localhost:8000/", "Opened in the browser"},
		{"no browser takes it", shown, "http://fails/?token=abc", "http://fails/?token=abc", "the address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened := ""
			d := drive(t, 80, 24, oneSession(), func(o *Options) {
				o.Engine = knowing{o.Engine.(*uitest.Engine), c.full}
				o.OpenURL = func(u string) error {
					opened = u
					if strings.Contains(u, "fails") {
						return errors.New("cannot open " + u)
					}
					return nil
				}
			})
			msg, _ := d.m.openURL("claude:vite", c.shown)().(doneMsg)
			if opened != c.want || !strings.Contains(msg.words, c.words) || strings.Contains(msg.words, "abc") {
				t.Errorf("opened %q, said %q", opened, msg.words)
			}
		})
	}
}

// TestCardKeepsThePanel is A8: with nothing else to list, a card keeps the panel open.
func TestCardKeepsThePanel(t *testing.T) {
	s := uitest.Empty(uitest.Start)
	s.Previews = []task.Preview{{Task: "claude:vite", Owner: "npm run dev", URL: "http://localhost:5173/", Port: 5173, State: task.PreviewDown}}
	d := drive(t, 80, 24, s)
	d.has("http://localhost:5173/", "down", "No background tasks running")
	d.lacks("Nothing is running offstage")
}
