// Package bench measures the whole program against the budgets that the house
// has set itself: it builds the binary, runs it in a pseudo-terminal on a
// machine of its own making (a home folder, logs, processes that write them),
// and reads time, processor time, memory and what was written to the terminal.
//
// It owns no part of the product and nobody calls it. Its benchmarks run only
// when asked for:
//
//	go test ./bench -run '^$' -bench Idle -benchtime 1x
//
// Those that need gigabytes of disk run only with OFFSTAGE_BENCH_DISK=1.
// OFFSTAGE_BENCH_BINARY names a binary to measure instead of a fresh build.
package bench
