package redact

import "strings"

// kind is what a telling name says of its value.
type kind uint8

const (
	noSecret kind = iota
	password      // of any form, and short ones too
	token
	keyKind
	secret
	cookie
	signature
	authKind // `auth`: a secret only in JSON and where the value looks like one
	bareKey  // `key`, `auth`, `sig` alone: a secret in a query only
	barePass // `pass` alone: a secret beside a user's name only
	barePwd  // `pwd` alone: a secret in a list of key=value; only
)

// What nameWords knows of a word of a name: the kind that it gives as the last
// word, and what it does beside one.
const (
	kindMask      uint32 = 1<<4 - 1
	isLast        uint32 = 1 << (iota + 3) // its kind counts
	beforeKey                              // makes a secret of a `key` behind it
	notBeforePass                          // makes of `pass` a round or a result
	notBefore                              // makes of any secret word something else: a wish, a reference
	isTail                                 // behind a telling word it changes nothing: environment, form, age
)

var nameWords = newDict(func() map[string]uint32 {
	all := map[string]uint32{}
	for k, list := range map[kind]string{
		password: `password passwd passphrase passcode passwort passe pswd mnemonic requirepass masterauth sshpass`,
		secret:   `secret credential credentials creds`,
		token:    `token jwt`, keyKind: `apikey authkey`, cookie: `cookie`,
		signature: `sig signature hmac`, noSecret: `pgpass pass pw`,
		barePwd: `pwd`, bareKey: `key`, authKind: `auth`,
	} {
		for _, w := range strings.Fields(list) {
			all[w] |= uint32(k) | isLast
		}
	}
	for bit, list := range map[uint32]string{
		beforeKey: `api access secret private encryption signing master auth account shared license session preshared
 decryption validation service role storage app application admin server webhook tls ssl write integration subscription
 function hmac jwt unseal recovery client rsa crypto authkey seal cipher aes token`,
		notBeforePass: `first second single multi two one render num test tests must opt all by last pre post should did
 build lint check`,
		notBefore: `no ask prompt use show skip existing pull forgot hide require cancellation cancel next page continuation
 pad eos bos unk sep cls mask eof progress function method`,
		isTail: `prod production dev development staging stage live test old new current previous primary secondary backup
 value raw plain plaintext string b64 base64 encoded wo base confirmation confirm again data text v1 v2 v3`,
	} {
		for _, w := range strings.Fields(list) {
			all[w] |= bit
		}
	}
	return all
})

// gluedEnds are ends of names written without any step (PGPASSWORD, authtoken).
var gluedEnds = []struct {
	end string
	is  kind
}{
	{"password", password}, {"passwd", password}, {"passphrase", password}, {"passwort", password},
	{"secret", secret}, {"token", token}, {"apikey", keyKind}, {"authkey", keyKind}, {"accesskey", keyKind},
	{"secretkey", keyKind}, {"privatekey", keyKind}, {"accountkey", keyKind}, {"masterkey", keyKind},
	{"encryptionkey", keyKind}, {"signingkey", keyKind}, {"sharedkey", keyKind}, {"licensekey", keyKind},
	{"sessionkey", keyKind}, {"cookie", cookie}, {"dbpass", password}, {"userpass", password}, {"smtppass", password},
	{"ftppass", password}, {"adminpass", password}, {"rootpass", password}, {"mypass", password}, {"sshpass", password},
	{"requirepass", password}, {"masterauth", password}, {"storepass", password}, {"keypass", password},
}

// wholeName judges names that their last words would misjudge.
func wholeName(id string) (k kind, known bool) {
	switch len(id) {
	case 7:
		if id == "tls.key" {
			return keyKind, true
		}
	case 9:
		if id == "secret_id" {
			return secret, true
		}
	case 16:
		if id == "x-amz-credential" || id == "same-site-cookie" {
			return noSecret, true
		}
	case 17:
		if id == "x-goog-credential" {
			return noSecret, true
		}
	}
	return noSecret, false
}

// foldMax is how much of a name's end is judged.
const foldMax = 96

// word is a piece of the folded name.
type word struct{ from, to int }

// judge says what the name s[a:b] tells of its value. A log says the same few
// names again and again: what was found of the last ones is looked up.
func (x *scan) judge(a, b int) kind {
	if b-a > maxKnown {
		return x.judgeName(a, b)
	}
	id := packName(x.s[a:b])
	slot := &x.known[id.hash()%uint64(len(x.known))]
	if slot.id != id {
		slot.id, slot.is = id, x.judgeName(a, b)
	}
	return slot.is
}

