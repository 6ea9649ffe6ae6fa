package task

// Tone is the meaning of a colour; faces decide how it looks.
type Tone int

// The tones. Plain is the terminal's own text colour.
const (
	Plain Tone = iota
	Good
	Bad
	Amber
	Quiet
	Link
	Accent
)

// Chip is a short coloured word: test counts, a hint.
type Chip struct {
	Text string
	Tone Tone
	// Title is the whole story for focus or hover.
	Title string
}
