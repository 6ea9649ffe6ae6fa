// Package files shows any folder of logs as tasks: every file that looks like
// a log is a shell task of one session (spec 5, --files DIR). It runs while a
// process writes it or it grew in the last seconds; else it has ended, with the
// result that its end mark tells or none.
//
// It reads names, times and the last bytes; it never follows a link, opens what
// is no regular file, writes or signals. The registry calls Scan.
package files
