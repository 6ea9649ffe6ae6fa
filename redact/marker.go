package redact

import (
	"encoding/base64"
	"strings"
)

// marker looks at tokens that are known by something inside them, not by how
// they start; i is where that something may stand.
func (x *scan) marker(i int) {
	s := x.s
	switch c := s[i]; {
	case c == 'e':
		x.jwt(i)
	case c == 'L':
		x.codedKey(i)
	case c == ':':
		x.telegram(i)
	case c == 's' && hasAt(s, i-6, ".atlasv1."):
		x.around(i-6, 9, setA, 14, setU, 50)
	case c == 'A' || c == 'J' || c == '+':
		x.azure(i)
	case c == '-':
		x.mailchimp(i)
	case c == '_' && hasAt(s, i, "_mmk"):
		if a := setW.back(s, i, 48); i-a >= 36 && x.leftOK(a, 6) {
			x.add(a, i+4)
		}
	case c == 'k' || c == 'h' || c == '2' && s[i+1] == '/':
		x.webhook(i)
	case c >= '0' && c <= '9' && s[i+1] == 'Q' && s[i+2] == '~':
		if end := setT.runMax(s, i+3, 48); i >= 3 && end-i >= 31 && end-i <= 44 && setT.back(s, i, 4) == i-3 {
			x.add(i-3, end)
		}
	case c == 'M' || c == 'N' || c == 'O':
		x.discord(i)
	}
}

// around hides a token with a mark of n bytes at i, left characters of l before
// it and at least right of r behind it.
func (x *scan) around(i, n int, l set, left int, r set, right int) {
	a := l.back(x.s, i, left+1)
	end := trimEnd(x.s, i+n, r.run(x.s, i+n))
	if i-a == left && end-i-n >= right {
		x.add(a, end)
	}
}

// jwt hides a JWT, JWS or JWE: eyJ, two to five parts. The header must say what
// it is, or the second part must be JSON too.
func (x *scan) jwt(i int) {
	s := x.s
	if !x.leftOK(i, 6) || i < x.marked {
		return
	}
	end := (setU | dot | equal).run(s, i)
	x.marked = end
	if x.live && end == len(s) {
		x.add(i, end)
		return
	}
	end = trimEnd(s, i, end)
	t := s[i:end]
	p := strings.IndexByte(t, '.')
	if p < 0 {
		// A header alone, or what a cut has left of a token.
		if end == len(s) && len(t) >= 20 && saysAlg(t) {
			x.add(i, end)
			x.next.Wrap = len(s) >= 60
		}
		return
	}
	if strings.HasPrefix(t[p+1:], "eyJ") && len(t) > 30 || strings.Count(t, ".") == 4 || saysAlg(t[:p]) && len(t)-p > 8 {
		x.add(i, end)
	}
}

// saysAlg decodes a header and looks for its algorithm or type.
func saysAlg(t string) bool {
	var raw [192]byte
	t = t[:min(len(t), 240)&^3]
	n, _ := base64.RawURLEncoding.Decode(raw[:], []byte(t))
	h := textOf(raw[:n])
	return strings.Contains(h, `"alg"`) || strings.Contains(h, `"typ"`) || strings.Contains(h, `"enc"`) || strings.Contains(h, `"kid"`)
}

// codedKey hides the Base64 of a PEM block that says PRIVATE.
func (x *scan) codedKey(i int) {
	s := x.s
	if !hasAt(s, i, "LS0tLS1CRUdJTi") || !x.leftOK(i, 6) {
		return
	}
	end := setB.run(s, i)
	var raw [48]byte
	n, _ := base64.StdEncoding.Decode(raw[:], []byte(s[i:i+min(64, (end-i)&^3)]))
	if strings.Contains(string(raw[:n]), "PRIVATE") {
		x.add(i, end)
	}
}

