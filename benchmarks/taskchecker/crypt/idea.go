package crypt

import "encoding/binary"

const (
	blockSize = 8 // bytes
	rounds    = 8
	subkeys   = 6*rounds + 4 // the output transformation takes four
)

// expand makes the subkeys of encryption: the key in pieces of sixteen bits, then the key
// rotated left by 25 bits, and so on.
func expand(key [16]byte) []uint16 {
	hi, lo := binary.BigEndian.Uint64(key[:8]), binary.BigEndian.Uint64(key[8:])
	z := make([]uint16, subkeys)
	for i := range z {
		if i > 0 && i%8 == 0 {
			hi, lo = hi<<25|lo>>39, lo<<25|hi>>39
		}
		half := hi
		if i%8 >= 4 {
			half = lo
		}
		z[i] = uint16(half >> (48 - 16*(i%4)))
	}
	return z
}

// invert makes the subkeys of decryption from the subkeys of encryption: inverse elements
// in reverse order, with the inner additive elements exchanged.
func invert(z []uint16) []uint16 {
	d := make([]uint16, subkeys)
	for r := range rounds + 1 {
		from, to := z[6*(rounds-r):], d[6*r:]
		to[0], to[1], to[2], to[3] = inverse(from[0]), -from[2], -from[1], inverse(from[3])
		if r == 0 || r == rounds {
			to[1], to[2] = to[2], to[1]
		}
		if r < rounds {
			mix := z[6*(rounds-1-r)+4:]
			to[4], to[5] = mix[0], mix[1]
		}
	}
	return d
}

// mul multiplies modulo 2^16+1.
func mul(a, b uint16) uint16 {
	switch {
	case a == 0:
		return 1 - b // 2^16 is -1
	case b == 0:
		return 1 - a
	}
	p := uint32(a) * uint32(b)
	lo, hi := uint16(p), uint16(p>>16)
	if lo >= hi {
		return lo - hi
	}
	return lo - hi + 1
}

// inverse returns 1/a modulo 2^16+1, by Euclid's algorithm.
func inverse(a uint16) uint16 {
	if a <= 1 {
		return a // 1 and -1
	}
	r0, r1 := 1<<16+1, int(a)
	t0, t1 := 0, 1
	for r1 > 1 {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		t0, t1 = t1, t0-q*t1
	}
	return uint16(t1) + uint16(t1>>16&1) // a negative t1 represents t1 + 2^16+1
}

// cipher enciphers the block of src that begins at index at into dst.
func cipher(dst, src []byte, at int, z []uint16) {
	a := uint16(src[at])<<8 | uint16(src[at+1])
	b := uint16(src[at+2])<<8 | uint16(src[at+3])
	c := uint16(src[at+4])<<8 | uint16(src[at+5])
	d := uint16(src[at+6])<<8 | uint16(src[at+7])
	k := 0
	for range rounds {
		a = mul(a, z[k])
		b += z[k+1]
		c += z[k+2]
		d = mul(d, z[k+3])
		s := mul(a^c, z[k+4])
		t := mul(s+(b^d), z[k+5])
		s += t
		a, b, c, d = a^t, c^t, b^s, d^s
		k += 6
	}
	a, b, c, d = mul(a, z[k]), c+z[k+1], b+z[k+2], mul(d, z[k+3])
	dst[at], dst[at+1] = byte(a>>8), byte(a)
	dst[at+2], dst[at+3] = byte(b>>8), byte(b)
	dst[at+4], dst[at+5] = byte(c>>8), byte(c)
	dst[at+6], dst[at+7] = byte(d>>8), byte(d)
}
