package redact

// State is what a Redactor knows between two lines. It is comparable, holds no
// secret, and can be stored as JSON; its zero value is a text's start. A page
// that opens in the middle of a file is right when the Redactor gets the state
// of the line before it.
type State struct {
	// Key counts the lines since a private key began, 0 outside one.
	Key int `json:"key,omitempty"`
	// KeyWidth is the width of the key's first body line, KeyColumn where its
	// BEGIN stood, KeyLast that a shorter line has been seen: no short one may follow.
	KeyWidth  int  `json:"key_width,omitempty"`
	KeyColumn int  `json:"key_column,omitempty"`
	KeyLast   bool `json:"key_last,omitempty"`
	// Putty is how many lines of a PuTTY key's private part are still to come.
	Putty int `json:"putty,omitempty"`
	// Pair: the line before named a secret whose value is on this line.
	Pair bool `json:"pair,omitempty"`
	// Element: an XML element or a plist key with a telling name is open.
	Element bool `json:"element,omitempty"`
	// Netrc: the line before was machine or login of a netrc file.
	Netrc bool `json:"netrc,omitempty"`
	// Section: a line [like this] was seen and only name = value lines since.
	Section bool `json:"section,omitempty"`
	// Block is 1 + the indent of the YAML key whose text block is a secret;
	// BlockLines counts its lines.
	Block      int `json:"block,omitempty"`
	BlockLines int `json:"block_lines,omitempty"`
	// Here is the end word of a here-document that holds a secret.
	Here string `json:"here,omitempty"`
	// Header: an Authorization header stood without its value.
	Header bool `json:"header,omitempty"`
	// Wrap: the line before ended inside a token; WrapLeft is how many characters
	// its shape still asks for, 0 where that is not known.
	Wrap     bool `json:"wrap,omitempty"`
	WrapLeft int  `json:"wrap_left,omitempty"`
}

// zero says that s is a text's start. It is asked for every line: one number
// instead of a comparison.
func (s *State) zero() bool {
	return s.Key|s.KeyWidth|s.KeyColumn|s.Putty|s.Block|s.BlockLines|s.WrapLeft|len(s.Here) == 0 &&
		!(s.KeyLast || s.Pair || s.Element || s.Netrc || s.Section || s.Header || s.Wrap)
}

// Save gives the state behind the last line.
func (r *Redactor) Save() State { return r.st }

// Restore puts the Redactor where Save was called. Bytes that Write still holds
// are forgotten.
func (r *Redactor) Restore(s State) {
	r.st, r.busy, r.fresh = s, !s.zero(), false
	r.stream.clear()
}
