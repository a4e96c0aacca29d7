package kernels

const (
	cipherRounds = 8
	cipherKeys   = 6*cipherRounds + 4
	cipherBlock  = 8
)

// mul multiplies modulo 65537, where 0 represents 65536.
func mul(a, b uint16) uint16 {
	if a == 0 {
		return 1 - b
	}
	if b == 0 {
		return 1 - a
	}
	p := uint32(a) * uint32(b)
	lo, hi := uint16(p), uint16(p>>16)
	if lo < hi {
		return lo - hi + 1
	}
	return lo - hi
}

// inverse returns the multiplicative inverse modulo 65537, by Fermat's theorem.
func inverse(a uint16) uint16 {
	r := uint16(1)
	for range 16 { // the exponent 65535 has sixteen ones
		r = mul(mul(r, r), a)
	}
	return r
}

// decryptionKeys derives the keys of decryption from the keys of encryption.
func decryptionKeys(e []uint16) []uint16 {
	d := make([]uint16, 0, cipherKeys)
	for r := range cipherRounds + 1 {
		k := e[6*(cipherRounds-r):]
		first, last := r == 0, r == cipherRounds
		k1, k2 := k[1], k[2]
		if !first && !last {
			k1, k2 = k2, k1
		}
		d = append(d, inverse(k[0]), -k1, -k2, inverse(k[3]))
		if !last {
			p := e[6*(cipherRounds-r-1):]
			d = append(d, p[4], p[5])
		}
	}
	return d
}

// crypt runs the blocks of src through the rounds into dst.
func crypt(dst, src []byte, keys []uint16) {
	for at := 0; at < len(src); at += cipherBlock {
		var x [4]uint16
		for i := range x {
			x[i] = uint16(src[at+2*i])<<8 | uint16(src[at+2*i+1])
		}
		k := 0
		for range cipherRounds {
			x[0] = mul(x[0], keys[k])
			x[1] += keys[k+1]
			x[2] += keys[k+2]
			x[3] = mul(x[3], keys[k+3])
			s := mul(x[0]^x[2], keys[k+4])
			t := mul(s+(x[1]^x[3]), keys[k+5])
			s += t
			x[0] ^= t
			x[3] ^= s
			x[1], x[2] = x[2]^t, x[1]^s
			k += 6
		}
		x[1], x[2] = x[2], x[1]
		x[0] = mul(x[0], keys[k])
		x[1] += keys[k+1]
		x[2] += keys[k+2]
		x[3] = mul(x[3], keys[k+3])
		for i, v := range x {
			dst[at+2*i], dst[at+2*i+1] = byte(v>>8), byte(v)
		}
	}
}

func cipher(n, workers int) uint64 {
	n = n / cipherBlock * cipherBlock
	plain, secret, back := make([]byte, n), make([]byte, n), make([]byte, n)
	r := rng(7)
	for i := range plain {
		plain[i] = byte(r.next() >> 56)
	}
	keys := make([]uint16, cipherKeys)
	for i := range keys {
		keys[i] = uint16(r.next() >> 48)
	}
	inverted := decryptionKeys(keys)
	blocks := n / cipherBlock
	split(blocks, workers, func(lo, hi int) {
		crypt(secret[lo*cipherBlock:hi*cipherBlock], plain[lo*cipherBlock:hi*cipherBlock], keys)
	})
	split(blocks, workers, func(lo, hi int) {
		crypt(back[lo*cipherBlock:hi*cipherBlock], secret[lo*cipherBlock:hi*cipherBlock], inverted)
	})
	sum := uint64(0)
	for i := range plain {
		if plain[i] != back[i] {
			return 0 // the result of the decryption is wrong
		}
		sum = sum*31 + uint64(secret[i])
	}
	return sum
}
