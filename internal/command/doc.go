// Package command says what a command line does with its output: which
// program at the end of its pipes holds it back, and what a short name for it
// is. It reads the line as a shell would (mvdan.cc/sh), never by matching text.
//
// It runs nothing, reads no file and knows no other room. The registry asks it
// once per command line.
package command
