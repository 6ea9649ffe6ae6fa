package redact

// Classes of what may start at a place of a text: which scanner has to look.
const (
	atShape uint8 = 1 << iota
	atName
	atURL
	atScheme
	atBlock
	atTool
	atMarker
	atControl
)

// trigger is three bytes that occur in everything of a class. The rarest three
// of a word are taken, not its first: "ysq" of mysql, "oki" of cookie.
type trigger struct {
	three string
	class uint8
	fold  bool
}

var triggers = []trigger{
	// Telling names; names.go has the words.
	{"pas", atName, true}, {"pwd", atName, true}, {"cre", atName, true}, {"ecr", atName, true}, {"oke", atName, true},
	{"key", atName, true}, {"aut", atName, true}, {"oki", atName, true}, {"sig", atName, true},
	{"jwt", atName, true}, {"hma", atName, true}, {"emo", atName, true}, {"fie", atName, true},
	{"e\xc3\xb1", atName, false}, {"\xe3\x83\x91", atName, false}, {"\xe5\xaf\x86", atName, false},
	{"\xeb\xb9\x84", atName, false}, {"\xd0\xbf\xd0", atName, false}, {"\xd0\x9f\xd0", atName, false},
	{"mac", atName, true}, {"_pw", atName, true},

	{"://", atURL, false}, {"A%2", atURL, true},
	{"bea", atScheme, true}, {"sic", atScheme, true},
	{"-BE", atBlock, false}, {"- B", atBlock, false}, {"e-L", atBlock, false}, {"e-M", atBlock, false},

	// Tools whose short flags carry a password; tools.go has them.
	{"rl ", atTool, false}, {"wge", atTool, false}, {"tp ", atTool, false}, {"tps", atTool, false},
	{"ysq", atTool, false}, {"iad", atTool, false}, {"ogi", atTool, false}, {"s-c", atTool, false},
	{"ngo", atTool, false}, {"lda", atTool, false}, {"lcm", atTool, false}, {"zip", atTool, false},
	{"7z ", atTool, false}, {"smb", atTool, false}, {"mqc", atTool, false}, {"nug", atTool, false},
	{"lft", atTool, false}, {"rdp", atTool, false}, {"mc ", atTool, false}, {"tpa", atTool, false},
	{"shp", atTool, false}, {"h-k", atTool, false}, {"ssl", atTool, false}, {"twi", atTool, false},

	// Tokens that are known by something inside them; markers.go.
	{"eyJ", atMarker, false}, {"LS0", atMarker, false}, {":AA", atMarker, false}, {"sv1", atMarker, false},
	{"AZD", atMarker, false}, {"-us", atMarker, false}, {"_mm", atMarker, false}, {"JQQ", atMarker, false},
	{"AzF", atMarker, false}, {"AzS", atMarker, false}, {"AZE", atMarker, false}, {"AzC", atMarker, false},
	{"+AS", atMarker, false}, {"+AC", atMarker, false}, {"+AB", atMarker, false}, {"+AM", atMarker, false},
	{"ks.", atMarker, false}, {"ks/", atMarker, false}, {"kb2", atMarker, false}, {"h/k", atMarker, false}, {"2/h", atMarker, false},
}

// allTriggers adds those that are made from rules: the starts of the shapes, the
// digit before an Azure client secret's Q~, and the first three letters that
// Base64 gives to three digits, with which a Discord bot token starts.
func allTriggers() []trigger {
	all := append([]trigger(nil), triggers...)
	for i := range shapes {
		p := shapes[i].prefix
		if off := shapes[i].off; len(p) > 2 {
			all = append(all, trigger{p[off : off+3], atShape, false})
			continue
		}
		for c := 0; c < 256; c++ {
			if shapes[i].segs[0].alphabet.has(byte(c)) {
				all = append(all, trigger{p + string(rune(c)), atShape, false})
			}
		}
	}
	for c := byte('0'); c <= '9'; c++ {
		all = append(all, trigger{string([]byte{c, 'Q', '~'}), atMarker, false})
	}
	for _, a := range []byte("MNO") {
		for _, b := range []byte("DTjz") {
			for _, c := range []byte("AEIMQUYcgk") {
				all = append(all, trigger{string([]byte{a, b, c}), atMarker, false})
			}
		}
	}
	return all
}
