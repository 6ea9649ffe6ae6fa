package proc

import (
	"bytes"
	"encoding/binary"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// kinfoBytes lays out one struct kinfo_proc as xnu documents it.
func kinfoBytes(pid, ppid, pgid, uid int32, tdev int32, sec int64, usec int32, stat byte, comm string) []byte {
	b := make([]byte, 648)
	le := binary.LittleEndian
	le.PutUint64(b[0:], uint64(sec))
	le.PutUint32(b[8:], uint32(usec))
	b[36] = stat
	le.PutUint32(b[40:], uint32(pid))
	copy(b[243:259], comm)
	le.PutUint32(b[392:], 77) // pcred's real uid: not the one that counts
	le.PutUint32(b[420:], uint32(uid))
	le.PutUint32(b[560:], uint32(ppid))
	le.PutUint32(b[564:], uint32(pgid))
	le.PutUint32(b[572:], uint32(tdev))
	return b
}

func TestParseKinfo(t *testing.T) {
	raw := slices.Concat(
		kinfoBytes(4711, 1, 4711, 501, -1, 1796069014, 772001, 2, "node"),
		kinfoBytes(4712, 4711, 4711, 501, 0x10000003, 1796069015, 0, 5, "a-name-of-sixteen-and-more"),
		make([]byte, 100), // cut: the table shrank
	)
	want := []Proc{
		{ID: ID{4711, 1796069014772001}, PPID: 1, PGID: 4711, UID: 501, State: 'R', Comm: "node"},
		{ID: ID{4712, 1796069015000000}, PPID: 4711, PGID: 4711, UID: 501, TTY: true, State: 'Z', Comm: "a-name-of-sixtee"},
	}
	if got := parseKinfo(raw); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestParseProcArgs(t *testing.T) {
	argc := func(n uint32, rest string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, n), rest...)
	}
	for _, c := range []struct {
		name string
		raw  []byte
		args []string
		env  map[string]string
	}{
		{"usual", argc(2, "/usr/bin/node\x00\x00\x00\x00node\x00server.js\x00A=1\x00MARK=x=y\x00\x00stack junk"),
			[]string{"node", "server.js"}, map[string]string{"MARK": "x=y"}},
		{"empty argument", argc(3, "/bin/sh\x00sh\x00\x00-c\x00MARK=1\x00\x00"), []string{"sh", "", "-c"}, map[string]string{"MARK": "1"}},
		{"hardened", argc(1, "/usr/libexec/x\x00\x00x\x00\x00\x00"), []string{"x"}, map[string]string{}},
		{"cut", argc(3, "/bin/sh\x00\x00sh\x00-"), []string{"sh"}, map[string]string{}},
		{"no program", argc(3, "abc"), nil, map[string]string{}},
		{"short", []byte{1}, nil, map[string]string{}},
	} {
		args, environ := parseProcArgs(c.raw)
		env := pickEnv(environ, []string{"MARK"})
		if !slices.Equal(args, c.args) || !maps.Equal(env, c.env) {
			t.Errorf("%s: %q %v", c.name, args, env)
		}
		if len(bytes.Trim(environ, "\x00")) > 0 {
			t.Errorf("%s: the environment was not wiped", c.name)
		}
	}
}

// Recorded from lsof 4.95 -F pRgfauDin; the other lines as its manual has them.
const lsofOut = `p24021
g23810
R23810
u501
f5
au
D0xfe00
i9977975
n/private/tmp/t/b1.output
p24022
g24022
R24021
u501
fcwd
a 
D0xfe00
i2
n/srv/app
f1
aw
D0xfe00
i9977975
n/private/tmp/t/b1.output
p24023
g23810
R24021
u501
f3
ar
D0xfe00
i9977975
n/private/tmp/t/b1.output
`

