package wire

// The compression is of the Lempel-Ziv family, in the layout of LZ4 blocks: a sequence is
// a token, literals, and a match further back. The token's upper four bits hold the
// number of literals, its lower four bits the length of the match less minMatch; the
// value 15 continues in further bytes, which are added, up to and including the first
// that is not 255. Two bytes hold the distance of a match. The last sequence ends with
// its literals.
//
// The compressor finds matches through a table that maps the hash of four bytes to their
// latest position. Records that repeat with the same differences therefore cost little.
const (
	minMatch  = 4
	maxMatch  = 1<<16 - 1 // distance
	tableBits = 14
	lastBytes = 5 // the last bytes are always literals
	skipShift = 6 // after each 1<<skipShift misses the step grows by one byte
	nibble    = 15
)

// A Table is the compressor's hash table.
type Table [1 << tableBits]uint32

// MaxPayload is MaxCompressed of BlockSize.
const MaxPayload = BlockSize + BlockSize/255 + 16

// MaxCompressed returns the maximum number of bytes that Compress writes for n bytes.
func MaxCompressed(n int) int { return n + n/255 + 16 }

// Compress compresses src into dst, which has room for MaxCompressed bytes, and returns
// the number of bytes written.
func Compress(dst, src []byte, t *Table) int {
	clear(t[:])
	n, anchor, i := 0, 0, 0
	limit := len(src) - lastBytes - minMatch
	for misses := 0; i <= limit; {
		v := get32(src[i:])
		slot := &t[v*2654435761>>(32-tableBits)]
		at := int(*slot) - 1
		*slot = uint32(i + 1)
		if at < 0 || i-at > maxMatch || get32(src[at:]) != v {
			misses++
			i += 1 + misses>>skipShift
			continue
		}
		misses = 0
		size := minMatch
		for i+size < len(src)-lastBytes && src[at+size] == src[i+size] {
			size++
		}
		for i > anchor && at > 0 && src[i-1] == src[at-1] {
			i--
			at--
			size++
		}
		n = sequence(dst, n, src[anchor:i], size-minMatch)
		dst[n], dst[n+1] = byte(i-at), byte((i-at)>>8)
		n = extend(dst, n+2, size-minMatch)
		i += size
		anchor = i
	}
	return sequence(dst, n, src[anchor:], 0)
}

// sequence writes a token and its literals.
func sequence(dst []byte, n int, literals []byte, match int) int {
	dst[n] = byte(min(len(literals), nibble)<<4 | min(match, nibble))
	n = extend(dst, n+1, len(literals))
	return n + copy(dst[n:], literals)
}

// extend writes the part of a length that the token cannot hold.
func extend(dst []byte, n, length int) int {
	if length < nibble {
		return n
	}
	for length -= nibble; length >= 255; length -= 255 {
		dst[n] = 255
		n++
	}
	dst[n] = byte(length)
	return n + 1
}
