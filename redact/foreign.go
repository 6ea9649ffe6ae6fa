package redact

// foreign looks at the words for password in other scripts and languages.
func (x *scan) foreign(i int) {
	s := x.s
	for _, w := range [...]string{"パスワード", "密码", "密碼", "비밀번호", "пароль", "Пароль"} {
		if hasAt(s, i, w) {
			x.spoken(i, i+len(w))
			return
		}
	}
	if foldAt(s, i-7, "contrase") && hasAt(s, i, "e\xc3\xb1a") && i+4 >= x.named {
		x.spoken(i-7, i+4)
	}
}

func (x *scan) spoken(start, end int) {
	s := x.s
	for _, w := range [...]string{"：", "＝"} { // the full-width signs
		if hasAt(s, end, w) {
			at := blanks(s, end+len(w))
			g := &sign{form: ':', at: at, post: true}
			x.assign(password, start, end, g)
			return
		}
	}
	if g, ok := x.sign(end); ok {
		x.assign(password, start, end, &g)
	}
}
