package proc

import (
	"bytes"
	"encoding/binary"
)

// Bytes of the macOS kernel, read without the macOS: struct kinfo_proc and the
// answer of kern.procargs2 (xnu bsd/sys/sysctl.h, proc.h; the same on arm64 and
// amd64). A check at compile time holds the offsets against x/sys on a darwin
// build.
const (
	kinfoSize    = 648
	kinfoSec     = 0 // p_starttime, seconds
	kinfoUsec    = 8 // and microseconds
	kinfoStat    = 36
	kinfoPID     = 40
	kinfoComm    = 243 // 17 bytes with its NUL
	kinfoCommLen = 17
	kinfoUID     = 420 // e_ucred.cr_uid, the effective one
	kinfoPPID    = 560
	kinfoPGID    = 564
	kinfoTdev    = 572 // -1: no controlling terminal
)

// parseKinfo reads the answer of kern.proc.all. The session is not in it (a
// kernel address stands there); SID is left 0.
func parseKinfo(b []byte) []Proc {
	rows := make([]Proc, 0, len(b)/kinfoSize)
	for ; len(b) >= kinfoSize; b = b[kinfoSize:] {
		i32 := func(at int) int { return int(int32(binary.LittleEndian.Uint32(b[at:]))) }
		name, _, _ := bytes.Cut(b[kinfoComm:kinfoComm+kinfoCommLen], []byte{0})
		rows = append(rows, Proc{
			ID: ID{PID: i32(kinfoPID),
				Start: binary.LittleEndian.Uint64(b[kinfoSec:])*1e6 + uint64(binary.LittleEndian.Uint32(b[kinfoUsec:]))},
			PPID: i32(kinfoPPID), PGID: i32(kinfoPGID), TTY: i32(kinfoTdev) != -1,
			UID: i32(kinfoUID), State: kinfoState(b[kinfoStat]), Comm: string(name),
		})
	}
	return rows
}

// kinfoState turns p_stat (SIDL, SRUN, SSLEEP, SSTOP, SZOMB) into letters of ps.
func kinfoState(stat byte) byte {
	const letters = "?IRSTZ"
	if int(stat) < len(letters) {
		return letters[stat]
	}
	return '?'
}

// parseProcArgs reads the answer of kern.procargs2: argc (32 bits), the path of
// the program, NULs, argc arguments, then the environment up to an empty entry.
// A hardened program of Apple's hides the latter.
func parseProcArgs(b []byte) (args []string, environ []byte) {
	if len(b) < 4 {
		return nil, nil
	}
	argc := int(int32(binary.LittleEndian.Uint32(b)))
	_, rest, ok := bytes.Cut(b[4:], []byte{0})
	if !ok {
		return nil, nil
	}
	rest = bytes.TrimLeft(rest, "\x00")
	for len(args) < argc {
		arg, tail, ok := bytes.Cut(rest, []byte{0})
		if !ok {
			return args, nil
		}
		args, rest = append(args, string(arg)), tail
	}
	if end := bytes.Index(rest, []byte{0, 0}); end >= 0 {
		rest = rest[:end]
	}
	return args, rest
}
