// Package testparse says what a test run says in a text: lines in, runs out.
package testparse
