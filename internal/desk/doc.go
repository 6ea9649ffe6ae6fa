// Package desk is the person's desk: the clipboard, the browser, the editor and
// the pager of the machine that the program runs on.
//
// It starts programs with argument lists only, never through a shell, bounds
// each by a time limit, and knows no other room. The window calls it from its
// commands.
package desk
