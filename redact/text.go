package redact

import "unsafe"

// textOf gives b as a string without a copy. It is used only for bytes that do
// not change while the string is looked at, and the string is never kept.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
