package cli

import (
	"fmt"
	"strings"

	"offstage/internal/desk"
)

// terminalWire is what this terminal can do, as far as its variables tell.
type terminalWire struct {
	Term        string   `json:"term"`
	Colours     string   `json:"colours"`
	Multiplexer string   `json:"multiplexer,omitempty"`
	Clipboard   []string `json:"clipboard"`
	Notices     string   `json:"notices,omitempty"`
	Plain       string   `json:"plain_because,omitempty"`
	NotTerminal bool     `json:"not_a_terminal,omitempty"`
}

func (a *app) terminal() terminalWire {
	t := terminalWire{Term: maskText(a.getenv("TERM")), Colours: a.colours(), Clipboard: append(desk.Clipboards(a.getenv), "OSC 52"), Notices: desk.Notifier(a.getenv), NotTerminal: !isTerminal(a.out)}
	_, t.Plain = a.plain(false)
	for _, m := range [][2]string{{"TMUX", "tmux"}, {"ZELLIJ", "zellij"}, {"STY", "screen"}} {
		if a.getenv(m[0]) != "" {
			t.Multiplexer = m[1]
		}
	}
	return t
}

// colours is what the variables promise; the window asks the terminal itself.
func (a *app) colours() string {
	switch term, more := a.getenv("TERM"), a.getenv("COLORTERM"); {
	case a.getenv("NO_COLOR") != "":
		return "none (NO_COLOR)"
	case term == "" || term == "dumb":
		return "none"
	case more == "truecolor" || more == "24bit":
		return "24 bit"
	case strings.Contains(term, "256"):
		return "256"
	}
	return "16"
}

// sayDoctor is the report for people. A mark stands before each line: "✓" for what
// is well, "?" for what is not there, "✘" for what is wrong.
func (a *app) sayDoctor(d doctorWire) error {
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(a.out, format+"\n", args...) }
	p("Offstage %s", d.Version)
	p("\nAgents")
	for _, x := range d.Agents {
		a.sayAgent(p, x)
	}
	for _, t := range d.Trouble {
		p("✘ %s", t)
	}
	p("\nTerminal")
	a.sayTerminal(p, d)
	p("\nLedger")
	switch {
	case d.Ledger == "none":
		p("? There is no ledger yet: it comes with the first panel or task.")
	case len(d.Found) == 0:
		p("✓ The ledger is in order.")
	}
	fixable := 0
	for _, f := range d.Found {
		mark := map[string]string{"error": "✘"}[f.Severity]
		if mark == "" {
			mark = "?"
		}
		if f.CanFix {
			fixable++
		}
		p("%s %s (%s): %s", mark, f.Subject, f.Code, f.Text)
	}
	for _, f := range d.Fixed {
		p("✓ Repaired: %s (%s)", f.Subject, f.Code)
	}
	if fixable > 0 && len(d.Fixed) == 0 {
		p("  offstage doctor --fix repairs %d of them.", fixable)
	}
	for _, id := range d.Untold {
		p("? Of the end of %s nobody was told.", id)
	}
	return nil
}

func (a *app) sayAgent(p func(string, ...any), x agentWire) {
	name := x.Name
	if x.Sees.Experimental {
		name += " (experimental)"
	}
	if !x.Found {
		p("? %s: nothing of it in %s", name, orNowhere(x.Looked))
		return
	}
	p("✓ %s: %s, %d running, %d ended", name, plural(x.Sessions, "session", "sessions"), x.Running, x.Ended)
	p("  list: %s · output: %s · exit: %s · stop: %s", orNo(x.Sees.Tasks), orNo(x.Sees.Output), orNo(x.Sees.Exit), orNo(x.Sees.Stop))
	for _, u := range x.Unseen {
		p("  ? %s", u)
	}
}

func orNo(s string) string {
	if s == "" || s == "–" {
		return "no"
	}
	return s
}

func orNowhere(places []string) string {
	if len(places) == 0 {
		return "the process table"
	}
	return strings.Join(places, ", ")
}

func (a *app) sayTerminal(p func(string, ...any), d doctorWire) {
	t := d.Terminal
	switch {
	case t.NotTerminal:
		p("? Standard output is no terminal: the panel needs one, or --plain.")
	case t.Plain != "":
		p("? The plain mode is used, because of %s.", t.Plain)
	default:
		p("✓ %s, colours: %s", orNo(t.Term), t.Colours)
	}
	if t.Multiplexer != "" {
		p("✓ Inside %s: a panel can be opened beside a pane (offstage open)", t.Multiplexer)
	}
	p("✓ Copies go to: %s", strings.Join(t.Clipboard, ", "))
	if t.Notices == "" {
		p("? No program shows desktop notices here; the bell and OSC 9 need none.")
	} else {
		p("✓ Desktop notices: %s", t.Notices)
	}
	if len(d.SetUp) == 0 {
		p("? Nothing is set up: offstage setup WHAT puts a key, a pill or hooks into %s.", hostNames())
	} else {
		p("✓ Set up: %s", strings.Join(d.SetUp, ", "))
	}
}
