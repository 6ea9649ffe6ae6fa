package redact

import "strings"

// toolRule says which flags of a command carry a password.
type toolRule struct {
	names  []string
	spaced []string // -p x
	pairs  []string // -u user:x
	stuck  []string // -px
	// cookies: -b takes cookies.
	cookies bool
	bit     uint32 // tells the rules apart
}

var toolRules = []toolRule{
	{names: []string{"curl"}, spaced: []string{"--oauth2-bearer"}, pairs: []string{"-u", "--user", "-U", "--proxy-user"}, cookies: true},
	{names: []string{"wget"}, spaced: []string{"--password", "--http-password", "--proxy-password", "--ftp-password"}},
	{names: []string{"http", "https", "xh", "xhs"}, pairs: []string{"-a", "--auth"}},
	{names: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "mariadb-admin", "mycli"}, stuck: []string{"-p"}},
	{names: []string{"sshpass"}, spaced: []string{"-p"}, stuck: []string{"-p"}},
	{names: []string{"redis-cli", "valkey-cli"}, spaced: []string{"-a", "--pass"}},
	{names: []string{"mongo", "mongosh", "mongodump", "mongorestore", "mongoimport", "mongoexport"}, spaced: []string{"-p"}, stuck: []string{"-p"}},
	{names: []string{"ldapsearch", "ldapadd", "ldapmodify", "ldappasswd", "ldapwhoami", "ldapdelete"}, spaced: []string{"-w", "-s"}, stuck: []string{"-w"}},
	{names: []string{"sqlcmd", "bcp"}, spaced: []string{"-P"}, stuck: []string{"-P"}},
	{names: []string{"unzip", "zip", "zipcloak"}, spaced: []string{"-P"}, stuck: []string{"-P"}},
	{names: []string{"7z", "7za", "7zz", "7zr"}, stuck: []string{"-p"}},
	{names: []string{"smbclient"}, pairs: []string{"-U", "--user"}},
	{names: []string{"nuget"}, spaced: []string{"-k", "-ApiKey"}},
	{names: []string{"xfreerdp", "xfreerdp3", "wlfreerdp"}, stuck: []string{"/p:"}},
	{names: []string{"ssh-keygen"}, spaced: []string{"-N", "-P"}},
	{names: []string{"openssl"}, spaced: []string{"-k"}},
	{names: []string{"twine"}, spaced: []string{"-p"}},
	{names: []string{"lftp"}},
	{names: []string{"htpasswd"}},
	{names: []string{"rabbitmqctl"}},
	{names: []string{"mc"}},
}

// toolWords gives 1 + the index into toolRules of a command.
var toolWords = newDict(func() map[string]uint32 {
	all := map[string]uint32{}
	for i := range toolRules {
		for _, n := range toolRules[i].names {
			all[n] = uint32(i) + 1
		}
		toolRules[i].bit = 1 << i
	}
	return all
})

// toolOf gives the rule of a command, nil where there is none.
func toolOf(word string) *toolRule {
	k := toolWords.get(word)
	if g, _ := of(word); k == 0 || g&(upAF|upGZ) != 0 {
		return nil
	}
	return &toolRules[k-1]
}

// loginTools log in with -p; the word login stands before it.
var loginTools = dictOf("docker podman buildah skopeo nerdctl az oc helm registry acr crane oras cf ibmcloud argocd twine rosa")

// tool looks whether the word round i is a command of the table, and reads its
// arguments, each once.
func (x *scan) tool(i int) {
	start, end, word := x.commandAt(i)
	if word == "" {
		return
	}
	if word == "login" {
		x.login(start, end)
		return
	}
	rule := toolOf(word)
	if rule == nil {
		return
	}
	if i < x.walked && (word == "htpasswd" || word == "rabbitmqctl" || word == "lftp" || word == "mc") {
		return
	}
	switch word {
	case "htpasswd":
		x.htpasswd(end)
	case "rabbitmqctl":
		x.addUser(end)
	case "lftp":
		x.lftp(end)
	case "mc":
		x.aliasSet(end)
	default:
		x.flagsOf(end, rule)
	}
}

// maxCommand bounds the length of a command's name.
const maxCommand = 20

// commandAt gives the command's name round i with its place; word is empty where
// a blank follows none.
func (x *scan) commandAt(i int) (start, end int, word string) {
	const name = setA | dash
	s := x.s
	end = name.runMax(s, i, maxCommand)
	if end >= len(s) || !isBlank(s[end]) {
		return 0, 0, ""
	}
	start = name.back(s, i, maxCommand)
	if start > 0 && start < i && s[start-1] == '\\' && (s[start] == 'n' || s[start] == 't') {
		start++ // "…\ncurl -u" in a string of JSON
	}
	if start >= end || !commandStart(s, start) {
		return 0, 0, ""
	}
	return start, end, s[start:end]
}

