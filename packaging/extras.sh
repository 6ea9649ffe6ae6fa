#!/bin/sh
# Writes what packages carry beside the binary into the folder $1: the manual
# page and the completions, made by the program itself.
set -eu
dir=${1:?give the folder to write into}
rm -rf "$dir"
mkdir -p "$dir/completion"
go build -o "$dir/offstage" .
"$dir/offstage" man >"$dir/offstage.1"
gzip -9n <"$dir/offstage.1" >"$dir/offstage.1.gz"
"$dir/offstage" completion bash >"$dir/completion/offstage.bash"
"$dir/offstage" completion zsh >"$dir/completion/_offstage"
"$dir/offstage" completion fish >"$dir/completion/offstage.fish"
"$dir/offstage" completion powershell >"$dir/completion/offstage.ps1"
rm "$dir/offstage"
