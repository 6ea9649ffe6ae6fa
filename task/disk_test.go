package task

import (
	"testing"
	"time"
)

// O6: what is said of an output that takes much of the disk, and when nothing is.
func TestDiskWords(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)
	for want, n := range map[string]DiskNote{
		"output takes 1.2 GB": {Bytes: 1.2e9},
		"output takes 1.2 GB · 12 GB free · at 5.0 GB: trim":                                    {Bytes: 1.2e9, Free: 12e9, Limit: 5e9, Action: "trim"},
		"output takes 38 GB · over 5.0 GB":                                                      {Bytes: 38e9, Limit: 5e9, Action: "warn"},
		"frozen: it stands still · output takes 5.1 GB":                                         {Bytes: 5.1e9, Limit: 5e9, Frozen: true},
		"trimmed: its first and last part stay · output takes 72 MB":                            {Bytes: 72e6, Limit: 5e9, Trimmed: true},
		"the disk is nearly full · frozen: it stands still · output takes 5.1 GB · 1.0 GB free": {Bytes: 5.1e9, Free: 1e9, Frozen: true, Low: true},
	} {
		got, tone := DiskWords(&n)
		if got != want || (tone == Bad) != n.Low {
			t.Errorf("%q in tone %v, want %q", got, tone, want)
		}
	}
	running := Task{Kind: Shell, Status: Running, Started: now.Add(-time.Hour), Output: OutputRef{Bytes: 2 << 30, LastWrite: now}}
	small, quiet, ended, own := running, running, running, running
	small.Output.Bytes = 1 << 20
	quiet.Output.LastWrite = now.Add(-time.Hour)
	ended.Status = Failed
	own.Output.Bytes, own.Status, own.Disk = 0, Failed, &DiskNote{Trimmed: true}
	for i, c := range []struct {
		t    Task
		said bool
	}{{running, true}, {small, false}, {quiet, false}, {ended, false}, {own, true}} {
		if got := DiskOf(c.t, now) != nil; got != c.said {
			t.Errorf("case %d: said %v", i, got)
		}
	}
}