// hasFlag says that a flag may follow byte i of the line, whose blank and dash
// are looked for once.
func (x *scan) hasFlag(i int) bool {
	if x.flagAt < i {
		x.flagAt = indexFrom(x.s, i, " -")
		if x.flagAt < 0 {
			x.flagAt = len(x.s)
		}
	}
	return x.flagAt < len(x.s)
}

// commandStart: a command's name follows nothing of a word.
func commandStart(s string, i int) bool {
	if i == 0 {
		return true
	}
	switch s[i-1] {
	case ' ', '\t', '/', '(', '"', '\'', '`', '|', ';', '&', '$', '[', '>':
		return true
	case 'n', 't':
		return i >= 2 && s[i-2] == '\\'
	}
	return false
}

// login: docker login -p x, az login … -p x.
func (x *scan) login(start, end int) {
	low := max(0, start-80)
	for k := 0; k < 4; k++ {
		for start > low && isBlank(x.s[start-1]) {
			start--
		}
		to := start
		for start > low && !isBlank(x.s[start-1]) {
			start--
		}
		if start == to {
			return
		}
		word := x.s[start:to]
		if loginTools.has(strings.Trim(word, "\"'`([$")) || loginTools.has(word[strings.LastIndexByte(word, '/')+1:]) {
			x.flagsOf(end, &loginFlags)
			return
		}
	}
}

// loginFlags carry the secret of a login, bodyFlags that of gh secret set.
var (
	loginFlags = toolRule{bit: 1 << 30, spaced: []string{"-p", "--password", "--token"}}
	bodyFlags  = toolRule{bit: 1 << 31, spaced: []string{"--body", "-b", "--value", "--secret-string"}}
)

// cookieArg hides cookies in the argument behind -b of curl: 'a=b; c=d'. It gives
// where that ends.
func (x *scan) cookieArg(i int) int {
	s := x.s
	a, b, ok := nextWord(s, i)
	if !ok {
		return i
	}
	end := b
	closed := isQuote(s[a])
	if closed {
		a, b = a+1, b-1
	}
	if a < b && strings.IndexByte(s[a:b], '=') > 0 {
		x.cookieList(a, b, false, closed)
	}
	if closed {
		end++
	}
	return min(end, len(s))
}

// htpasswd -b file user password: the last word.
func (x *scan) htpasswd(end int) {
	s, n, batch := x.s, 0, false
	for i := end; ; {
		a, b, ok := nextWord(s, i)
		if x.walked = b; !ok {
			return
		}
		i = b
		switch {
		case s[a] == '-':
			batch = batch || strings.IndexByte(s[a:b], 'b') > 0
		default:
			n++
		}
		if last := blanks(s, b); batch && n >= 2 && s[a] != '-' && (last >= len(s) || strings.IndexByte("|;&>)", s[last]) >= 0) {
			x.hideSpan(a, b, false)
			return
		}
	}
}

// addUser: rabbitmqctl add_user name password.
func (x *scan) addUser(end int) {
	s, after := x.s, -1
	for i := end; ; {
		a, b, ok := nextWord(s, i)
		if x.walked = b; !ok {
			return
		}
		i = b
		if after >= 0 && s[a] != '-' {
			after++
		}
		if w := s[a:b]; w == "add_user" || w == "change_password" || w == "authenticate_user" {
			after = 0
		}
		if after == 2 {
			x.hideSpan(a, b, false)
			return
		}
	}
}

// lftp -u user,password.
func (x *scan) lftp(end int) {
	s := x.s
	for i := end; ; {
		a, b, ok := nextWord(s, i)
		if x.walked = b; !ok {
			return
		}
		i = b
		if s[a:b] != "-u" {
			continue
		}
		a = blanks(s, b)
		_, e := wordAt(s, a)
		if k := strings.IndexByte(s[a:e], ','); k > 0 {
			x.hideSpan(a+k+1, e, false)
		}
		return
	}
}

// aliasSet: mc alias set NAME URL ACCESS SECRET.
func (x *scan) aliasSet(end int) {
	s := x.s
	if !hasAt(s, end, " alias set ") {
		return
	}
	n := 0
	for i := end + len(" alias set "); ; {
		a, b, ok := nextWord(s, i)
		if x.walked = b; !ok {
			return
		}
		i = b
		if n++; n >= 3 {
			x.hideSpan(a, b, false)
		}
		if n == 4 {
			return
		}
	}
}
