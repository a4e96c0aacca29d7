package trace

import "errors"

var errCompression = errors.New("its compression is damaged")

// decompress undoes wire.Compress and returns the number of bytes written to dst.
func decompress(dst, src []byte) (int, error) {
	n := 0
	length := func(v int) (int, bool) {
		if v < 15 {
			return v, true
		}
		for len(src) > 0 {
			b := src[0]
			src = src[1:]
			v += int(b)
			if b < 255 {
				return v, v <= len(dst)
			}
		}
		return 0, false
	}
	for len(src) > 0 {
		token := src[0]
		src = src[1:]
		k, ok := length(int(token >> 4))
		if !ok || k > len(src) || k > len(dst)-n {
			return n, errCompression
		}
		n += copy(dst[n:], src[:k])
		src = src[k:]
		if len(src) == 0 {
			return n, nil
		}
		if len(src) < 2 {
			return n, errCompression
		}
		distance := int(src[0]) | int(src[1])<<8
		src = src[2:]
		k, ok = length(int(token & 15))
		k += 4
		if !ok || distance == 0 || distance > n || k > len(dst)-n {
			return n, errCompression
		}
		for end := n + k; n < end; n++ {
			dst[n] = dst[n-distance] // byte by byte, since the match may overlap its copy
		}
	}
	return n, nil
}
