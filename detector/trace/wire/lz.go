package wire

// Compression is of the Lempel-Ziv family, in the layout of LZ4 blocks: a sequence is
// a token, literals, and a match further back. The token's upper four bits are the
// number of literals, its lower four the length of the match less minMatch; 15 goes on
// in bytes that are added, up to the first that is not 255. A match is given by its
// distance, two bytes. The last sequence ends behind its literals.
//
// Matches are found through a table of the places where the hash of four bytes was
// seen last, so records that repeat with the same differences cost little.
const (
	minMatch  = 4
	maxMatch  = 1<<16 - 1 // distance
	tableBits = 14
	lastBytes = 5 // are always literals
	skipShift = 6 // after 1<<skipShift misses two bytes are passed at once, and so on
	nibble    = 15
)

// A Table is the compressor's memory.
type Table [1 << tableBits]uint32

// MaxPayload is MaxCompressed of BlockSize.
const MaxPayload = BlockSize + BlockSize/255 + 16

// MaxCompressed is the greatest size that Compress writes for n bytes.
func MaxCompressed(n int) int { return n + n/255 + 16 }

// Compress writes src to dst, which has MaxCompressed bytes, and returns the number of
// bytes written.
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

// extend writes what a token cannot hold of a length.
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
