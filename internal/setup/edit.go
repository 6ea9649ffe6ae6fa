package setup

import "bytes"

// edit is one stretch of a file that was replaced, with what stands around it.
type edit struct {
	// Before and After are up to context bytes on each side, to find it again.
	Before   []byte `json:"before"`
	Removed  []byte `json:"removed"`
	Inserted []byte `json:"inserted"`
	After    []byte `json:"after"`
}

// context is how many bytes on each side tell a place from another.
const context = 64

// diff is the one stretch in which two texts differ.
func diff(old, next []byte) edit {
	head := 0
	for head < len(old) && head < len(next) && old[head] == next[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(next)-head && old[len(old)-1-tail] == next[len(next)-1-tail] {
		tail++
	}
	return edit{
		Before:  bytes.Clone(old[max(0, head-context):head]),
		Removed: bytes.Clone(old[head : len(old)-tail]), Inserted: bytes.Clone(next[head : len(next)-tail]),
		After: bytes.Clone(old[len(old)-tail : min(len(old), len(old)-tail+context)]),
	}
}

// back takes the edit out of a text; ok is false where it does not stand there as
// it was put in, or in more than one place.
func (e edit) back(text []byte) (out []byte, ok bool) {
	for _, around := range [][2][]byte{{e.Before, e.After}, {last(e.Before, 8), first(e.After, 8)}, {nil, nil}} {
		whole := bytes.Join([][]byte{around[0], e.Inserted, around[1]}, nil)
		if len(whole) == 0 {
			return nil, false
		}
		if bytes.Count(text, whole) != 1 {
			continue
		}
		at := bytes.Index(text, whole) + len(around[0])
		return bytes.Join([][]byte{text[:at], e.Removed, text[at+len(e.Inserted):]}, nil), true
	}
	return nil, false
}

func first(b []byte, n int) []byte { return b[:min(n, len(b))] }
func last(b []byte, n int) []byte  { return b[max(0, len(b)-n):] }
