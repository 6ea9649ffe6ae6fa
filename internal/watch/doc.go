// Package watch is the one clock of stats and the one fsnotify watcher of the
// program. It says "look now" and never what changed: stats are the truth,
// events only wake earlier, so whoever is woken looks for itself. NFS, FUSE,
// overlay and foreign systems give no events; there the clock alone serves.
//
// It never reads a file. With no subscriber it holds no goroutine, no timer and
// no inotify instance. tail follows files through it; sources subscribe to
// folders.
package watch
