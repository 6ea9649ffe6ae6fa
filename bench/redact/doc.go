// Package bench compares package redact with gitleaks, the scanner for leaked
// secrets that is used most: the same cases and the same logs in one run. It is a
// module of its own, so that nothing of gitleaks is among the program's modules.
//
//	cd bench/redact && go test -v
package bench