func TestParseLsof(t *testing.T) {
	f := func(pid, ppid, pgid, fd int, access byte, inode, name string) lsofFile {
		return lsofFile{PID: pid, PPID: ppid, PGID: pgid, UID: 501, FD: fd, Access: access, Device: "0xfe00", Inode: inode, Name: name}
	}
	want := []lsofFile{
		f(24021, 23810, 23810, 5, 'u', "9977975", "/private/tmp/t/b1.output"),
		f(24022, 24021, 24022, -1, 0, "2", "/srv/app"),
		f(24022, 24021, 24022, 1, 'w', "9977975", "/private/tmp/t/b1.output"),
		f(24023, 24021, 23810, 3, 'r', "9977975", "/private/tmp/t/b1.output"),
	}
	got := parseLsof(lsofOut)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
	for i, write := range []bool{true, false, true, false} {
		if got[i].write() != write {
			t.Errorf("write bit of %+v", got[i])
		}
	}
	if parseLsof("n/x\na\n\n") != nil {
		t.Error("fields before a file are nothing")
	}
}

// "cmd 2>&1 | tail": as lsof of macOS shows the two ends of a pipe.
func TestLsofPipes(t *testing.T) {
	files := parseLsof("p10\nf0\nd0x3\nn/dev/null\nf1\nd0x6a\nn->0x6b\nf2\nd0x6c\nn->0x6b\np11\nf0\nd0x6b\nn->0x6a\nf1\nn/tmp/out\n" +
		"p12\nf0\nd0x7a\nn->0x7b\nf1\nd0x7b\nn->0x7a\n")
	if got := pipedTo(files); !maps.Equal(got, map[int]bool{11: true}) {
		t.Errorf("fed %v", got)
	}
}

func TestLsofPorts(t *testing.T) {
	for name, port := range map[string]int{"127.0.0.1:8765": 8765, "*:3000": 3000, "[::1]:5173": 5173,
		"*:*": 0, "localhost:99999": 0, "": 0, "*:80 (LISTEN)": 80} {
		if got := (lsofFile{Name: name}).port(); got != port {
			t.Errorf("%q: %d, want %d", name, got, port)
		}
	}
}

// /tmp and /private/tmp are one folder on macOS.
func TestSameNameOnMac(t *testing.T) {
	for in, want := range map[string]string{"/tmp/a": "/private/tmp/a", "/private/tmp/a": "/private/tmp/a", "/tmpfile": "/tmpfile",
		"/var/folders/x": "/private/var/folders/x", "/Users/a/tmp": "/Users/a/tmp", "/tmp/../tmp/b": "/private/tmp/b"} {
		if got := sameName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if got := lsofPaths([]string{"/tmp/a", "/private/tmp/a", "/b"}); !slices.Equal(got, []string{"/private/tmp/a", "/b"}) {
		t.Errorf("asked for %q", got)
	}
}

func TestParseTCPTable(t *testing.T) {
	le := binary.LittleEndian
	v4 := le.AppendUint32(nil, 2)
	for _, port := range []byte{0x15, 0x0b} {
		row := make([]byte, 24)
		row[8], row[9] = 0x14+port-0x15, 0x35
		le.PutUint32(row[20:], 4242)
		v4 = append(v4, row...)
	}
	got := tcpRow4.parse(v4[:len(v4)-1]) // the second row is cut
	if want := []Listener{{PID: 4242, Port: 5173}}; !slices.Equal(got, want) {
		t.Errorf("v4 %v", got)
	}
	row := make([]byte, 56)
	row[20], row[21] = 0x0b, 0xb8
	le.PutUint32(row[52:], 7)
	if got := tcpRow6.parse(append(le.AppendUint32(nil, 1), row...)); !slices.Equal(got, []Listener{{PID: 7, Port: 3000}}) {
		t.Errorf("v6 %v", got)
	}
}

func TestPickEnvOfWindows(t *testing.T) {
	block := utf16.Encode([]rune("=C:=C:\\\x00Mark=one\x00OTHER=two\x00\x00MARK=behind the end"))
	decode := func(u []uint16) string { return string(utf16.Decode(u)) }
	got := pickEnv16(block, []string{"MARK", "NONE"}, strings.EqualFold, decode)
	if !maps.Equal(got, map[string]string{"MARK": "one"}) {
		t.Errorf("got %v", got)
	}
	if slices.ContainsFunc(block, func(u uint16) bool { return u != 0 }) {
		t.Error("the environment was not wiped")
	}
}
