package tmux

import (
	"strings"

	"offstage/internal/setup"
)

const (
	// inStatus is what stands in status-right: the pill itself is an option, so that
	// the person's own value stays as it is behind these characters.
	inStatus = "#{E:@offstage_pill}"
	// openVerb tells a binding of ours from one of the person's.
	openVerb = "open --toggle --tmux-pane"
	// clickRange is the name of the stretch that a click can hit (tmux 3.4 on, at
	// most 15 characters); older ones know only the whole right side.
	clickRange = "offstage"
	// rightLength is room for the pill beside what stood there: 40 is the default,
	// of which the clock and the title take all.
	rightLength = "100"
	// windowClick is what tmux does by itself with a click on the status line, from
	// 3.4 on.
	windowClick = "switch-client -t ="
)

// body are the lines of our block. Read twice, as a reload does, they change
// nothing more: the pill is put in only where it is not in yet.
func body(e setup.Env, c choice) (string, error) {
	program, err := setup.PlainProgram(e)
	if err != nil {
		return "", err
	}
	open := `run-shell -b "'` + program + `' ` + openVerb + ` '#{pane_id}'"`
	lines := []string{
		`set -g @offstage_pill "#[range=user|` + clickRange + `]#('` + program + `' pill --format tmux --follow)#[norange default] "`,
		`if-shell -F '#{m:*@offstage_pill*,#{status-right}}' {} {`,
		`  set -gF status-right '#` + inStatus + `#{status-right}'`,
		`}`,
		`if-shell -F '#{e|<:#{status-right-length},` + rightLength + `}' {`,
		`  set -gF @offstage_right_length '#{status-right-length}'`,
		`  set -g status-right-length ` + rightLength,
		`}`,
		`bind-key ` + c.key + ` ` + open,
	}
	if c.click {
		lines = append(lines,
			`%if "#{>=:#{version},3.4}"`,
			`bind-key -n MouseDown1Status if-shell -F '#{==:#{mouse_status_range},`+clickRange+`}' { `+open+` } { `+windowClick+` }`,
			`%else`,
			`bind-key -n MouseDown1StatusRight `+open,
			`%endif`)
	}
	return strings.Join(lines, "\n") + "\n", nil
}
