package redact

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
)

// Bounds of a Memory: how many values it knows, and how long one may be. Shorter
// ones would be found in prose, longer ones are tokens with a form of their own.
const (
	maxRemembered = 64
	minRemembered = 8
	maxLength     = 256
)

// Memory lets the Redactors of one task hide a value again where it stands
// without the name or the flag that told of it (D5). The first 64 values of 8 to
// 256 bytes are remembered, and none that reads like a word or a name of parts:
// hiding those would poison ordinary text. It holds no value but its length and
// a keyed hash, under a key of this process; it cannot be stored and goes with
// the task. It is safe for concurrent use; the zero value is ready.
type Memory struct {
	mu  sync.Mutex
	now atomic.Pointer[remembered]
}

// remembered is never changed once it is published.
type remembered struct {
	seed  maphash.Seed
	heads [64]uint64 // a bit for the hash of each value's first four bytes
	items []item     // the longest first
}

type item struct {
	n, head int
	sum     uint64
}

// headHash is a number below 4096 for four bytes.
func headHash(v uint32) int { return int(v * 0x9E3779B1 >> 20) }

// add remembers v.
func (m *Memory) add(v string) {
	if len(v) < minRemembered || len(v) > maxLength || !tellsApart(v) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	next := remembered{seed: maphash.MakeSeed()}
	if now := m.now.Load(); now != nil {
		if len(now.items) >= maxRemembered {
			return
		}
		next.seed, next.heads, next.items = now.seed, now.heads, slices.Clone(now.items)
	}
	it := item{len(v), headHash(load4(v, 0)), maphash.String(next.seed, v)}
	if slices.Contains(next.items, it) {
		return
	}
	next.heads[it.head>>6] |= 1 << (it.head & 63)
	k := 0
	for k < len(next.items) && next.items[k].n >= it.n {
		k++
	}
	next.items = slices.Insert(next.items, k, it)
	m.now.Store(&next)
}

// find gives the first remembered value in s from i on, or ok false.
func (m *Memory) find(s string, i int) (a, b int, ok bool) {
	if m == nil {
		return 0, 0, false
	}
	now := m.now.Load()
	if now == nil {
		return 0, 0, false
	}
	for ; i+minRemembered <= len(s); i++ {
		head := headHash(load4(s, i))
		if now.heads[head>>6]>>(head&63)&1 == 0 || i > 0 && setA.has(s[i-1]) && setA.has(s[i]) {
			continue
		}
		for k := range now.items {
			it := &now.items[k]
			end := i + it.n
			if it.head != head || end > len(s) || end < len(s) && setA.has(s[end]) && setA.has(s[end-1]) {
				continue
			}
			if maphash.String(now.seed, s[i:end]) == it.sum {
				return i, end, true
			}
		}
	}
	return 0, 0, false
}

// tellsApart says that v is no word and no name made of words and numbers, such
// as web-server-1 or release.v2: it is safe to look for it in any text.
func tellsApart(v string) bool {
	if !varied(v) {
		return false
	}
	parts, part := 0, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && setA.has(v[i]) {
			continue
		}
		if i < len(v) && v[i] >= 0x21 && v[i] < 0x7f && (dash|under|dot|slash|colon|plus|equal).has(v[i]) || i == len(v) {
			if !wordAndNumber(v[part:i]) {
				return true
			}
			parts++
			part = i + 1
			continue
		}
		return true // a mark that no name has
	}
	return parts < 2
}

// wordAndNumber: letters of one case, perhaps a capital first, then digits.
func wordAndNumber(w string) bool {
	k := 0
	for k < len(w) && isLetter(w[k]) {
		k++
	}
	return setD.run(w, k) == len(w) && (k == 0 || !varied(w[:k]))
}

// remember notes a hidden value for later lines.
func (x *scan) remember(a, b int) {
	if x.mem != nil && !x.live && b-a >= minRemembered && b-a <= maxLength {
		x.mem.add(x.s[a:b])
	}
}

// recall hides what earlier lines, or this one, told to be secret.
func (x *scan) recall() {
	for i := 0; ; {
		a, b, ok := x.mem.find(x.s, i)
		if !ok {
			return
		}
		x.add(a, b)
		i = b
	}
}
