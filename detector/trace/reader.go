package trace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"taskinstr/detector/event"
	"taskinstr/detector/trace/wire"
)

// A Reader streams the events of a trace.
type Reader struct {
	*Symbols
	Blocks, Events int64 // read so far
	Stored, Size   int64 // bytes of blocks as stored, and of their records
	Complete       bool  // the end record was read: the program wrote the whole trace

	r       *bufio.Reader
	at      int64  // offset of the next block
	block   []byte // the records of the present block
	rest    []byte // the records that are still to be read
	payload []byte
	last    wire.State
	strings []string
	uses    map[uint64]event.Use // by place and stack
	err     error
}

// A DamageError describes a damaged block. The events before it are valid.
type DamageError struct {
	Block  int64 // number of the block, from 0
	Offset int64 // of the block in the file
	What   string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("trace: block %d, at byte %d: %s", e.Block, e.Offset, e.What)
}

// NewReader reads the head of a trace. It returns an error if the file is no trace.
func NewReader(r io.Reader) (*Reader, error) {
	t := &Reader{Symbols: newSymbols(), r: bufio.NewReaderSize(r, 1<<16), strings: make([]string, 1), uses: map[uint64]event.Use{}}
	head := make([]byte, len(wire.Magic)+1)
	if _, err := io.ReadFull(t.r, head); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if string(head[:len(wire.Magic)]) != wire.Magic {
		return nil, errors.New("trace: this is no trace: a program built with taskinstr writes one with TASKINSTR=trace=FILE")
	}
	if v := head[len(wire.Magic)]; v != wire.Version {
		return nil, fmt.Errorf("trace: the file has version %d of the format, this taskinstr reads version %d", v, wire.Version)
	}
	t.at = int64(len(head))
	return t, nil
}

// Next reads the next event into e, whose slices are valid until the next call. It
// returns io.EOF at the end of the file, also if the last block is not whole because the
// program was killed: Complete is false then. Other errors are of type *DamageError or
// come from the underlying reader.
func (t *Reader) Next(e *event.Event) error {
	for t.err == nil {
		if len(t.rest) == 0 {
			if t.err = t.nextBlock(); t.err != nil {
				break
			}
		}
		ok, err := t.record(e)
		if err != nil {
			t.err = &DamageError{t.Blocks - 1, t.at, err.Error()}
			break
		}
		if ok {
			t.Events++
			return nil
		}
	}
	return t.err
}

// nextBlock reads a block; t.at is its offset until the next block is read.
func (t *Reader) nextBlock() error {
	if t.Blocks > 0 {
		t.at += wire.HeadSize + int64(len(t.payload))
	}
	damage := func(format string, args ...any) error {
		return &DamageError{t.Blocks, t.at, fmt.Sprintf(format, args...)}
	}
	var head [wire.HeadSize]byte
	if _, err := io.ReadFull(t.r, head[:]); err != nil {
		return unexpected(err)
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(head[i:]) }
	if m := number(0); m != wire.BlockMark {
		return damage("it begins with %#08x, not with the mark of a block", m)
	}
	if n := number(4); int64(n) != t.Blocks {
		return damage("it says that it is block %d: blocks are missing or out of order", n)
	}
	size, stored := number(8), number(12)
	if size > wire.BlockSize || stored > size {
		return damage("it says that %d bytes are stored as %d: at most %d are in a block", size, stored, wire.BlockSize)
	}
	if cap(t.payload) < int(stored) {
		t.payload = make([]byte, wire.BlockSize)
	}
	t.payload = t.payload[:stored]
	if _, err := io.ReadFull(t.r, t.payload); err != nil {
		return unexpected(err)
	}
	if sum := wire.Checksum(t.payload); sum != number(16) {
		return damage("its checksum is %#08x, not %#08x", sum, number(16))
	}
	t.rest = t.payload
	if stored < size {
		if t.block == nil {
			t.block = make([]byte, wire.BlockSize)
		}
		if n, err := decompress(t.block[:size], t.payload); err != nil {
			return damage("%v", err)
		} else if n != int(size) {
			return damage("it has %d bytes of records, not %d", n, size)
		}
		t.rest = t.block[:size]
	}
	t.last = wire.State{}
	t.Blocks++
	t.Stored += int64(stored)
	t.Size += int64(size)
	return nil
}

// unexpected turns the end of a truncated file into an ordinary end of file.
func unexpected(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return io.EOF
	}
	return fmt.Errorf("trace: %w", err)
}
