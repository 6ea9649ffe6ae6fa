package command

import (
	"strings"
	"testing"
)

// TestSinks is the table of spec 1 E1 and E2: a command line, the sink while
// nothing was written, the sink once something was ("~" in front: soft).
func TestSinks(t *testing.T) {
	long := "npm test -- --grep '" + strings.Repeat("x", 1990)
	for _, c := range []struct{ line, before, after string }{
		{`npm test`, "", ""},
		{`npm test | tail -40`, "tail", "tail"},
		{`npm test |& tail -40`, "tail", "tail"},
		{`npm test 2>&1 | tail -40`, "tail", "tail"},
		{`npm test 2>/dev/null | tail`, "tail", "tail"},
		{`npm test | /usr/bin/tail -n 5`, "tail", "tail"},
		{`npm test | \tail -5`, "tail", "tail"},
		{`npm test | "tail" -5`, "tail", "tail"},
		{`npm test | gtail -5`, "tail", "tail"},
		{`npm test | tail -n $N`, "tail", "tail"},
		{`npm test | tail -n5 -`, "tail", "tail"},
		{`npm test | tail --lines=20`, "tail", "tail"},
		{`npm test | tail --lines 20 -q`, "tail", "tail"},
		{`npm test | tail -c 400`, "tail", "tail"},
		{`tail -f log`, "", ""},
		{`npm test | tail -f`, "", ""},
		{`npm test | tail -F`, "", ""},
		{`npm test | tail -5f`, "", ""},
		{`npm test | tail -fn 20`, "", ""},
		{`npm test | tail --follow`, "", ""},
		{`npm test | tail --follow=name`, "", ""},
		{`npm test | tail -n +5`, "", ""},
		{`npm test | tail -n+5`, "", ""},
		{`npm test | tail +5`, "", ""},
		{`npm test | tail --lines=+5`, "", ""},
		{`npm test | tail -c +100`, "", ""},
		{`tail -40 run.log`, "", ""},
		{`npm test | tail -5 other.log`, "", ""},
		{`npm test | head -40`, "", ""},
		{`(npm ci; npm test) | tail -5`, "tail", "tail"},
		{`{ npm ci; npm test; } 2>&1 | tail -5`, "tail", "tail"},
		{`bash -c 'npm test | tail -5'`, "tail", "tail"},
		{`bash -lc "npm test | tail -5"`, "tail", "tail"},
		{`timeout 60 npm t | tail`, "tail", "tail"},
		{`timeout 60 bash -c 'npm t | tail'`, "tail", "tail"},
		{`docker exec web sh -c 'npm t 2>&1 | tail -n 3'`, "tail", "tail"},
		{`eval 'npm test | tail -5'`, "tail", "tail"},
		{`echo "$(npm test | tail -5)"`, "", ""},
		{`X=$(npm test | tail -5); echo "$X"`, "", ""},
		{`echo 'npm test | tail -5'`, "", ""},
		{`git commit -m "pipe | tail -5"`, "", ""},
		{`npm test # | tail -5`, "", ""},
		{"cat <<'EOF'\nnpm test | tail -5\nEOF", "", ""},
		{"bash <<'EOF'\nnpm test | tail -5\nEOF", "tail", "tail"},
		{"npm test <<EOF | tail -5\nyes\nEOF", "tail", "tail"},
		{`npm test | tee run.log | tail -5`, "tail", "tail"},
		{`npm test | tail -5 | tee run.log`, "tail", "tail"},
		{`npm test | tail -40 | grep -v warn`, "tail", "tail"},
		{`npm test | tail -5 > out.txt`, "", ""},
		{`npm test > run.log 2>&1 | tail -5`, "", ""},
		{`npm test &> run.log`, "", ""},
		{`cd web && npm test | tail -5`, "tail", "tail"},
		{`cd x && a | tail -5; b`, "tail", ""},
		{`npm ci && npm test | tail -5`, "", "tail"},
		{`npm run build || npm test | tail -5`, "", "tail"},
		{`server & npm test | tail -5`, "", ""},
		{`server > s.log 2>&1 & npm test | tail -5`, "tail", "tail"},
		{`while read f; do echo $f; done < list | tail -3`, "tail", "tail"},
		{`for i in 1 2 3; do npm test | tail -3; done`, "tail", "tail"},
		{`if npm test | tail -5; then echo ok; fi`, "tail", ""},
		{`time npm test | tail -5`, "tail", "tail"},
		{`sudo -u web npm test | sudo tail -5`, "tail", "tail"},
		{`npm test | env LC_ALL=C tail -5`, "tail", "tail"},
		{`npm test | tail -5 | cat`, "tail", "tail"},
		{`npm test | sort`, "sort", "sort"},
		{`npm test | sort -k 2 | uniq -c`, "sort", "sort"},
		{`sort names.txt`, "", ""},
		{`cat a | sort - b`, "sort", "sort"},
		{`npm ls | tac`, "tac", "tac"},
		{`find . | wc -l`, "wc", "wc"},
		{`make | sponge out.txt`, "", ""},
		{`df | column -t`, "column", "column"},
		{`curl -s x | jq -s .`, "jq -s", "jq -s"},
		{`curl -s x | jq --slurp .`, "jq -s", "jq -s"},
		{`curl -s x | jq .`, "~jq", "~jq"},
		{`curl -s x | jq --unbuffered .`, "", ""},
		{`npm run dev | grep -v deprecated`, "~grep", "~grep"},
		{`npm run dev | grep --line-buffered error`, "", ""},
		{`npm run dev | grep -c error`, "grep -c", "grep -c"},
		{`npm run dev | sed 's/a/b/'`, "~sed", "~sed"},
		{`npm run dev | sed -u 's/a/b/'`, "", ""},
		{`npm run dev | sed -e 's/u/l/'`, "~sed", "~sed"},
		{`npm run dev | awk '{print $1}'`, "~awk", "~awk"},
		{`npm run dev | awk '{print $1; fflush()}'`, "", ""},
		{`npm run dev | stdbuf -oL grep error`, "", ""},
		{`npm run dev | grep error | tail -5`, "tail", "tail"},
		{`grep -r needle .`, "", ""},
		{`npm test | tail -40 "`, "", ""},
		{long + " | tail -5", "", ""},
		{``, "", ""},
	} {
		got := FindSinks(c.line)
		if b := show(got.Before); b != c.before {
			t.Errorf("%q before output: got %q, want %q", c.line, b, c.before)
		}
		if a := show(got.After); a != c.after {
			t.Errorf("%q after output: got %q, want %q", c.line, a, c.after)
		}
	}
}

func show(s Sink) string {
	if s.Soft {
		return "~" + s.Name
	}
	return s.Name
}

// FuzzSinks: no line makes the reader panic or hang.
func FuzzSinks(f *testing.F) {
	f.Add("a | tail -5; b")
	f.Add("bash -c 'bash -c \"a | tail\"'")
	f.Fuzz(func(t *testing.T, line string) { FindSinks(line) })
}
