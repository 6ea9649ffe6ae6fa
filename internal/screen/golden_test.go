package screen

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var markerRow = regexp.MustCompile(`^⟦.*⟧$`)

// unseenText matches what the recordings leave free to show: invisible
// characters, and our marks for them.
var unseenText = regexp.MustCompile(`[\x{200b}-\x{200f}\x{202a}-\x{202e}\x{2060}-\x{2069}\x{feff}]|⟦[A-Z]+⟧`)

// tidy makes rows comparable: no blanks at the end, no blank rows at the ends or
// beside a mark.
func tidy(c *capture, rows []string) []string {
	var out []string
	for _, row := range rows {
		if c.Tolerance.Unseen {
			row = unseenText.ReplaceAllString(row, "")
		}
		row = strings.TrimRight(row, " \u3000")
		if markerRow.MatchString(row) {
			row = "⟦⟧"
			for len(out) > 0 && out[len(out)-1] == "" {
				out = out[:len(out)-1]
			}
		}
		marked := len(out) > 0 && out[len(out)-1] == "⟦⟧"
		if row == "" && (c.Tolerance.Blank || marked) || row == "⟦⟧" && (marked || len(out) == 0) {
			continue
		}
		out = append(out, row)
	}
	for len(out) > 0 && (out[len(out)-1] == "" || out[len(out)-1] == "⟦⟧") {
		out = out[:len(out)-1]
	}
	for len(out) > 0 && out[0] == "" {
		out = out[1:]
	}
	return out
}

// TestRecordings: output that redraws shows its last state only, as a terminal
// holds it (B5), for every recorded program, however the bytes are cut.
func TestRecordings(t *testing.T) {
	for _, c := range captures(t) {
		t.Run(c.name, func(t *testing.T) {
			if !c.hasExpectFile {
				t.Fatal("no expect.txt")
			}
			o := Options{Width: c.Columns}
			whole := play(o, c.log)
			sound(t, o, whole)
			got := tidy(c, texts(whole))
			want := tidy(c, strings.Split(c.expect, "\n"))
			alt := want
			if c.hasAlt {
				alt = tidy(c, strings.Split(c.alt, "\n"))
			}
			if !slices.Equal(got, want) && !slices.Equal(got, alt) {
				t.Errorf("want %q\ngot  %q", want, got)
			}
			if len(c.log) < 16<<10 {
				same(t, "byte by byte", whole, playCut(o, c.log, 1))
			}
			same(t, "cut", whole, playCut(o, c.log, 7+len(c.log)/4000))
		})
	}
}

// TestRecordingsEndless: the same logs without a known width, as a file is read:
// nothing may be unsound there either, and a log that never redraws is itself.
func TestRecordingsEndless(t *testing.T) {
	for _, c := range captures(t) {
		whole := play(Options{}, c.log)
		sound(t, Options{}, whole)
		same(t, c.name+" cut", whole, playCut(Options{}, c.log, 11+len(c.log)/4000))
		if c.Redraws || c.Columns > 0 {
			continue
		}
		if got, want := tidy(c, texts(whole)), tidy(c, strings.Split(c.expect, "\n")); !slices.Equal(got, want) {
			t.Errorf("%s: want %q\ngot  %q", c.name, want, got)
		}
	}
}
