package redact

import "strings"

// A dict says what is known of a word, in any case, without an allocation: open
// addressing over words of at most dictMax bytes, folded into two integers.
type dict struct {
	slots []dictSlot
	shift uint8
	// dropped counts the words that were too long.
	dropped int
	// words is what is put into it when it is filled.
	words func() map[string]uint32
}

// dicts are all dicts of this package, for prepare to fill.
var dicts []*dict

type dictSlot struct {
	lo, hi uint64
	info   uint32 // never 0 in a taken slot
}

// dictMax is the length of the longest word that a dict can hold.
const dictMax = 16

// newDict makes a dict that prepare fills: nothing may be asked of it before.
func newDict(words func() map[string]uint32) *dict {
	d := &dict{words: words}
	dicts = append(dicts, d)
	return d
}

// fill puts all words into the dict, which is then at most a quarter full. A word
// that is too long is left out; a test holds the tables to that.
func (d *dict) fill() {
	all := d.words()
	bits := uint8(4)
	for 1<<bits < 4*len(all) {
		bits++
	}
	d.slots, d.shift = make([]dictSlot, 1<<bits), 64-bits
	for w, info := range all {
		if len(w) == 0 || len(w) > dictMax {
			d.dropped++
			continue
		}
		lo, hi := packed(w)
		k := d.place(lo, hi, len(w))
		for d.slots[k].info != 0 {
			k = (k + 1) & (len(d.slots) - 1)
		}
		d.slots[k] = dictSlot{lo, hi, info}
	}
}

// dictOf makes a dict of the words of a list.
func dictOf(list string) *dict {
	return newDict(func() map[string]uint32 {
		all := map[string]uint32{}
		for w := range strings.FieldsSeq(list) {
			all[w] = 1
		}
		return all
	})
}

// get gives what is known of w, 0 for nothing.
func (d *dict) get(w string) uint32 {
	if len(w) == 0 || len(w) > dictMax {
		return 0
	}
	lo, hi := packed(w)
	for k := d.place(lo, hi, len(w)); ; k = (k + 1) & (len(d.slots) - 1) {
		s := &d.slots[k]
		if s.info == 0 || s.lo == lo && s.hi == hi {
			return s.info
		}
	}
}

// has says whether w is in the dict.
func (d *dict) has(w string) bool { return d.get(w) != 0 }

func (d *dict) place(lo, hi uint64, n int) int {
	return int((lo*0x9E3779B97F4A7C15 ^ (hi+uint64(n))*0xC2B2AE3D27D4EB4F) >> d.shift)
}

// packed folds a word of 1 to dictMax bytes into two integers, the same for two
// words only where they are equal but for case. Words of tables hold no NUL.
func packed(w string) (lo, hi uint64) {
	switch n := len(w); {
	case n > 8:
		lo = load8(w, 0)
		hi = load8(w, n-8) >> (8 * (16 - n) & 63)
	case n == 8:
		lo = load8(w, 0)
	case n >= 4:
		lo = uint64(load4(w, 0)) | uint64(load4(w, n-4))<<(8*(n-4))
	default:
		for i := n - 1; i >= 0; i-- {
			lo = lo<<8 | uint64(w[i])
		}
	}
	return fold8(lo), fold8(hi)
}

// load8 and load4 read bytes i and on of s, the first one lowest; the compiler
// makes one load of each.
func load8(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func load4(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// fold8 makes eight ASCII bytes lower case at once; others stay.
func fold8(v uint64) uint64 {
	const ones, top = 0x0101010101010101, 0x8080808080808080
	low := v &^ top
	atLeastA := low + (0x80-'A')*ones
	overZ := low + (0x80-'Z'-1)*ones
	return v | (atLeastA&^overZ&^v&top)>>2
}
