// Package console is one task's output as a component: a header, the rows of
// the output, and a footer, in exactly the cells it was given.
//
// It owns the window of rows that is loaded, the place of the reader in it, the
// selection, the keys and the mouse inside its rectangle. It takes data by
// setter, says by Want which page of rows it needs next, and gives back typed
// Actions; the root model carries both out. It never reads a file, a clock or a
// setting, returns no Bubble Tea command, starts no goroutine and writes no
// escape sequence but SGR. Rows come to it masked; it shows and copies what it
// got and nothing else.
//
// Position is a byte offset: the anchor of the view is a place in the text, so
// growth, a resize or a toggle leaves the reader where the reader was. It is
// called by ui alone, from one goroutine.
package console
