package control

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxAnswer bounds the answer to the upgrade.
const maxAnswer = 16 << 10

// acceptGUID is what RFC 6455 (1.3) has a server mix into the key.
const acceptGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

// upgrade turns the connection into a WebSocket.
func (t *talk) upgrade() error {
	var nonce [16]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	key := base64.StdEncoding.EncodeToString(nonce[:])
	ask := "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key + "\r\nSec-WebSocket-Version: 13\r\n\r\n"
	if _, err := io.WriteString(t.conn, ask); err != nil {
		return err
	}
	head, err := answerHead(t.conn)
	if err != nil {
		return err
	}
	res, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
	if err != nil {
		return errors.New("it does not speak as a daemon of Codex does")
	}
	_ = res.Body.Close()
	sum := sha1.Sum([]byte(key + acceptGUID))
	if res.StatusCode != http.StatusSwitchingProtocols || res.Header.Get("Sec-Websocket-Accept") != base64.StdEncoding.EncodeToString(sum[:]) {
		return errors.New("it does not speak as a daemon of Codex does")
	}
	t.frames = frames{r: bufio.NewReader(t.conn), w: t.conn}
	return nil
}

// answerHead reads up to the empty line and no byte further.
func answerHead(r io.Reader) ([]byte, error) {
	var head []byte
	var one [1]byte
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if len(head) >= maxAnswer {
			return nil, errors.New("it does not speak as a daemon of Codex does")
		}
		if _, err := io.ReadFull(r, one[:]); err != nil {
			return nil, err
		}
		head = append(head, one[0])
	}
	return head, nil
}
