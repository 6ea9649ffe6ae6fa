package runner

import (
	"bufio"
	"context"
	"strings"
	"testing"

	"offstage/internal/taskdir"
)

// Only code and constants as they stand in the file are let go: not what can be
// written to, not what the loader changed, not another file.
func TestCodeMappings(t *testing.T) {
	const smaps = `00400000-00e0b000 r-xp 00000000 fe:00 11403 /usr/bin/offstage
Size:              10284 kB
Rss:                2100 kB
Anonymous:             0 kB
AnonHugePages:         0 kB
VmFlags: rd ex mr mw me
00e0b000-017b3000 r--p 00a0b000 fe:00 11403 /usr/bin/offstage
Rss:                 900 kB
Anonymous:             4 kB
017b3000-018bb000 rw-p 013b3000 fe:00 11403 /usr/bin/offstage
Anonymous:             0 kB
3267c0000000-3267c4000000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7f0000000000-7f0000001000 r-xp 00000000 fe:00 11404 /usr/lib/offstage
Anonymous:             0 kB
`
	got := codeMappings(bufio.NewScanner(strings.NewReader(smaps)), "/usr/bin/offstage")
	if len(got) != 1 || got[0] != (mapping{0x400000, 0xe0b000}) {
		t.Errorf("%x", got)
	}
}

// A supervisor that has let its code go answers, stops and tells the end.
func TestSmallSupervisorStillWorks(t *testing.T) {
	w, state := stage(t)
	st := start(t, w, Spec{State: state, Shell: "exec sleep 300"})
	for range 20 {
		dropCode(w) // of this test's own process, which goes on with all that follows
		if s, err := Status(context.Background(), w, st.Dir); err != nil || s.PID != st.PID {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if got, err := Stop(context.Background(), w, st.Dir, StopOptions{}); err != nil || len(got.Ended) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if e, err := taskdir.ReadExit(st.Dir); err != nil || e == nil || e.Reason != taskdir.Cancelled {
		t.Errorf("%+v, %v", e, err)
	}
}
