package output

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// addressAt finds the first "://" of b, -1 without one. Logs are full of colons and of
// slashes, in times and paths, at which bytes.Index stops each time; a colon before a slash
// is rare. Eight bytes at a time: v is zero where a ':' stands and a '/' follows.
func addressAt(b []byte) int {
	const one, top = 0x0101010101010101, 0x8080808080808080
	const colon, slash = ':' * one, '/' * one
	i := 0
	for ; i+9 <= len(b); i += 8 {
		w := b[i : i+9]
		v := binary.LittleEndian.Uint64(w) ^ colon | binary.LittleEndian.Uint64(w[1:]) ^ slash
		for m := (v - one) &^ v & top; m != 0; m &= m - 1 {
			if k := i + bits.TrailingZeros64(m)>>3; bytes.HasPrefix(b[k:], scheme) {
				return k
			}
		}
	}
	if k := bytes.Index(b[i:], scheme); k >= 0 {
		return i + k
	}
	return -1
}

var scheme = []byte("://")
