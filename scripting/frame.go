package scripting

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// The service and a child speak in frames: a byte for the kind, four bytes of
// length, the payload.
const (
	frameHello     = 'H' // child: ready
	frameCall      = 'C' // service: run this
	frameWant      = 'G' // child: number of a value it was not sent yet
	frameValue     = 'V' // service: that value
	frameInterrupt = 'I' // service: stop, nobody waits
	frameResult    = 'R' // child: values, or a fault
)

const maxFrame = 1 << 30

func writeFrame(w *bufio.Writer, kind byte, payload []byte) error {
	var head [5]byte
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(payload)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	if _, err := w.Write(payload); err != nil {
		return err
	}
	return w.Flush()
}

func readFrame(r *bufio.Reader) (byte, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > maxFrame {
		return 0, nil, fmt.Errorf("scripting: a frame of %d bytes", n)
	}
	payload := make([]byte, n)
	_, err := io.ReadFull(r, payload)
	return head[0], payload, err
}
