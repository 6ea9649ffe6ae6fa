package testparse

import (
	"bytes"
	"reflect"
	"testing"
)

// FuzzScanner: no input makes it panic, count below zero, or depend on how the
// state was carried on.
func FuzzScanner(f *testing.F) {
	all, err := corpus()
	if err != nil {
		f.Fatal(err)
	}
	for i, r := range all {
		if i%11 == 0 {
			f.Add(r.log[:min(len(r.log), 3000)])
		}
	}
	f.Add([]byte("    ✔ a\n    1) \x80\n    ✔ b\n    ✔ c\n")) // a name that is no UTF-8
	f.Add([]byte("TAP version 13\nok 1\n    ok 1\nnot ok 2 # TODO\n1..2\n\x1b[1A\x1b[2K\r\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		a := scan(log)
		for _, r := range a.Runs() {
			if r.Passed < 0 || r.Failed < 0 || r.Skipped < 0 || r.Todo < 0 || r.Flaky < 0 || r.SuitesFailed < 0 {
				t.Fatalf("below zero: %+v", r)
			}
		}
		b, err := a.Save()
		if err != nil {
			t.Fatal(err)
		}
		c, err := Restore(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := scanBlocks(log, func() int { return 3 }); !reflect.DeepEqual(a.Runs(), d.Runs()) {
			t.Fatalf("by blocks %+v, by lines %+v", d.Runs(), a.Runs())
		}
		if !reflect.DeepEqual(a.Runs(), c.Runs()) {
			t.Fatalf("restored %+v, was %+v", c.Runs(), a.Runs())
		}
		if short, long := shortAndLong(t, log[:bytes.LastIndexByte(log, '\n')+1]); !bytes.Equal(short, long) {
			t.Fatalf("the short way %s, the long one %s", short, long)
		}
		if _, _, _, err := Parse(bytes.NewReader(log), Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
