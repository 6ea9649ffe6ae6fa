// Package setup changes the configuration files of other programs, and takes
// out again exactly what it put in (spec 6 C3). It owns how a file is read,
// edited, shown, written, copied and restored; what goes into the file of which
// host stands in the packages below it, one a host.
//
// It never writes without a copy, never follows a link to replace it (the file
// behind it is written), never leaves half a file, and leaves alone what it
// cannot parse. The command line is its only caller.
package setup
