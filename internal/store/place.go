package store

import (
	"os"
	"path/filepath"
	"strings"

	"offstage/internal/fsys"
)

// place is where the ledger of this host stands.
type place struct {
	path string
	// network is the file system's name where it may be shared with other hosts.
	network, note string
}

// networks are file systems that several machines, or a machine and its guest,
// may write at once: shared memory and locks of one kernel say nothing there.
var networks = map[string]bool{
	"nfs": true, "fuse": true, "smb": true, "cifs": true, "smb2": true, "9p": true, "ceph": true, "afs": true,
	"lustre": true, "coda": true, "vboxsf": true, "vmhgfs": true, "wsl": true, "virtiofs": true,
}

// settle finds the place of the ledger in the state folder: in it, or on a
// network file system in a sub-folder of this host, for one database must never
// be written by two hosts.
func settle(dir string, h how) (place, error) {
	name, _, err := h.fileSystem(dir)
	if err != nil || !networks[name] {
		return place{path: filepath.Join(dir, fileName)}, nil
	}
	host, err := h.hostname()
	if err != nil || host == "" {
		host = "unnamed"
	}
	own := filepath.Join(dir, "hosts", plainName(host))
	if err := fsys.MkdirPrivate(own); err != nil {
		return place{}, wrap("make the state folder of this host", err)
	}
	return place{path: filepath.Join(own, fileName), network: name,
		note: "The state folder is on a network file system (" + name + "): this host keeps a ledger of its own in " +
			filepath.Join("hosts", plainName(host)) + " and writes it more slowly; --state with a local folder is faster."}, nil
}

// plainName is a host's name as the name of a folder.
func plainName(host string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, host)
}

// Exists says whether there is a ledger of this host in dir already, without
// making one.
func Exists(dir string) bool {
	_, err := os.Lstat(readerPath(dir, usual()))
	return err == nil
}

// Files are the ledger's own files in dir, of which each write changes one.
func Files(dir string) []string {
	path := readerPath(dir, usual())
	return []string{path, path + "-wal", path + "-journal"}
}

// readerPath is settle without making anything.
func readerPath(dir string, h how) string {
	if name, _, err := h.fileSystem(dir); err == nil && networks[name] {
		if host, err := h.hostname(); err == nil && host != "" {
			return filepath.Join(dir, "hosts", plainName(host), fileName)
		}
		return filepath.Join(dir, "hosts", "unnamed", fileName)
	}
	return filepath.Join(dir, fileName)
}