// knownName is a name that was judged, with the case of its letters.
type knownName struct {
	id packedName
	is kind
}

// maxKnown is the length of the longest name that is remembered.
const maxKnown = 24

// packedName is a name of up to maxKnown bytes and its length.
type packedName struct {
	a, b, c uint64
	n       int
}

func packName(t string) (p packedName) {
	p.n = len(t)
	switch n := len(t); {
	case n > 16:
		p.a, p.b, p.c = load8(t, 0), load8(t, 8), load8(t, n-8)
	case n >= 8:
		p.a, p.b = load8(t, 0), load8(t, n-8)
	case n >= 4:
		p.a = uint64(load4(t, 0)) | uint64(load4(t, n-4))<<32
	default:
		for i := 0; i < n; i++ {
			p.a = p.a<<8 | uint64(t[i])
		}
	}
	return p
}

func (p *packedName) hash() uint64 {
	return (p.a*0x9E3779B97F4A7C15 ^ p.b*0xC2B2AE3D27D4EB4F ^ p.c*0x165667B19E3779F9) >> 40
}

func (x *scan) judgeName(a, b int) kind {
	a = max(a, b-foldMax)
	id := x.s[a:b]
	n, last := x.split(id)
	if n == 0 {
		return noSecret
	}
	if k, ok := wholeName(textOf(x.fold[:len(id)])); ok {
		return k
	}
	w := x.words[:n]
	if n > 1 && last > 1 && nameWords.get(x.text(w[0]))&isTail != 0 && !(n == 2 && x.text(w[0]) == "data") {
		if k := x.ending(w[1:], last-1); k != bareKey && k != authKind && k != barePwd && k != barePass && k != noSecret {
			return k
		}
		return noSecret
	}
	return x.ending(w, last)
}

// ending judges words, the last of the name first; total is how many the name
// has in all.
func (x *scan) ending(w []word, total int) kind {
	if len(w) == 0 {
		return noSecret
	}
	end := x.text(w[0])
	last, before := nameWords.get(end), uint32(0)
	if len(w) > 1 {
		before = nameWords.get(x.text(w[1]))
	}
	k := kind(last & kindMask)
	switch {
	case k == bareKey:
		if before&beforeKey != 0 {
			return keyKind
		}
		if total == 1 {
			return bareKey
		}
		return noSecret
	case end == "pass" || end == "pw":
		if len(w) == 1 && end == "pass" {
			return barePass
		}
		if len(w) == 1 || before&notBeforePass != 0 {
			return noSecret
		}
		return password
	case k == barePwd:
		if len(w) == 1 {
			return barePwd
		}
		return password
	case k == authKind:
		return authKind
	}
	if last&isLast == 0 {
		k = gluedEnd(end)
	}
	if before&notBefore != 0 {
		return noSecret
	}
	return k
}

// gluedEnd judges a word that ends in a telling one.
func gluedEnd(w string) kind {
	for i := range gluedEnds {
		g := &gluedEnds[i]
		if n := len(w) - len(g.end); n >= 0 && w[n] == g.end[0] && w[n:] == g.end {
			return g.is
		}
	}
	return noSecret
}

// split folds id into x.fold and notes its last words, the last one first. It
// gives how many it noted and how many there are, at most one more.
func (x *scan) split(id string) (n, total int) {
	for i := 0; i < len(id); i++ {
		x.fold[i] = lower(id[i])
	}
	end := len(id)
	for end > 0 && n < len(x.words) {
		for end > 0 && !setA.has(id[end-1]) {
			end--
		}
		from := end
		for from > 0 && setA.has(id[from-1]) && (from == end || !step(id, from)) {
			from--
		}
		to := end
		for to > from && isDigit(id[to-1]) {
			to--
		}
		if to == from && from < end && n == 0 {
			end = from // a number behind the name: TOKEN_2
			continue
		}
		if to == from {
			to = end
		}
		if to > from {
			x.words[n] = word{from, to}
			n++
		}
		end = from
	}
	total = n
	if end > 0 {
		total++
	}
	return n, total
}

// step says that a new word starts in id at i: lower to upper, or the last
// capital of several before a small letter.
func step(id string, i int) bool {
	if !isUpper(id[i]) {
		return false
	}
	if !isUpper(id[i-1]) {
		return true
	}
	return i+1 < len(id) && isLower(id[i+1])
}

func (x *scan) text(w word) string { return textOf(x.fold[w.from:w.to]) }
