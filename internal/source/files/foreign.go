package files

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// A name that says "log" is believed, whatever bytes stand in the file: a broken
// program writes zeros, halves of characters and whole pictures into its log, and
// that is what its reader wants to see. Only what is surely another kind of file is
// left out: programs (a.out), profiles and traces (cpu.out, trace.out), archives,
// and the journals of LevelDB, which are called 000003.log.

// magics begin files of a known kind: ELF, PE, Mach-O, archives and packers, pictures,
// PDF, SQLite, profiles of perf.
var magics = []string{
	"\x7fELF", "MZ\x90\x00", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe", "!<arch>\n", "PK\x03\x04",
	"\x1f\x8b", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "BZh9", "\x89PNG\r\n", "GIF8", "\xff\xd8\xff", "%PDF-", "SQLite format 3\x00", "PERFILE2",
}

var journal = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{6}\.log$`) })

// foreign says that a file with the name of a log is of another kind, by its first
// bytes.
func foreign(name string, head []byte) bool {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m)) {
			return true
		}
	}
	zeros := bytes.IndexByte(head, 0) >= 0
	switch {
	case zeros && bytes.HasPrefix(head, []byte("go 1.")) && bytes.Contains(head[:min(len(head), 16)], []byte(" trace")):
		return true
	case zeros && journal().MatchString(strings.ToLower(name)):
		return !isText(bytes.ReplaceAll(head, []byte{0}, nil))
	}
	return false
}
