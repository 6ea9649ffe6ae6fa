// Package redact says where secrets stand in a text and hides them: passwords,
// tokens, keys and their kin become "[redacted]", and nothing else changes.
//
// It owns the knowledge of what a secret looks like: a table of token shapes
// (shapes_*.go), telling names (names.go) and what may follow them, headers,
// addresses, command lines, key blocks. Every rule is a small scanner written by
// hand; a filter over pairs of bytes (filter.go) decides where one has to look
// at all, so that a clean line costs next to nothing. There is no regexp, and
// randomness of a value is never a reason to hide it: a telling place is.
//
// A Redactor reads one stream in order and keeps a small state between lines
// (inside a key block, after `- name: DB_PASSWORD`). It never reads a file, a
// clock or a setting, never fails, and keeps no value that it hid: what a Memory
// knows of one is a keyed hash. What it keeps of a text beside its state are the
// last few dozen names that it judged (api_key), never longer than 24 bytes.
//
// The cost is bounded for any text: each scanner remembers how far it has read and
// what it found there (the fields of scan), so that no stretch of a line is read
// again for every name, quote or bracket in it. A new rule has to keep to that;
// TestGrowth looks.
//
// Its callers are output (rows of the console), the registry (what is said of a
// task) and the command line's filter.
package redact

// Mark stands where a secret stood.
const Mark = "[redacted]"

// Range is a piece of a line, Start and End in bytes, that Mark replaces.
type Range struct{ Start, End int }

// Pattern is a rule of the user's own: every run of bytes that starts with
// Prefix and goes on with at least Min characters out of letters, digits, dash
// and underscore is hidden. An empty Prefix hides nothing.
type Pattern struct {
	Prefix string
	Min    int
}

// Options are what a user may add to the built-in rules.
type Options struct {
	Patterns []Pattern
	// Memory is shared by the Redactors of one task: what one of them hid behind a
	// name, all of them hide where it stands alone. Nil: nothing is remembered.
	Memory *Memory
}
