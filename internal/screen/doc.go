// Package screen turns terminal bytes into rows: it plays a log as a terminal
// would, keeps a small window of live rows that redraws may still change, and
// hands out everything above it as settled rows of plain text with style runs.
//
// Nothing but text and our own styles comes out: every control sequence is read
// here and ends here (spec 1 B5, B7). Clearing the screen and full-screen
// programs leave a mark instead of taking history away. Before a cell is dropped
// or overwritten the row is shown to Options.Mask as it stands, so that what is
// left of an overwritten secret stays hidden (C8).
//
// It never reads a file, never decides what a secret is, never answers a query
// and never measures time. Package output calls it, for pages and for the live
// end of a log.
//
// Memory is bounded whatever the input is: a row keeps Options.MaxText characters
// and a look-ahead, the window keeps cellBudget cells, a control string keeps
// nothing, a cell keeps maxMarks zero-width characters.
package screen
