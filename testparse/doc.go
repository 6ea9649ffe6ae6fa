// Package testparse says what a test run says in a text: lines in, runs out.
//
// It owns the forms in which test runners print (one file each, named after the
// runner) and the rules by which a log's runs are told apart, replaced and added
// up. It reads text only: it opens no file, starts nothing, knows no terminal and
// never guesses a count. What a run prints itself decides; a run is taken for one
// only by a header, several rows that agree, or a whole summary block.
//
// The cheap lane over an output feeds a Scanner with every line (Feed) and saves
// its state with each checkpoint; the command line reads whole logs (Parse).
//
// How a line goes: Feed → Wanted (most lines end here) → Strip → the stream of
// its prefix → the runner that owns the stream, or, while none does, those that
// may begin something with such a row.
package testparse
