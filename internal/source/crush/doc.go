// Package crush finds the sessions and background commands of Crush in the database
// that it keeps in each project, which it only reads. It never writes and never
// signals.
//
// Crush writes down that a command went to the background, and nothing of its end
// unless its model asks; what it prints stays in Crush's memory. So a command is
// known to run by its processes: children of Crush with its marks, found by their
// words and their start (K3). Built-in commands and loops run inside Crush itself,
// without a process: of those the end cannot be seen.
//
// Formats: Crush ≈0.90 as recorded in testdata. The registry calls Scan.
package crush
