// Package cursor finds the background commands of Cursor, of its window and of its
// command line, by the files in which it keeps their terminals. It never writes and
// never signals.
//
// EXPERIMENTAL: Cursor's maker documents nothing of this, and there was no recording
// of the real program to build from; the form is the one that others read and write.
// It is parsed leniently, and what does not fit is no task. A terminal names no chat,
// so a project stands for the sessions in it. The file's time is Cursor's heartbeat
// and no sign of output.
//
// The registry calls Scan.
package cursor
