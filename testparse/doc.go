// Package testparse says what a test run says in a text: lines in, runs out.
//
// It owns the forms in which test runners print (one file each, named after the
// runner) and the rules by which a log's runs are told apart, replaced and added
// up. It reads text only: it opens no file, starts nothing, knows no terminal and
// never guesses a count. What a run prints itself decides; a run is taken for one
// only by a header, several rows that agree, or a whole summary block.
//
// The cheap lane over an output feeds a Scanner with blocks of lines (Lines) and saves
// its state with each checkpoint; the command line reads whole logs (Parse).
//
// How a line goes: Lines takes its colours off; most lines end at the prefilter
// (wants), by their first bytes, their last one and their first two words; the rest go
// to the stream of their prefix, and there to the runner that owns it, or, while
// none does, to those that may begin something with such a row.
package testparse
