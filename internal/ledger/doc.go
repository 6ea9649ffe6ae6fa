// Package ledger holds the rules of the ledger: how a record follows from the
// one before and from what is said of its task, who tells an owner of an end and
// who does not, what flows do, what is lost, what is forgotten, and what looks
// wrong.
//
// The rules are pure functions over task.Record with the time handed in; Book
// applies them in transactions of store, so that any number of programs may do
// so at once. It looks at no process, file or clock by itself: whoever calls it
// hands in how to ask. The registry calls it, and the end of a supervised task.
package ledger
