package panel

import (
	"strconv"
	"strings"
	"time"

	"offstage/task"
)

// Stop is how the stop of one task stands (A6). It holds the plan that the
// person was asked with, so that what is shown is what is done.
type Stop struct {
	Phase StopPhase
	// All: the plan is that of several tasks.
	All     bool
	Title   string
	Plan    task.StopPlan
	Elapsed time.Duration
	Left    []task.Process
	Report  task.StopReport
	// Err is one sentence when the stop could not be planned or carried out.
	Err string
}

// StopPhase is a step of a stop.
type StopPhase int

// The phases, in order.
const (
	NoStop StopPhase = iota
	Planning
	Asking
	Stopping
	Stopped
	StopFailed
)

// SayAfter and GiveBackAfter are the times of A6: from when on a running stop
// says how long and what is left, and when its button comes back.
const (
	SayAfter      = 5 * time.Second
	GiveBackAfter = 15 * time.Second
)

// Overdue says that the stop was not confirmed in time: the button is back.
func (s Stop) Overdue() bool { return s.Phase == Stopping && s.Elapsed >= GiveBackAfter }

// Busy says that the row shows "Stopping…" in the place of its button.
func (s Stop) Busy() bool { return s.Phase == Stopping && !s.Overdue() }

// Button is what the button reads while the stop runs: "Stopping…", after 5 s
// "Stopping… 6 s · node 48217".
func (s Stop) Button() string {
	if s.Elapsed < SayAfter {
		return "Stopping…"
	}
	b := "Stopping… " + task.Rough(s.Elapsed)
	if len(s.Left) > 0 {
		b += " · " + names(s.Left, 2, ", ")
	}
	return b
}

// Question is what the strip asks: "Stop npm run dev and 2 children (npm 48210 ─
// node 48217 ─ esbuild 48220), port 5173?". All of it is the plan's.
func (s Stop) Question() string {
	q := "Stop " + s.Title
	switch n := len(s.Plan.Processes); {
	case n == 0:
	case s.All:
		q += " (" + names(s.Plan.Processes, 6, ", ") + ")"
	case n == 1:
		q += " (" + s.Plan.Processes[0].Name() + ")"
	default:
		q += " and " + children(n-1) + " (" + names(s.Plan.Processes, 4, " ─ ") + ")"
	}
	if p := ports(s.Plan.Ports); p != "" {
		q += ", " + p
	}
	return Clean(q) + "?"
}

func children(n int) string {
	if n == 1 {
		return "1 child"
	}
	return strconv.Itoa(n) + " children"
}

// Proof is what a finished stop says: "■ stopped · 3 processes ended · port
// 5173 free", or what lives on.
func (s Stop) Proof() string {
	r := s.Report
	var parts []string
	switch {
	case len(r.Left) > 0:
		parts = append(parts, "still alive: "+names(r.Left, 4, ", "))
	case len(r.Ended) == 1:
		parts = append(parts, "■ stopped", "1 process ended")
	default:
		parts = append(parts, "■ stopped", strconv.Itoa(len(r.Ended))+" processes ended")
	}
	if p := ports(r.PortsFreed); p != "" {
		parts = append(parts, p+" free")
	}
	if p := ports(r.PortsHeld); p != "" {
		parts = append(parts, p+" still taken")
	}
	if r.Note != "" {
		parts = append(parts, r.Note)
	}
	return Clean(strings.Join(parts, " · "))
}

func names(ps []task.Process, most int, sep string) string {
	var out []string
	for i, p := range ps {
		if i == most && len(ps) > most+1 {
			return Clean(strings.Join(out, sep)) + " +" + strconv.Itoa(len(ps)-most) + " more"
		}
		out = append(out, p.Name())
	}
	return Clean(strings.Join(out, sep))
}

func ports(ns []int) string {
	var out []string
	for _, n := range ns {
		out = append(out, strconv.Itoa(n))
	}
	switch len(out) {
	case 0:
		return ""
	case 1:
		return "port " + out[0]
	}
	return "ports " + strings.Join(out, ", ")
}
