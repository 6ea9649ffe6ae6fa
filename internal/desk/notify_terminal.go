package desk

import (
	"strings"
	"unicode"
)

// Bell is what rings the terminal's bell.
const Bell = "\a"

// TerminalNotice is what makes the terminal show a notice, in the form that it
// knows: OSC 99 (kitty), OSC 777 (urxvt, foot and what is built on VTE), else OSC 9
// (iTerm2, WezTerm, Ghostty, Windows Terminal …). Inside tmux it is handed through,
// and the bell rings too: tmux passes on only what allow-passthrough lets it, and
// marks the window by the bell.
func TerminalNotice(title, text string, getenv func(string) string) string {
	title, text = NoticeText(title), NoticeText(text)
	seq := osc9(title, text)
	switch term := getenv("TERM"); {
	case getenv("KITTY_WINDOW_ID") != "" || strings.Contains(term, "kitty"):
		seq = "\x1b]99;i=offstage:d=0:p=title;" + title + "\x1b\\\x1b]99;i=offstage:d=1:p=body;" + text + "\x1b\\"
	case strings.HasPrefix(term, "rxvt"), strings.HasPrefix(term, "foot"), getenv("VTE_VERSION") != "":
		seq = "\x1b]777;notify;" + field(title) + ";" + field(text) + "\a"
	}
	if getenv("TMUX") != "" {
		return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\" + Bell
	}
	if getenv("STY") != "" || strings.HasPrefix(getenv("TERM"), "screen") {
		return Bell // GNU screen cuts long strings and shows what it cuts
	}
	return seq
}

// osc9 begins with the title: a text that begins with digits and a semicolon is
// another command of the same number ("4;" is progress).
func osc9(title, text string) string { return "\x1b]9;" + title + ": " + text + "\a" }

// field is a text between semicolons.
func field(s string) string { return strings.ReplaceAll(s, ";", ",") }

// printable leaves out what is no character of a text: controls, marks of
// direction and other formatting (Cf), private use and halves of pairs.
func printable(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r == unicode.ReplacementChar, !unicode.IsPrint(r):
		return -1
	}
	return r
}
