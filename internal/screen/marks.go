package screen

import "fmt"

// unseenNames are the marks of invisible characters, by their Unicode
// abbreviations.
var unseenNames = map[rune]string{
	0x00ad: "SHY", 0x034f: "CGJ", 0x061c: "ALM", 0x180e: "MVS",
	0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM",
	0x2028: "LSEP", 0x2029: "PSEP",
	0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO",
	0x2060: "WJ", 0x2061: "FA", 0x2062: "IT", 0x2063: "IS", 0x2064: "IP",
	0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
	0xfeff: "BOM", 0xe0001: "TAG", 0xe007f: "TAG END",
	0x115f: "FILLER", 0x1160: "FILLER", 0x3164: "FILLER", 0xffa0: "FILLER",
}

// unseenMark is what is shown in the place of an invisible character: ⟦RLO⟧, a
// tag with the letter that it smuggles, else its number.
func unseenMark(r rune) string {
	if n := unseenNames[r]; n != "" {
		return "⟦" + n + "⟧"
	}
	if r > 0xe0020 && r < 0xe007f {
		return "⟦TAG " + string(r-0xe0000) + "⟧"
	}
	return fmt.Sprintf("⟦U+%04X⟧", r)
}

// lineDrawing is the DEC special graphics set, for the letters from '`' on.
var lineDrawing = [...]rune{
	'◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
	'⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

// drawn is the character that c stands for while line drawing is switched on.
func drawn(c byte) rune {
	if c >= '`' && int(c-'`') < len(lineDrawing) {
		return lineDrawing[c-'`']
	}
	return rune(c)
}
