package wire

// A file consists of Magic, one byte with the version, and blocks. A block consists of a
// head and a payload. Numbers in heads have four bytes and are little-endian.
const (
	Magic   = "taskinstr trace"
	Version = 1

	// BlockSize is the maximum size in bytes of a block's records. A crash loses at most
	// that much.
	BlockSize = 128 << 10

	// HeadSize is the size of a block's head: BlockMark, the number of the block, the
	// size of its records, the size of its payload, the payload's checksum. If the
	// payload is as large as the records, it is not compressed.
	HeadSize  = 20
	BlockMark = 0x4b4c4274 // "tBLK"

	// MaxString is the maximum length of a string record; a longer string is cut off.
	MaxString = 8 << 10

	// room is the maximum size of a record without its strings and lists.
	room = 160
)

// PutHead writes the head of a block to b. The payload follows the head in b.
func PutHead(b []byte, number, size uint32, payload []byte) {
	put32(b, BlockMark)
	put32(b[4:], number)
	put32(b[8:], size)
	put32(b[12:], uint32(len(payload)))
	put32(b[16:], Checksum(payload))
}

func put32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func get32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// Checksum returns the 32-bit FNV-1a hash.
func Checksum(b []byte) uint32 {
	h := uint32(0x811c9dc5)
	for _, c := range b {
		h = (h ^ uint32(c)) * 0x01000193
	}
	return h
}
