package task

import "time"

// Line is one row of output as a face shows it: plain text without any control
// byte, with style runs over it.
type Line struct {
	// Offset is the byte offset in the file where the row starts. Several rows of
	// one record (a decoded transcript) share it and differ in Part.
	Offset int64
	Part   int
	// End is the byte offset just behind the row's last byte (its newline).
	End int64
	// Number is the 1-based number of the file line where the row starts; 0 while
	// it is not known.
	Number int64
	Text   string
	// Spans are in order, do not overlap, and cover only styled text.
	Spans []Span
	// Repeat is how many equal rows this one stands for; 0 and 1 mean one.
	Repeat int
	// Cut is how many characters were cut at the display limit of 4,000.
	Cut int
	// Mark says that the row is a word of ours about the output, not output.
	Mark Mark
	// Live: the row may still change (an unfinished line, a redrawn block).
	Live bool
	// Redrawn: earlier states of the row were overwritten.
	Redrawn bool
	// Redacted is how many values were hidden in the row.
	Redacted int
	// Fold is how many further rows are folded under this one ("+N lines").
	Fold int
	// Tone colours the row as a whole where the writer gave no colour.
	Tone Tone
	// At is when the row was written, where that is known; Aside is what a
	// decoder puts in the time column instead (tokens).
	At    time.Time
	Aside string
}

// Mark is a kind of row that is ours.
type Mark int

// The marks that output may put between rows.
const (
	NoMark Mark = iota
	MarkCleared
	MarkFullScreen
	MarkGap
	MarkRestarted
	MarkHole
	MarkPassed
	MarkEnd
	MarkNote
	MarkTrouble
)

// Span is a style over Text[Start:End] (byte offsets on rune borders).
type Span struct {
	Start, End int
	Style      Style
}

// Style is what is left of SGR (spec 1 B7): colours and attributes. The zero
// value is plain text.
type Style struct {
	FG, BG, UL Color
	Attr       Attr
}

// Color is 0 for the terminal's own, else a kind in the top byte: see the
// constructors.
type Color uint32

const (
	colorIndexed Color = 1 << 24
	colorRGB     Color = 2 << 24
)

// Indexed is entry n of the 256-colour palette; 0–15 are the user's own 16.
func Indexed(n uint8) Color { return colorIndexed | Color(n) }

// RGB is a true colour.
func RGB(r, g, b uint8) Color {
	return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Index gives n and true for a palette colour.
func (c Color) Index() (uint8, bool) { return uint8(c), c&0xff000000 == colorIndexed }

// RGB gives the parts and true for a true colour.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&0xff000000 == colorRGB
}

// Attr is a set of text attributes.
type Attr uint16

// Attributes that survive; blink and conceal do not (they hide or distract).
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Underline
	DoubleUnderline
	CurlyUnderline
	DottedUnderline
	DashedUnderline
	Inverse
	Strike
)

// Decoder turns one record of an output file (a line of a transcript) into
// rows. It is stateless and safe for concurrent use; a record that does not fit
// is one dim row, never an error.
type Decoder interface {
	// Decode gets a record without its newline and the offset where it starts;
	// every row's Offset is at, its Part counts from 0.
	Decode(record []byte, at int64) []Line
}
