// Package control speaks with the daemon of Codex over its control socket: which
// background terminals a thread has, what one prints, and that one be ended.
//
// Those are all the words that it can say (see methods). It starts no turn, answers
// no approval and no other question of the daemon, changes no setting, and loads no
// thread that is not loaded already. Nothing that the daemon sends is trusted: each
// talk has a time limit, each message a size, and what does not fit ends the talk.
//
// A connection serves one talk. It is closed at its end; only Listen keeps one, for
// as long as somebody looks at the output.
//
// The socket is used only if it lies in a folder of the person's own that nobody
// else may enter, and if the program behind it runs as the same person.
//
// Wire, as recorded from Codex 0.171.0 in testdata: a WebSocket (RFC 6455) over a
// unix socket, one JSON message a text frame, without a "jsonrpc" field. The client
// of it is our own: it needs one upgrade and four kinds of frames, and bounds on
// both that a library for the web does not have. The source codex calls it.
package control
