package redact

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

// lastWords are the last words of names of secrets.
var lastWords = map[string]kind{
	"password": password, "passwd": password, "passphrase": password, "passcode": password, "passwort": password, "passe": password,
	"secret": secret, "token": token, "apikey": keyKind, "authkey": keyKind, "credential": secret, "credentials": secret,
	"cookie": cookie, "sig": signature, "signature": signature, "jwt": token, "hmac": signature, "mnemonic": password,
	"requirepass": password, "masterauth": password, "sshpass": password, "pgpass": noSecret,
	"creds": secret, "pass": noSecret, "pwd": barePwd, "key": bareKey, "auth": authKind, "pswd": password, "pw": noSecret,
}

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

// beforeKey are the words that make a secret of a `key` behind them.
var beforeKey = map[string]bool{
	"api": true, "access": true, "secret": true, "private": true, "encryption": true, "signing": true, "master": true,
	"auth": true, "account": true, "shared": true, "license": true, "session": true, "preshared": true, "decryption": true,
	"validation": true, "service": true, "role": true, "storage": true, "app": true, "application": true, "admin": true,
	"server": true, "webhook": true, "tls": true, "ssl": true, "write": true, "integration": true, "subscription": true,
	"function": true, "hmac": true, "jwt": true, "unseal": true, "recovery": true, "client": true, "rsa": true, "crypto": true,
	"hash": false, "cache": false, "public": false, "authkey": true, "seal": true, "cipher": true, "aes": true, "token": true,
}

// notBeforePass are words that make of `pass` a round or a result, notBefore of
// any secret word something else: a wish (no-password), a reference to a secret.
var (
	notBeforePass = map[string]bool{"first": true, "second": true, "single": true, "multi": true, "two": true, "one": true,
		"render": true, "num": true, "test": true, "tests": true, "must": true, "opt": true, "all": true, "by": true,
		"last": true, "pre": true, "post": true, "should": true, "did": true, "build": true, "lint": true, "check": true}
	notBefore = map[string]bool{"no": true, "ask": true, "prompt": true, "use": true, "show": true, "skip": true,
		"existing": true, "pull": true, "forgot": true, "hide": true, "require": true, "cancellation": true,
		"cancel": true, "next": true, "page": true, "continuation": true, "pad": true, "eos": true, "bos": true,
		"unk": true, "sep": true, "cls": true, "mask": true, "eof": true, "progress": true, "function": true, "method": true}
)

// tails are words behind the telling ones that change nothing: the environment,
// the form, the age of a value.
var tails = map[string]bool{
	"prod": true, "production": true, "dev": true, "development": true, "staging": true, "stage": true, "live": true,
	"test": true, "old": true, "new": true, "current": true, "previous": true, "primary": true, "secondary": true,
	"backup": true, "value": true, "raw": true, "plain": true, "plaintext": true, "string": true, "b64": true,
	"base64": true, "encoded": true, "wo": true, "base": true, "confirmation": true, "confirm": true, "again": true,
	"data": true, "text": true, "v1": true, "v2": true, "v3": true,
}

// wholeNames are names that their last words would misjudge.
var wholeNames = map[string]kind{
	"x-amz-credential": noSecret, "x-goog-credential": noSecret, "pwd": barePwd, "tls.key": keyKind,
	"secret_id": secret, "same-site-cookie": noSecret,
}

// foldMax is how much of a name's end is judged.
const foldMax = 96

// word is a piece of the folded name.
type word struct{ from, to int }

// judge says what the name s[a:b] tells of its value.
func (x *scan) judge(a, b int) kind {
	a = max(a, b-foldMax)
	id := x.s[a:b]
	n, last := x.split(id)
	if n == 0 {
		return noSecret
	}
	if k, ok := wholeNames[string(x.fold[:len(id)])]; ok {
		return k
	}
	w := x.words[:n]
	if n > 1 && last > 1 && tails[x.text(w[0])] && !(n == 2 && x.text(w[0]) == "data") {
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
	before := ""
	if len(w) > 1 {
		before = x.text(w[1])
	}
	k, known := lastWords[end]
	switch {
	case end == "key":
		if beforeKey[before] || before == "secret" {
			return keyKind
		}
		if total == 1 {
			return bareKey
		}
		return noSecret
	case end == "pass" || end == "pw":
		if before == "" && end == "pass" {
			return barePass
		}
		if before == "" || notBeforePass[before] {
			return noSecret
		}
		return password
	case end == "pwd":
		if before == "" {
			return barePwd
		}
		return password
	case end == "auth":
		return authKind
	}
	if !known {
		for _, g := range gluedEnds {
			if len(end) >= len(g.end) && end[len(end)-len(g.end):] == g.end {
				k = g.is
				break
			}
		}
	}
	if notBefore[before] && k != noSecret {
		return noSecret
	}
	return k
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
