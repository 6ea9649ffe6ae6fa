package screen

import (
	"regexp"
	"strings"
	"testing"

	"offstage/task"
)

// fakeToken is a token of a known form, with a mark that keeps scanners calm.
var fakeToken = strings.ReplaceAll("ghp_⟂q8Zt3LmW5vXy7RbN2cKd9FgH4jPs6TuA1eB0", "⟂", "")

var (
	tokenForm = regexp.MustCompile(`ghp_[A-Za-z0-9]{20,}`)
	openToken = regexp.MustCompile(`ghp_[A-Za-z0-9]*$`)
)

// hideTokens stands in for package redact: whole tokens, and one that is still
// open at the end of the row.
func hideTokens(row string) [][2]int {
	var out [][2]int
	for _, m := range tokenForm.FindAllStringIndex(row, -1) {
		out = append(out, [2]int{m[0], m[1]})
	}
	if m := openToken.FindStringIndex(row); m != nil && (len(out) == 0 || out[len(out)-1][1] <= m[0]) {
		out = append(out, [2]int{m[0], m[1]})
	}
	return out
}

// leaks says that some 6 characters of the token stand in the text.
func leaks(text string) bool {
	for i := 4; i+6 <= len(fakeToken); i++ {
		if strings.Contains(text, fakeToken[i:i+6]) {
			return true
		}
	}
	return false
}

// TestMaskedBeforeLost: C8, a row that is redrawn, erased or moved half-way lets
// no part of a secret through. TOK stands for the token.
func TestMaskedBeforeLost(t *testing.T) {
	long := strings.Repeat("x", 70)
	cases := []struct {
		name, in, want string
		width          int
	}{
		{"carriage return", "Using TOK\rUsing ok\n", "Using ok[redacted]", 0},
		{"backspaces", "Using TOK" + strings.Repeat("\b", 30) + "!\n", "Using [redacted]![redacted]", 0},
		{"erase to the right", "a TOK\x1b[20D\x1b[K b\n", "a [redacted] b", 0},
		{"erase to the left", "a TOK b\x1b[20D\x1b[1Kb\n", "                        b[redacted] b", 0},
		{"delete cells", "a TOK\r\x1b[12P\n", "[redacted]", 0},
		{"insert cells", "a TOK\r\x1b[10C\x1b[3@xyz\n", "a [redacted]xyz[redacted]", 0},
		{"erase cells", "a TOK z\r\x1b[10X\n", "          [redacted] z", 0},
		{"cursor up", "a TOK\nnext\x1b[Ahey\n", "a [hey]", 0},
		{"column", "a TOK\x1b[3Gb\n", "a b[redacted]", 0},
		{"goes on behind", "a TOK\rb\x1b[43GmoreOfIt\n", "b [redacted]", 0},
		{"a wide character wraps after a move", "TOK\x1b[;15f漢\n", "[redacted]漢[redacted]", 10},
		{"wrapped, head overwritten", long + "TOK\x1b[A\r\x1b[74Gok\n", "", 80},
		{"wrapped, tail erased", long + "TOK\r\x1b[K\n", "", 80},
		{"wrapped, rows below erased", long + "TOK\x1b[A\x1b[75G\x1b[Jend\n", "", 80},
		{"wrapped, row between", long + "TOK\r\x1b[Lmid\n", "", 80},
		{"wrapped, row deleted", long + "TOK\x1b[A\x1b[Mmid\n", "", 80},
		{"line feed on a wrapped row", long + "TOK\x1b[A\r\nmid\n", "", 80},
		{"colour in the middle", "a gh\x1b[31mp_TAIL\rUsing\n", "Using[redacted]", 0},
		{"two redraws", "a TOK\rb TOK\rccc\n", "ccc[redacted]", 0},
		{"clear in the middle", "a TOK\x1b[2Jb\n", "", 0},
		{"spinner, then text", "- TOK\r/\r|\rabcdefgh\n", "abcdefgh[redacted]", 0},
		{"spinner goes on as text", "- TOK\r\\\r|/bcdefgh\n", "|/bcdefgh[redacted]", 0},
		{"soft hyphen inside", "a ghp_\u00adTAIL b\n", "a [redacted] b", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := strings.NewReplacer("TOK", fakeToken, "TAIL", fakeToken[4:]).Replace(c.in)
			o := Options{Width: c.width, Mask: hideTokens}
			lines := play(o, []byte(in))
			sound(t, o, lines)
			same(t, "byte by byte", lines, playCut(o, []byte(in), 1))
			for _, l := range lines {
				// whole tokens on the row are for the reader of the row to hide
				if left := tokenForm.ReplaceAllString(l.Text, ""); leaks(left) {
					t.Errorf("leaks: %q", l.Text)
				}
			}
			if c.want == "" || c.name == "cursor up" {
				return
			}
			if got := lines[0].Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if want := strings.Count(c.want, "[redacted]"); lines[0].Redacted != want {
				t.Errorf("counts %d, want %d", lines[0].Redacted, want)
			}
		})
	}
}

// TestMaskedAtTheCut: C8, the cut at the display limit lets no part through,
// wherever the token lies across it.
func TestMaskedAtTheCut(t *testing.T) {
	for shift := range 44 {
		in := strings.Repeat("y", 100-shift) + fakeToken + strings.Repeat("z ", 400) + "\n"
		for _, width := range []int{0, 80} {
			lines := play(Options{Width: width, MaxText: 100, Mask: hideTokens}, []byte(in))
			l := lines[0]
			if leaks(l.Text) || l.Cut == 0 {
				t.Fatalf("shift %d, width %d: %q, cut %d", shift, width, l.Text, l.Cut)
			}
		}
	}
}

// TestMaskAsked: a log without redraws never asks, for each row is masked by its
// reader; a row redrawn n times asks at most once for each redraw.
func TestMaskAsked(t *testing.T) {
	asked := 0
	count := func(string) [][2]int { asked++; return nil }
	play(Options{Mask: count}, []byte(strings.Repeat("plain \x1b[32mtext\x1b[m\r\n", 500)))
	if asked != 0 {
		t.Errorf("asked %d times without a redraw", asked)
	}
	play(Options{Mask: count}, []byte(strings.Repeat("\rstep and some", 500)))
	if asked == 0 || asked > 500 {
		t.Errorf("asked %d times for 500 redraws", asked)
	}
	asked = 0
	play(Options{Mask: count}, []byte("working "+strings.Repeat("|\b/\b-\b\\\b", 500)))
	if asked > 10 {
		t.Errorf("asked %d times for a spinner", asked)
	}
}

// TestLiveKeepsNoMask: looking at the live window leaves no trace in it.
func TestLiveKeepsNoMask(t *testing.T) {
	o := Options{Mask: hideTokens}
	s := New(o)
	s.Write([]byte("a\u00ad gh"), 0)
	s.Write([]byte("p_abc"), 8)
	live := s.Live()
	if len(live) != 1 || !live[0].Live || !strings.Contains(live[0].Text, "[redacted]") {
		t.Fatalf("live %+v", live)
	}
	s.Write([]byte(" is a prefix\n"), 13)
	got := s.Flush()
	if want := "a⟦SHY⟧ ghp_abc is a prefix"; got[0].Text != want || got[0].Mark != task.NoMark {
		t.Errorf("got %q, want %q", got[0].Text, want)
	}
}
