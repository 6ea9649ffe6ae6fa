package taskdir

import "testing"

func TestCommandLine(t *testing.T) {
	for want, r := range map[string]Record{
		"npm run dev":              {Argv: []string{"npm", "run", "dev"}},
		"sh -c 'a && b'":           {Argv: []string{"sh", "-c", "a && b"}},
		`echo 'it'\''s' '' "$x" *`: {Shell: `echo 'it'\''s' '' "$x" *`},
		`printf '%s
' 'it'\''s'`: {Argv: []string{"printf", "%s\n", "it's"}},
		"echo ''": {Argv: []string{"echo", ""}},
	} {
		if got := r.CommandLine(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