// telegram: 8 to 10 digits, a colon, AA and 33 more; also right behind /bot.
func (x *scan) telegram(i int) {
	s := x.s
	a := setD.back(s, i, 11)
	if i-a < 8 || i-a > 10 {
		return
	}
	end := setU.run(s, i+1)
	if end-i-1 < 33 && !(x.live && end == len(s)) {
		return
	}
	if x.leftOK(a, 6) || hasAt(s, a-3, "bot") {
		x.add(a, end)
	}
}

// azure: signatures that Microsoft writes into its keys.
func (x *scan) azure(i int) {
	s := x.s
	switch {
	case s[i] == '+': // storage, Cosmos, Batch: 86 and ==
		end := x.runOf(setB, i)
		if end-i > 88 {
			return
		}
		a := x.backOf(setB, i, 88)
		if end-a == 88 && s[end-2] == '=' && s[end-1] == '=' {
			x.add(a, end)
		}
	case hasAt(s, i, "AZDO"), hasAt(s, i, "JQQJ9"):
		a := x.backOf(setA, i, 84)
		if end := setA.runMax(s, i, 92); end-a >= 80 && end-a <= 90 {
			x.add(a, end)
		}
	case hasAt(s, i, "AzFu"), hasAt(s, i, "AzSe"), hasAt(s, i, "AZEG"), hasAt(s, i, "AzCa"):
		a := x.backOf(setA, i, 84)
		if i-a < 24 {
			return
		}
		end := (setB | dash | under).runMax(s, i, 92)
		if end-a >= 42 && end-a <= 90 {
			x.add(a, end)
		}
	}
}

// mailchimp: 32 hex digits and the name of a data centre.
func (x *scan) mailchimp(i int) {
	s := x.s
	end := setD.run(s, i+3)
	a := setH.back(s, i, 33)
	if i-a == 32 && end > i+3 && end <= i+5 && x.leftOK(a, 6) {
		x.add(a, end)
	}
}

// discord: the Base64 of an id, a time, a signature.
func (x *scan) discord(i int) {
	s := x.s
	if !x.leftOK(i, 6) {
		return
	}
	first := setA.runMax(s, i, 30)
	if x.live && first-i >= 12 && setV.run(s, first) == len(s) && varied(s[i:first]) {
		x.add(i, len(s))
		return
	}
	if first-i < 23 || first-i > 28 || first >= len(s) || s[first] != '.' {
		return
	}
	second := setU.runMax(s, first+1, 9)
	if second-first != 7 || second >= len(s) || s[second] != '.' {
		return
	}
	if end := setU.run(s, second+1); end-second > 27 {
		x.add(i, trimEnd(s, i, end))
	}
}

// webhooks are paths whose rest is the secret.
var webhooks = []struct {
	three, path string
	back        int  // where the path starts before the three bytes
	id          bool // one part of digits follows that stays
}{
	{"ks.", "hooks.slack.com/services/", 3, false},
	{"ks.", "hooks.slack.com/workflows/", 3, false},
	{"ks.", "hooks.slack.com/triggers/", 3, false},
	{"ks.", "hooks.slack-gov.com/services/", 3, false},
	{"ks.", "hooks.zapier.com/hooks/catch/", 3, false},
	{"kb2", "/webhookb2/", 7, false},
	{"ks/", "/api/webhooks/", 11, true},
	{"2/h", "/open-apis/bot/v2/hook/", 16, false},
	{"h/k", "/with/key/", 4, false},
}

// webhook hides the rest of a path that is a credential as a whole.
func (x *scan) webhook(i int) {
	s := x.s
	for k := range webhooks {
		w := &webhooks[k]
		if !hasAt(s, i, w.three) || !hasAt(s, i-w.back, w.path) {
			continue
		}
		at := i - w.back + len(w.path)
		if w.id {
			at = setD.run(s, at)
			if at >= len(s) || s[at] != '/' {
				return
			}
			at++
		}
		end := at
		for end < len(s) && (setT.has(s[end]) || s[end] == '/' || s[end] == '@' || s[end] == '%') {
			end++
		}
		if end = trimEnd(s, at, end); !isPlaceholder(s[at:end]) {
			x.add(at, end)
		}
		return
	}
}
