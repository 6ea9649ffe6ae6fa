package redact

import "strings"

// toolRule says which flags of a command carry a password.
type toolRule struct {
	names  []string
	spaced []string // -p x
	pairs  []string // -u user:x
	stuck  []string // -px
}

var toolRules = []toolRule{
	{names: []string{"curl"}, spaced: []string{"--oauth2-bearer"}, pairs: []string{"-u", "--user", "-U", "--proxy-user"}},
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
var toolWords = func() *dict {
	all := map[string]uint32{}
	for i := range toolRules {
		for _, n := range toolRules[i].names {
			all[n] = uint32(i) + 1
		}
	}
	return newDict(all)
}()

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
// arguments.
func (x *scan) tool(i int) {
	s := x.s
	name := setA | dash
	end := name.run(s, i)
	if end == i && i < len(s) && s[i] == ' ' {
		end = i
	}
	if end < i || i < x.tooled {
		return
	}
	start := name.back(s, i, 20)
	if start >= end || end >= len(s) || !isBlank(s[end]) || !commandStart(s, start) {
		return
	}
	word := s[start:end]
	if word == "login" {
		x.login(start, end)
		return
	}
	rule := toolOf(word)
	if rule == nil || word != "mc" && word != "rabbitmqctl" && !hasFlag(s[end:]) {
		x.tooled = max(x.tooled, end)
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
		if word != "curl" || !x.curlCookie(end) {
			x.flagsOf(end, rule.spaced, rule.pairs, rule.stuck)
		}
	}
}

// hasFlag says that a word of the command's line may be a flag. A long line may
// always have one: it is not searched for each word of it.
func hasFlag(s string) bool {
	return len(s) > 1024 || strings.Contains(s, " -") || strings.Contains(s, " /p:")
}

// commandStart: a command's name follows nothing of a word.
func commandStart(s string, i int) bool {
	if i == 0 {
		return true
	}
	switch s[i-1] {
	case ' ', '\t', '/', '(', '"', '\'', '`', '|', ';', '&', '$', '[', '>', 'n':
		return s[i-1] != 'n' || i >= 2 && s[i-2] == '\\'
	}
	return false
}

// login: docker login -p x, az login … -p x.
func (x *scan) login(start, end int) {
	if !hasFlag(x.s[end:]) {
		return
	}
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
			x.flagsOf(end, loginFlags, nil, nil)
			return
		}
	}
}

// loginFlags carry the secret of a login, bodyFlags that of gh secret set.
var (
	loginFlags = []string{"-p", "--password", "--token"}
	bodyFlags  = []string{"--body", "-b", "--value", "--secret-string"}
)

// curlCookie reads curl's arguments for cookies as well: -b 'a=b; c=d'.
func (x *scan) curlCookie(end int) bool {
	s := x.s
	for i := end; ; {
		a, b, ok := nextWord(s, i)
		if !ok {
			return false
		}
		i = b
		if w := s[a:b]; w != "-b" && w != "--cookie" {
			continue
		}
		a, b, ok = nextWord(s, b)
		if !ok {
			return false
		}
		closed := isQuote(s[a])
		if closed {
			a, b = a+1, b-1
		}
		if a < b && strings.IndexByte(s[a:b], '=') > 0 {
			x.cookieList(a, b, false, closed)
		}
		i = max(i, b+1)
		if i >= len(s) {
			return false
		}
	}
}

// htpasswd -b file user password: the last word.
func (x *scan) htpasswd(end int) {
	s, n, batch := x.s, 0, false
	for i := end; ; {
		a, b, ok := nextWord(s, i)
		if !ok {
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
		if !ok {
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
		if !ok {
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
		if !ok {
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
