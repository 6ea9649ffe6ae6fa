package task

import "strconv"

// Progress is how far a program says it is: by OSC 9;4, as terminals draw it in
// their title, or by a report of the Program Status Protocol (OSC 7501).
type Progress struct {
	// Percent is 0–100, -1 where the program only says that it works.
	Percent int `json:"percent"`
	// State is "" while all is well, "error", or "paused".
	State string `json:"state,omitempty"`
}

// ProgressChip is what a row says of it: "42 %", empty for none.
func ProgressChip(p *Progress) Chip {
	if p == nil || p.Percent < 0 && p.State == "" {
		return Chip{}
	}
	c := Chip{Text: strconv.Itoa(p.Percent) + " %", Tone: Quiet, Title: "Progress, as the program reports it"}
	if p.Percent < 0 {
		c.Text = p.State
	}
	switch p.State {
	case "error":
		c.Tone, c.Title = Bad, "The program reports an error"
	case "paused":
		c.Tone, c.Title = Amber, "The program reports that it is paused"
	}
	return c
}
