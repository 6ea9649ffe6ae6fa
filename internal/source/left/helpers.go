package left

import (
	"path"
	"strings"
)

// helper says that a command is a shared servant that starts by itself and
// outlives who asked first: a build daemon, a language server, a key agent. They
// are counted in one line: nobody left them on purpose, and to stop one disturbs
// others (A11).
func helper(args []string) bool {
	if len(args) == 0 {
		return false
	}
	name := strings.TrimSuffix(path.Base(args[0]), ".exe")
	if helperPrograms[name] {
		return true
	}
	if strings.HasSuffix(name, "-language-server") || strings.HasSuffix(name, "-langserver") || strings.HasSuffix(name, "-lsp") {
		return true
	}
	for _, h := range helperWords {
		if (h.program == "" || h.program == name) && hasWord(args[1:], h.word) {
			return true
		}
	}
	return false
}

// helperPrograms are servants by the name of their program.
var helperPrograms = map[string]bool{
	"ssh-agent": true, "gpg-agent": true, "scdaemon": true, "dirmngr": true, "keyboxd": true,
	"watchman": true, "gopls": true, "rust-analyzer": true, "clangd": true, "tsserver": true, "ccls": true, "jdtls": true,
	"eslint_d": true, "prettierd": true, "dmypy": true, "sccache": true, "bloop": true, "VBCSCompiler": true, "buildkitd": true,
	"dbus-daemon": true, "dconf-service": true,
}

// helperWords are servants by a word of their command line.
var helperWords = []struct{ program, word string }{
	{"java", "org.gradle.launcher.daemon.bootstrap.GradleDaemon"},
	{"java", "org.jetbrains.kotlin.daemon.KotlinCompileDaemon"},
	{"java", "org.mvndaemon.mvnd.common.DaemonMain"},
	{"java", "A-server.jar"},
	{"adb", "fork-server"},
	{"git", "fsmonitor--daemon"}, {"git", "credential-cache--daemon"}, {"git-credential-cache--daemon", ""},
	{"esbuild", "--service="}, {"node", "tsserver.js"}, {"node", "typingsInstaller.js"}, {"node", "eslint_d"},
	{"node", "nx/src/daemon/server/start.js"}, {"turbo", "daemon"}, {"dotnet", "VBCSCompiler.dll"}, {"dotnet", "MSBuild.dll"},
	{"python3", "dmypy"}, {"python", "dmypy"}, {"mvnd", ""},
}

// hasWord says that one of args is word, begins with it where it ends in "=", or
// is a path that ends in it; "" is always there.
func hasWord(args []string, word string) bool {
	if word == "" {
		return true
	}
	for _, a := range args {
		if a == word || strings.HasSuffix(word, "=") && strings.HasPrefix(a, word) || strings.HasSuffix(a, "/"+word) {
			return true
		}
	}
	return false
}

// hosts are programs that people work in: they and all below them are nobody's
// leftovers (an editor, a terminal, a multiplexer whose name no service has).
var hosts = map[string]bool{
	"vim": true, "nvim": true, "vi": true, "emacs": true, "nano": true, "hx": true, "helix": true, "micro": true, "kak": true,
	"code": true, "code-server": true, "cursor": true, "subl": true, "zed": true, "zed-editor": true, "idea": true, "windsurf": true,
	"kitty": true, "wezterm-gui": true, "alacritty": true, "ghostty": true, "foot": true, "konsole": true, "gnome-terminal-": true, "xterm": true,
	"SCREEN": true, "screen": true, "tmux": true, "zellij": true, "dtach": true, "abduco": true,
	"offstage": true,
}

// host goes by the kernel's name, cut at 15 bytes, and by the program's.
func host(comm string, args []string) bool {
	name, _, _ := strings.Cut(comm, ":")
	if hosts[name] {
		return true
	}
	return len(args) > 0 && hosts[path.Base(args[0])]
}
