package redact

import (
	"hash/crc32"
	"strings"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// checked says that the token of shape h at i in s carries a right checksum
// (GitHub and npm: the last 6 of 36 characters are the CRC-32 of the others in
// base 62). It lets a token count that is glued to a word; a wrong checksum
// saves none.
func checked(h *shape, s string, i int) bool {
	from := i + len(h.prefix)
	if len(s)-from < 36 {
		return false
	}
	sum := crc32.ChecksumIEEE([]byte(s[from : from+30]))
	for k := from + 35; k >= from+30; k-- {
		if s[k] != base62[sum%62] {
			return false
		}
		sum /= 62
	}
	return sum == 0
}

// indexFrom is strings.Index from place i on.
func indexFrom(s string, i int, sub string) int {
	if i > len(s) {
		return -1
	}
	k := strings.Index(s[i:], sub)
	if k < 0 {
		return -1
	}
	return k + i
}
