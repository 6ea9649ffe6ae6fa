package setup

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Quote is a word as a POSIX shell reads it: as it is where it is plain, else in
// single quotes.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Unquote is the one word that Quote wrote; ok is false for anything else.
func Unquote(text string) (word string, ok bool) {
	if strings.HasPrefix(text, "'") && strings.HasSuffix(text, "'") && len(text) >= 2 {
		word = strings.ReplaceAll(text[1:len(text)-1], `'\''`, "'")
	} else {
		word = text
	}
	return word, Quote(word) == text
}

// PlainProgram refuses a path that the small languages of terminals would take
// apart, whatever the quotes: they have one level more than a shell.
func PlainProgram(e Env) (string, error) {
	if strings.ContainsAny(e.Program, "'\"`$#(){};\\,\n\r") {
		return "", fmt.Errorf("%q cannot be written into this configuration: put the program into a folder with a plain name", e.Program)
	}
	return e.Program, nil
}

// Folder is the first of these variables that is set, else the folder of that
// name below the home.
func (e Env) Folder(below string, variables ...string) string {
	for _, v := range variables {
		if dir := e.Getenv(v); dir != "" {
			return dir
		}
	}
	return filepath.Join(e.Home, filepath.FromSlash(below))
}

// ConfigHome is where programs of the XDG rules keep their folders.
func (e Env) ConfigHome() string { return e.Folder(".config", "XDG_CONFIG_HOME") }

// IsOurs says whether a command line runs verb of a program of our name, wherever
// it lies.
func IsOurs(command, verb string) bool {
	word, rest := FirstWord(command)
	if rest != verb && !strings.HasPrefix(rest, verb+" ") {
		return false
	}
	base := strings.TrimSuffix(word[strings.LastIndexAny(word, `/\`)+1:], ".exe")
	return base == "offstage"
}

// FirstWord parts a command line behind its first word, which may be quoted as
// Quote does it; rest has no blanks around it.
func FirstWord(command string) (word, rest string) {
	command = strings.TrimSpace(command)
	if !strings.HasPrefix(command, "'") {
		word, rest, _ = strings.Cut(command, " ")
		return word, strings.TrimSpace(rest)
	}
	for at := 1; at < len(command); at++ {
		if command[at] != '\'' {
			continue
		}
		if strings.HasPrefix(command[at:], `'\''`) {
			at += 3
			continue
		}
		word, _ = Unquote(command[:at+1])
		return word, strings.TrimSpace(command[at+1:])
	}
	return command, ""
}
