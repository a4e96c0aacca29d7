package wire

// A file is Magic, one byte with the version, and blocks. A block is a head and its
// payload. Numbers in heads are little-endian and of four bytes.
const (
	Magic   = "taskinstr trace"
	Version = 1

	// BlockSize is how many bytes of records a block holds at most. A crash loses
	// that much.
	BlockSize = 128 << 10

	// HeadSize is the size of a block's head: BlockMark, the number of the block,
	// the size of its records, the size of its payload, the payload's checksum. A
	// payload of the records' own size is not compressed.
	HeadSize  = 20
	BlockMark = 0x4b4c4274 // "tBLK"

	// MaxString is the greatest length of a string record; the rest is cut off.
	MaxString = 8 << 10

	// room is what the longest record but for strings and lists takes.
	room = 160
)

// PutHead writes the head of a block whose payload follows it in b.
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

// Checksum is FNV-1a of 32 bits.
func Checksum(b []byte) uint32 {
	h := uint32(0x811c9dc5)
	for _, c := range b {
		h = (h ^ uint32(c)) * 0x01000193
	}
	return h
}
