package hosts

import "testing"

// family are the hosts whose files are of one kind: how they are read, and what
// people have in them.
type family struct {
	hosts []string
	// reads is the host's own rule, as far as it can be had here.
	reads func(t *testing.T, host, text string)
	odd   map[string]string
}

func families() []family {
	strict := map[string]string{
		"none": "no file", "empty": "", "empty object": "{}", "one line": `{"a": 1}`, "two blanks": "{\n  \"a\": 1\n}\n", "tabs": "{\n\t\"a\": {\n\t\t\"b\": [1, 2]\n\t}\n}",
		"CRLF": "{\r\n  \"a\": 1\r\n}\r\n", "another server": "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}\n  },\n  \"mcp\": {\"x\": {\"type\": \"local\"}},\n  \"z\": true\n}\n",
		"no newline": "{\n    \"é\": \"日本\"\n}",
	}
	comments := with(strict, map[string]string{"comments": "// mine\n{\n  \"a\": 1, // one, two\n  /* b */ \"b\": \"//\"\n}\n"})
	servers := map[string]string{"older entry": "{\n  \"mcpServers\": {\"offstage\": {\"command\": \"/old/offstage\", \"args\": [\"mcp\"]}},\n  \"z\": 1\n}\n"}
	loose := with(comments, map[string]string{"older entry": "{\n  \"mcp\": {\"offstage\": {\"type\": \"local\", \"command\": [\"/old/offstage\"]}}\n}\n", "comma at the end": "{\n  // c\n  \"mcp\": {\"x\": {\"type\": \"local\"},},\n}\n"})
	return []family{
		{[]string{"claude"}, readsStrict, with(strict, map[string]string{
			"own line":    "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"sh -c 'echo \\\"hi\\\"'\", \"padding\": 0}\n}\n",
			"older entry": "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"/old/offstage pill --format statusline --wrap 'my line'\"},\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"'/old/off stage/offstage' hook\"}, {\"type\": \"command\", \"command\": \"mine\"}]}\n    ]\n  }\n}\n",
		})},
		{[]string{"kimi", "cursor", "copilot"}, readsStrict, with(strict, servers)},
		{[]string{"gemini", "qwen"}, readsComments, with(comments, servers)},
		{[]string{"opencode"}, readsLoose, loose},
		{[]string{"codex"}, readsTOML, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nmodel = \"x\" # why\n\n# end\n", "CRLF": "model = \"x\"\r\n[a]\r\nb = 1\r\n", "tabs": "[a]\n\tb = 1\n\tc = [\n\t\t1,\n\t\t2,\n\t]\n",
			"another server": "[mcp_servers.other]\ncommand = \"y\"\n\n[profiles.\"a.b\"] # c\nx = 1\n", "no newline": "model = \"x\"",
			"older entry": "a = 1\n[mcp_servers.offstage]\ncommand = \"/old/offstage\"\n\n# next\n[z]\nb = 2\n",
		}},
		{[]string{"kitty"}, readsBlock, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nfont_size 12\n", "CRLF": "font_size 12\r\nmap ctrl+a new_tab\r\n", "tabs": "map\tctrl+a\tnew_tab\n", "no newline": "font_size 12",
			"older entry": "a b\n# offstage: begin (old)\nmap kitty_mod+y launch /old/offstage\n# offstage: end\nc d\n",
		}},
		{[]string{"wezterm"}, readsLua, map[string]string{
			"none": "no file", "empty": "", "comments": "-- mine\nlocal c = {} -- x\nreturn c -- end\n", "CRLF": "local config = {}\r\nreturn config\r\n",
			"tabs": "local config = {\n\tkeys = {\n\t\t{ key = 'b', mods = 'CTRL' },\n\t},\n}\nreturn config", "own pill": "local w = require 'wezterm'\nw.on('update-status', function(x) x:set_right_status('me') end)\nlocal k = {}\nreturn k\n",
			"older entry": "local config = {}\n-- offstage: begin (old)\n-- /old/offstage\n-- offstage: end\nreturn config\n",
		}},
		{[]string{"zellij"}, readsBlock, map[string]string{
			"none": "no file", "empty": "", "comments": "// mine { not one\n/* { /* } */ */\ntheme \"x{\"\n", "keybinds": "theme \"x\"\nkeybinds clear-defaults=true {\n    normal {\n        bind \"Ctrl g\" { SwitchToMode \"Locked\"; }\n    }\n}\nui {\n}\n",
			"CRLF": "keybinds {\r\n\tnormal {\r\n\t}\r\n}\r\n", "raw text": "a r#\"}\"# // }\nkeybinds {\n    tmux {\n        bind \"c\" { NewTab; }\n    }\n}", "taken out": "/- keybinds {\n}\nx 1\n",
			"older entry": "keybinds {\n// offstage: begin (old)\n    tmux {\n        bind \"b\" { Run \"/old/offstage\"; }\n    }\n// offstage: end\n}\n",
		}},
		{[]string{"tmux"}, readsTmux, map[string]string{
			"none": "no file", "empty": "", "comments": "# mine\nset -g status-right \"me %H\" # why\n", "CRLF": "# mine\r\nset -g @me x\r\n", "tabs": "set\t-g\tmouse\ton\nbind\tC-b\tsend-prefix\n", "no newline": "set -g mouse on",
			"braces":      "bind x {\n  display-message hi\n}\nunbind b\n",
			"older entry": "set -g mouse on\n# offstage: begin (old)\nbind-key B run-shell -b \"'/old/offstage' open --toggle --tmux-pane '#{pane_id}'\"\n# offstage: end\nset -g base-index 1\n",
		}},
	}
}

func with(a, b map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
}
