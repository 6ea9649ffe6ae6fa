package task

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Pill is what there is to say of all tasks in one short line of a status bar
// (spec 2 W1, W2).
type Pill struct {
	// Running counts the tasks that run by kind, in the words of PillCount; Failed are
	// failures that nobody has looked at, Waiting tasks and sessions that want a
	// person, Quiet those silent for longer than the setting.
	Running                map[Kind]int
	LeftBehind             int
	Failed, Waiting, Quiet int
	// Disk: an output fills the disk, was frozen, or is very large and grows.
	Disk bool
	// Attention is the id of the task that wants a person most, "" for none.
	Attention string
	// Part: not everything could be read in time.
	Part bool
}

// PillScope says for whom a pill is.
type PillScope struct {
	// Own: it stands in the agent's own window, which shows its teammates and its
	// questions itself (W5).
	Own bool
	// QuietAfter is the setting of D2.
	QuietAfter time.Duration
}

// PillOf counts what s holds at now.
func PillOf(s Snapshot, now time.Time, o PillScope) Pill {
	p := Pill{Running: map[Kind]int{}}
	rank := 0
	want := func(n int, id string) {
		if n > rank {
			rank, p.Attention = n, id
		}
	}
	for _, t := range s.Tasks {
		if t.Foreground || t.Hidden || o.Own && t.Kind == Teammate {
			continue
		}
		if d := DiskOf(t, now); d != nil && (d.Low || d.Frozen || !t.Status.Ended()) {
			p.Disk = true
			want(4, t.ID)
		}
		switch {
		case t.Status.Ended():
			if (t.Status == Failed || t.Status == TimedOut) && !t.Seen {
				p.Failed++
				want(2, t.ID)
			}
			continue
		case t.LeftBehind:
			p.LeftBehind++
		default:
			p.Running[t.Kind]++
		}
		switch quiet := QuietFor(t, now); {
		case t.Waiting != "":
			p.Waiting++
			want(3, t.ID)
		case o.QuietAfter > 0 && quiet >= o.QuietAfter && !t.LeftBehind:
			p.Quiet++
			want(1, t.ID)
		}
	}
	if o.Own {
		return p
	}
	for _, x := range s.Sessions {
		if x.State == WaitingPerson && !x.AgentGone {
			p.Waiting++
		}
	}
	return p
}

// Nothing says that there is nothing to show.
func (p Pill) Nothing() bool {
	return !p.Disk && !p.Part && p.Failed+p.Waiting+p.LeftBehind == 0 && len(p.Running) == 0
}

// WantsPerson says that somebody should come (W2).
func (p Pill) WantsPerson() bool { return p.Disk || p.Waiting > 0 || p.Failed > 0 }

// Chips are the parts of the line in their order: what wants a person first, then
// what runs. ASCII replaces the marks.
func (p Pill) Chips(ascii bool) []Chip {
	var out []Chip
	mark := func(unicode, plain string) string {
		if ascii {
			return plain
		}
		return unicode
	}
	add := func(tone Tone, text string) { out = append(out, Chip{Text: text, Tone: tone}) }
	if p.Disk {
		add(Bad, mark("▲ ", "! ")+"disk")
	}
	if p.Waiting > 0 {
		add(Amber, strconv.Itoa(p.Waiting)+" waiting for you")
	}
	if p.Failed > 0 {
		add(Bad, mark("✘ ", "x ")+strconv.Itoa(p.Failed)+" failed")
	}
	if p.Quiet > 0 {
		add(Amber, strconv.Itoa(p.Quiet)+" quiet")
	}
	tone := Plain
	for _, c := range p.counts() {
		add(tone, c)
	}
	if n := len(out) - len(p.counts()); n < len(out) {
		out[n].Text = mark("◇ ", "<> ") + out[n].Text
	}
	if p.Part {
		add(Quiet, "…")
	}
	return out
}

// counts are "3 shells", "1 monitor", the greatest number first.
func (p Pill) counts() []string {
	type count struct {
		kind Kind
		n    int
	}
	var all []count
	for k, n := range p.Running {
		all = append(all, count{k, n})
	}
	slices.SortFunc(all, func(a, b count) int {
		return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(string(a.kind), string(b.kind)))
	})
	var out []string
	for _, c := range all {
		out = append(out, pillCount(c.kind, c.n))
	}
	if p.LeftBehind > 0 {
		out = append(out, strconv.Itoa(p.LeftBehind)+" left behind")
	}
	return out
}

// kindWords are one and several of a kind, as a status bar says them.
var kindWords = map[Kind][2]string{
	Shell: {"shell", "shells"}, Monitor: {"monitor", "monitors"}, Agent: {"agent", "agents"}, Remote: {"cloud session", "cloud sessions"},
	Workflow: {"workflow", "workflows"}, Teammate: {"teammate", "teammates"}, MCP: {"MCP task", "MCP tasks"}, Dream: {"dream", "dreams"},
}

func pillCount(k Kind, n int) string {
	words, ok := kindWords[k]
	if !ok {
		words = [2]string{"task", "tasks"}
	}
	if n == 1 {
		return "1 " + words[0]
	}
	return strconv.Itoa(n) + " " + words[1]
}

// Text is the whole line without colours; "" for nothing. Do is the key that works
// there ("C-b b", "click"), "" where none does: it stands only where a person is
// wanted.
func (p Pill) Text(ascii bool, do string) string {
	if p.Nothing() {
		return ""
	}
	var parts []string
	for _, c := range p.Chips(ascii) {
		parts = append(parts, c.Text)
	}
	if do != "" && p.WantsPerson() {
		parts = append(parts, do)
	}
	return strings.Join(parts, " · ")
}
