#!/bin/sh
# Writes the output of real tools, none of which holds a secret, into a folder:
#
#     redact/testdata/clean.sh /tmp/clean
#     OFFSTAGE_CLEAN_CORPUS=/tmp/clean go test -run CleanCorpus ./redact
#
# Every tool that this machine has is run; npm, pip and apt fetch packages. The
# environment of the caller is not passed on.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME COMMAND… keeps what the command says, at most 9 MB and five minutes.
run() {
	name=$1
	shift
	command -v "$1" >/dev/null 2>&1 || return 0
	timeout 300 nice "$@" 2>&1 </dev/null | head -c 9000000 >"$out/$name.log"
	[ -s "$out/$name.log" ] || rm -f "$out/$name.log"
}

javascript() {
	command -v npm >/dev/null 2>&1 || return 0
	mkdir -p "$work/js/src" && cd "$work/js" || return
	cat >package.json <<'J'
{"name": "shop", "version": "1.0.0", "private": true, "type": "module"}
J
	run npm-install npm install --no-audit --no-fund --loglevel silly vite webpack webpack-cli typescript eslint vitest pnpm
	run npm-again npm install --loglevel http
	run npm-ls npm ls --all
	run npm-json npm ls --all --json
	cat >index.html <<'J'
<!doctype html><script type="module" src="/src/main.ts"></script>
J
	cat >src/auth.ts <<'J'
export interface Credentials { user: string; password: string; token?: string }
export function tokenKey(c: Credentials) { return c.token ?? c.password.length }
const unused = 1;
J
	cat >src/main.ts <<'J'
import { tokenKey, Credentials } from "./auth";
const keys: Record<string, number> = {};
for (const k of Object.keys(keys)) console.log(k, tokenKey({} as Credentials));
const wrong: number = "token";
J
	cat >src/auth.test.ts <<'J'
import { describe, expect, it } from "vitest";
import { tokenKey } from "./auth";
describe("token key", () => {
  it("accepts a token and a password", () => { expect(tokenKey({ user: "u", password: "p" })).toBe(1) });
  it("rejects an expired token", () => { expect(tokenKey({ user: "u", password: "pp" })).toBe(1) });
});
J
	cat >eslint.config.js <<'J'
export default [{ rules: { "no-unused-vars": "error", "no-undef": "error", "max-len": ["error", 40] } }];
J
	run vite npx vite build --debug
	run vitest npx vitest run --reporter verbose
	run webpack npx webpack build --mode development --entry ./node_modules/typescript/lib/typescript.js --stats verbose
	run tsc npx tsc --noEmit --strict --target esnext --listFiles --traceResolution src/main.ts
	run tsc-wide npx tsc --noEmit --allowJs --checkJs --strict --maxNodeModuleJsDepth 0 node_modules/webpack/lib/util/hash/*.js node_modules/eslint/lib/linter/*.js
	run eslint npx eslint --no-ignore --no-inline-config node_modules/eslint/lib/rules
	run eslint-json npx eslint --no-ignore --format json src eslint.config.js
	run pnpm npx pnpm install --ignore-scripts --reporter ndjson
	cd "$work" || return
}

golang() {
	command -v go >/dev/null 2>&1 || return 0
	cd "$root" || return
	run go-build go build -a -x -v ./task ./testparse ./internal/command
	run go-test go test -v -count=1 ./task ./testparse ./internal/command
	run go-test-json go test -json -count=1 ./task ./internal/command
	run go-vet go vet -v ./task ./testparse
	run go-list go list -deps -json ./cli
	run go-mod go mod graph
	run go-doc go doc -all crypto/tls
	run go-doc-http go doc -all net/http
	run go-std go test -v -short crypto/x509 net/url net/http/cookiejar encoding/pem go/token text/template
}

others() {
	cd "$work" || return
	if command -v cargo >/dev/null 2>&1; then
		cargo new --quiet --lib vault_key >/dev/null 2>&1
		cd vault_key && run cargo-build cargo build -vv && run cargo-test cargo test -v && run cargo-clippy cargo check --message-format json
		cd "$work" || return
	fi
	run mvn mvn -X -o -B validate
	run python-test python3 -m unittest -v test.test_json test.test_tokenize test.test_http_cookies
	if python3 -m venv "$work/venv" >/dev/null 2>&1; then
		run pip "$work/venv/bin/pip" install -v pytest
		printf 'import pytest\n@pytest.mark.parametrize("token", ["a", "b"])\ndef test_token(token, tmp_path):\n    password = "p"\n    assert token == password\n' >"$work/test_auth.py"
		run pytest "$work/venv/bin/pytest" -vv "$work/test_auth.py"
		run pytest-traces "$work/venv/bin/pytest" -vv --full-trace --showlocals "$work/test_auth.py"
	fi
	run git-log git -C "$root" log -p --no-color -- . ':!redact' ':!docs/redaction.md' ':!*_test.go' ':!testdata'
	run git-colour git -C "$root" log -p --color=always -60 -- . ':!redact' ':!docs/redaction.md' ':!*_test.go' ':!testdata'
	run apt-show apt-cache show openssl openssh-client git curl gnupg libsecret-1-0 passwd keyutils
	run apt-dump apt-cache dumpavail
	run apt-sim apt-get -s install nginx postgresql
	run man-openssl man openssl
	run ls-usr ls -laR /usr
	run ls-lib ls -laR /usr/lib/python3 /usr/share/doc
	run ls-go ls -laR "$(go env GOROOT 2>/dev/null)/src"
	run ps ps -eo user,pid,ppid,pcpu,pmem,stat,start,time,comm
	run kubectl kubectl create deployment shop --image=nginx --dry-run=client -o yaml
	run kubectl-help kubectl create secret generic --help
	run terraform terraform version
	run docker docker --help
	if command -v python3 >/dev/null 2>&1; then
		mkdir -p "$work/www" && cd "$work/www" && python3 -m http.server 18457 --bind 127.0.0.1 >/dev/null 2>&1 &
		server=$!
		sleep 1
		run curl curl -v "http://127.0.0.1:18457/?page=2&sort_key=name"
		run curl-head curl -vI http://127.0.0.1:18457/missing
		kill "$server"
	fi
}

javascript
golang
others
du -ch "$out"/*.log | tail -n 1
