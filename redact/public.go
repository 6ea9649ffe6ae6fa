package redact

import "strings"

// publicStarts begin keys that are meant to be seen.
var publicStarts = []string{"pk_live_", "pk_test_", "phc_", "sb_publishable_", "age1", "pk-lf-", "ssh-rsa ", "ssh-ed25519 ",
	"ecdsa-sha2-", "pk.eyJ", "ssh-dss "}

func isPublic(v string) bool {
	if len(v) < 4 || v[0] != 'p' && v[0] != 's' && v[0] != 'a' && v[0] != 'e' {
		return false
	}
	for _, p := range publicStarts {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	return false
}

// isPath says that v is a path of a file: a place, not a secret.
func isPath(v string) bool {
	if !(strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") ||
		len(v) > 2 && v[1] == ':' && v[2] == '\\') {
		return false
	}
	part := 0
	for i := 0; i <= len(v); i++ {
		if i == len(v) || v[i] == '/' || v[i] == '\\' {
			if i-part > 24 && varied(v[part:i]) {
				return false
			}
			part = i + 1
			continue
		}
		if !setT.has(v[i]) && v[i] != ' ' && v[i] != ':' && v[i] != '@' {
			return false
		}
	}
	return true
}
