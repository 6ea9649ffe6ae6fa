package ui

import (
	"strings"
	"testing"
	"time"

	"offstage/panel"
	"offstage/task"
)

// TestSessionsAreGroups is A7 and G5.
func TestSessionsAreGroups(t *testing.T) {
	d := drive(t, 100, 45, sample())
	d.has("waiting for you: permission prompt · 7 min", "agent gone · 26 min", "background work, details not reported")
	d = drive(t, 100, 45, oneSession())
	if n := strings.Count(d.text(), "running a turn"); n != 1 {
		t.Fatalf("one session has %d headings", n-1)
	}
}

// TestSessionView is A12: agent, title, folder, branch, state, plan, results in
// full on Enter.
func TestSessionView(t *testing.T) {
	d := drive(t, 100, 45, sample())
	d.has("Claude Code · Cart totals keep the cents", "~/shop-api · fix/cents", "1 of 3 sessions", "Plan 3/7",
		"▸ Fixing the rounding", "waits for Fix the rounding", "Explore how prices are rounded", "4 min ago")
	d.press("tab", "down", "enter")
	d.has("Stopped: the search ran out of its budget.")
	d.press("esc", "esc", "s")
	d.has("2 of 3 sessions")
}

// TestHelpHasEveryKey is B16: the overlay is the table.
func TestHelpHasEveryKey(t *testing.T) {
	d := drive(t, 160, 400, sample())
	d.press("?")
	for _, k := range KeyTable() {
		if k.Words == "" || len(k.Keys) == 0 {
			t.Errorf("a key without words: %+v", k)
		}
		d.has(strings.Fields(k.Words)[0])
	}
	if len(KeyTable()) < 40 {
		t.Fatalf("only %d keys", len(KeyTable()))
	}
}

// TestWindowKeysAreUnique: no key of the list is hidden by one of the window.
func TestWindowKeysAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, b := range panel.New(panel.Options{}).Keys() {
		for _, k := range b.Keys {
			seen[k] = b.Words
		}
	}
	for _, k := range windowKeys() {
		for _, name := range k.Keys {
			if w, ok := seen[name]; ok {
				t.Errorf("%q is both %q and %q", name, w, k.Words)
			}
			seen[name] = k.Words
		}
	}
}

// TestEmptyPage is A2.
func TestEmptyPage(t *testing.T) {
	d := drive(t, 80, 24, empty())
	d.has("Nothing is running offstage in ~/shop-api", "~/.claude", "Claude Code · 2 sessions", "nothing there", "Cart totals keep the cents",
		"running a turn", "4 tasks run in other projects", "A shows them", "offstage demo", "offstage --files DIR", "offstage -A")
	d.lacks("background tasks running")
	s := empty()
	s.Troubles = []task.Trouble{{Source: "claude", Text: "A transcript could not be read: permission denied."}}
	d.snap(s)
	d.has("A transcript could not be read: permission denied.")
}

// TestResultsInSight: with the focus on the session view its selected result is
// on the screen in the smallest window (A12, A10).
func TestResultsInSight(t *testing.T) {
	for _, size := range sizes {
		d := drive(t, size[0], size[1], sample())
		d.press("tab", "down")
		d.has("▌✘ Search for other callers")
		d.press("up")
		d.has("▌✓ Explore how prices")
		d.press("tab")
		d.has("▌● npm run dev")
	}
}

// TestTroubleIsNews: what a source could not read is said when it comes and
// stands in the session view, and the tasks stay.
func TestTroubleIsNews(t *testing.T) {
	d := drive(t, 100, 45, oneSession())
	s := oneSession()
	s.Troubles = []task.Trouble{{Source: "claude", Text: "A transcript could not be read: permission denied."}}
	d.snap(s)
	if n := strings.Count(d.text(), "A transcript could not be read"); n != 2 {
		t.Fatalf("said %d times:\n%s", n, d.text())
	}
	d.later(4 * time.Second)
	d.snap(s)
	if n := strings.Count(d.text(), "A transcript could not be read"); n != 1 {
		t.Fatal("an old trouble is said again")
	}
	d.has("npm run dev")
}

// TestScope: the toggle line says whose tasks are listed; A and H turn round what
// the program was started with.
func TestScope(t *testing.T) {
	d := drive(t, 100, 30, oneSession())
	d.has("4 in other projects · A")
	d.press("A")
	d.has("every project")
	d.press("H")
	d.has("every project · all ended")
	d = drive(t, 100, 30, empty(), func(o *Options) { o.Everywhere = true })
	d.has("Nothing is running offstage on this machine")
	d.press("A")
	d.has("Nothing is running offstage in ~/shop-api")
}

// TestSessionDetails is A12: i on a session's title tells all that is known of it.
func TestSessionDetails(t *testing.T) {
	d := drive(t, 100, 40, sample())
	d.press("up", "i")
	d.has("Session", "running a turn", "Cart totals keep the cents", "~/shop-api", "fix/cents", "claude:shop")
	d.press("esc", "left")
	d.has("▸ claude · Cart totals keep the cents", "8 background tasks running")
	d.lacks("npm run dev ")
}
